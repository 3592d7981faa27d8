import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, named, newDomain, onStage, Stage, textOf } from '../../helpers/support.ts';

/** What a write outputs where the service says little of the link. */

const url = 'https://example.com/a';

const stage = onStage(new Stage());

/** Updates a link on a branded domain; the service answers with a message alone. */
async function updated(changes: (domain: string) => INodeParameters): Promise<IDataObject> {
	const [domain, other] = [await newDomain(stage), `https://${stage.unique('to')}.example.com`];
	await stage.make('/api/domain/add', { domain: other });
	const id = await stage.make('/api/url/add', { url, custom: 'one', domain });
	const body = { error: 0, message: 'Updated' };
	stage.sandbox.faults.add({ kind: 'respond', path: '/api/url/:id/update', body });
	const given = { linkId: byId(id), updateFields: changes(other) };
	const { json } = await stage.link('link.update', given);
	const [{ shorturl, ...link } = {}] = json;
	expect(link).toMatchObject({ id, longurl: url });
	return { shorturl: shorturl === null ? null : textOf(shorturl).replace(domain, ''), ...link };
}

test.each<[what: string, changes: (other: string) => INodeParameters, link: IDataObject]>([
	['title', () => ({ metaTitle: 'New' }), { shorturl: '/one', alias: 'one' }],
	['alias', () => ({ customAlias: 'two' }), { shorturl: null, alias: 'two' }],
	['domain', (other) => ({ domain: named('name', other) }), { shorturl: null, alias: 'one' }],
])('a short URL is output only if it is known: another %s', async (_what, changes, link) => {
	expect(await updated(changes)).toMatchObject(link);
});

test('a create of which the service says only the ID is a success', async () => {
	stage.sandbox.faults.add({ kind: 'respond', path: '/api/url/add', body: { error: 0, id: 7 } });
	const { json } = await stage.link('link.create', { url });
	expect(json).toMatchObject([{ outcome: 'created', id: 7, shorturl: null, longurl: url }]);
});

test.each([
	['without an address', { id: 7 }, { qr_code_id: 7, qr_code: null }],
	['without an ID', { link: 'https://a.b/c' }, { qr_code_id: null, qr_code: 'https://a.b/c' }],
])('a QR code %s has none', async (_what, said, columns) => {
	stage.sandbox.faults.add({
		kind: 'respond',
		path: '/api/qr/add',
		body: { error: 0, ...said },
	});
	const given = { url, additionalFields: { createQrCode: true } };
	expect((await stage.link('link.create', given)).json).toMatchObject([columns]);
});
