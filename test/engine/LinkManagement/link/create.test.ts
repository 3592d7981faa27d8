import type { INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { nodeType } from '../../helpers/engine.ts';
import {
	byId,
	CONTINUE,
	like,
	named,
	newDomain,
	onStage,
	outcomesIn,
	RETRY,
	sentIn,
	Stage,
	writesIn,
} from '../../helpers/support.ts';
import { CREATE, newLink, storedLink, url } from './sheet.ts';

const CREATE_QR = 'POST /api/qr/add';

const stage = onStage(new Stage());

const createLink = async (
	given: INodeParameters,
	settings: Parameters<typeof stage.link>[2] = {},
) => await stage.link('link.create', { url, ...given }, settings);

/** The parameters that n8n has of an operation of links, in the node of this name. */
function namesFor(name: string, operation: string): string[] {
	const { description } = nodeType('n8n-nodes-linkstore.linkManagement');
	const type = { ...description, name };
	const entered = { resource: 'link', operation, options: { includeInputFields: true } };
	const opened = [type.properties, entered, true, false, { typeVersion: 1 }, type] as const;
	const { options = {}, ...others } = NodeHelpers.getNodeParameters(...opened) ?? {};
	return [...Object.keys(others), ...Object.keys(Object(options) as object)];
}

test.each([
	['linkManagement', 'upsert', ['mappingMode', 'url', 'includeInputFields']],
	['linkManagement', 'create', ['url', 'includeInputFields']],
	['linkManagementTool', 'upsert', ['url']],
	['linkManagementTool', 'create', ['url']],
])('of these, %s offers for %s: %j', (node, operation, offered) => {
	const names = namesFor(node, operation);
	const asked = ['mappingMode', 'url', 'includeInputFields'];
	expect(asked.filter((name) => names.includes(name))).toEqual(offered);
});

describe('a link that is there already', () => {
	test('because an earlier row made it is existing, and put into nothing', async () => {
		const channel = await stage.make('/api/channel/add', { name: 'Mail' });
		const additionalFields = { channelId: byId(channel), createQrCode: true };
		const rows = [{ url }, { url: `${url}other` }, { url }];
		const result = await createLink({ url: '={{ $json.url }}', additionalFields }, { rows });
		expect(outcomesIn(result)).toEqual(['created', 'created', 'existing']);
		expect(result.json[2]?.id).toBe(result.json[0]?.id);
		expect(sentIn(result).filter((sent) => sent.includes('/assign/'))).toHaveLength(2);
		expect(sentIn(result).filter((sent) => sent === CREATE_QR)).toHaveLength(2);
	});

	test('because it is older is told apart, and put into no campaign', async () => {
		const id = await newLink(stage);
		stage.sandbox.links.addLinks(stage.linkAccount.id, 120, 0);
		const campaignId = byId(await stage.make('/api/campaign/add', { name: 'Spring' }));
		stage.sandbox.faults.add({ kind: 'delay', method: 'GET', milliseconds: 100, times: 99 });
		const additionalFields = { campaignId, password: 'secret', createQrCode: true };
		const { json } = await createLink({ additionalFields });
		expect(json).toMatchObject([{ outcome: 'existing', id }]);
		expect(json[0]).not.toHaveProperty('qr_code');
		expect(storedLink(stage, id)).toMatchObject({ campaign: null, password: '' });
	});

	test('on another domain is an error, not tried again, and the run goes on', async () => {
		const domain = await newDomain(stage);
		await newLink(stage);
		const given = { url: '={{ $json.url }}', domain: named('name', domain) };
		const rows = [{ url }, { url: `${url}new` }];
		const settings = { ...CONTINUE, ...RETRY };
		const result = await createLink(given, { rows, settings });
		expect(writesIn(result)).toEqual([CREATE, CREATE]);
		expect(result.json).toMatchObject([
			{ outcome: 'failed', error: like(new RegExp(`instead of ${domain.slice(8)}/`)) },
			{ outcome: 'created', shorturl: like(new RegExp(`^${domain}/`)) },
		]);
	});
});

describe('a QR code', () => {
	test.each([
		['', [CREATE]],
		[false, [CREATE]],
		[true, [CREATE, CREATE_QR]],
	])('of a row that says %j takes %j', async (wanted, requests) => {
		const additionalFields = { createQrCode: '={{ $json.wanted }}' };
		const result = await createLink({ additionalFields }, { rows: [{ wanted }] });
		expect(result.error).toBeUndefined();
		expect(writesIn(result)).toEqual(requests);
	});

	test.each(['http-503', 'drop-after'] as const)('is not made twice after %s', async (kind) => {
		stage.sandbox.faults.add({ kind, path: '/api/qr/add' });
		const given = { additionalFields: { createQrCode: true } };
		const result = await createLink(given, { settings: RETRY });
		expect(writesIn(result)).toEqual([CREATE, CREATE_QR]);
		expect(result.error?.message).toMatch(
			/^The link http\S+ \(ID \d+\) was created, but without its QR code: /,
		);
	});

	test('gets a name where the service has them', async () => {
		const given = { qrType: 'text', text: 'Seat 12', additionalFields: { qrCodeName: 'Flyer' } };
		const { json } = await stage.link('qrCode.create', given);
		const code = await stage.link('qrCode.get', { qrCodeId: byId(Number(json[0]?.id)) });
		expect(code.json).toMatchObject([{ name: 'Flyer' }]);
	});
});

test.each([
	[200, ['created', 2]],
	[400, ['created', 2]],
	[409, ['created', 2]],
	[422, ['created', 2]],
	[404, ['failed', 1]],
	[403, ['failed', 1]],
])('an alias that is refused with status %i may be taken: %j', async (status, expected) => {
	const body = { error: 1, message: 'No' };
	stage.sandbox.faults.add({ kind: 'respond', path: '/api/url/add', status, body });
	const given = { customAlias: stage.unique('taken'), options: { ifAliasTaken: 'random' } };
	const result = await createLink(given, { settings: CONTINUE });
	expect([outcomesIn(result)[0], writesIn(result).length]).toEqual(expected);
});

test('an alias that stays taken is refused with the first refusal, after three numbers', async () => {
	const customAlias = stage.unique('taken');
	for (const end of ['', '-2', '-3', '-4'])
		await newLink(stage, { custom: `${customAlias}${end}` });
	const given = { customAlias, options: { ifAliasTaken: 'suffix' } };
	const { error, requests } = await createLink(given);
	expect(error?.message).toBe(`The alias ${customAlias} is already taken.`);
	expect(requests).toHaveLength(4);
});
