import type { INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { nodeType } from '../../helpers/engine.ts';
import type { StageResult } from '../../helpers/support.ts';
import { Stage, byId, like, onStage, recordsOf } from '../../helpers/support.ts';

const CREATE = 'POST /api/url/add';
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const url = 'https://example.com/';

const sentIn = ({ requests }: StageResult): string[] => requests.map(({ request }) => request);

/** The parameters that n8n has of an operation of links, in the node of this name. */
function namesFor(name: string, operation: string, given: INodeParameters = {}): string[] {
	const { description } = nodeType('n8n-nodes-linkstore.linkManagement');
	const type = { ...description, name };
	const entered = { resource: 'link', operation, ...given };
	const opened = [type.properties, entered, true, false, { typeVersion: 1 }, type] as const;
	const { options = {}, ...others } = NodeHelpers.getNodeParameters(...opened) ?? {};
	return [...Object.keys(others), ...Object.keys(Object(options) as object)];
}

test('Map Automatically is offered for Create or Update alone, and not to an AI agent', () => {
	expect(namesFor('linkManagement', 'upsert')).toEqual(
		expect.arrayContaining(['mappingMode', 'url']),
	);
	expect(namesFor('linkManagementTool', 'upsert')).not.toContain('mappingMode');
	expect(namesFor('linkManagementTool', 'upsert')).toContain('url');
	expect(namesFor('linkManagement', 'create')).not.toContain('mappingMode');
});

test.each(['create', 'upsert'])('an AI agent is not asked for the input fields of %s', (name) => {
	const options = { includeInputFields: true };
	expect(namesFor('linkManagement', name, { options })).toContain('includeInputFields');
	expect(namesFor('linkManagementTool', name, { options })).not.toContain('includeInputFields');
});

describe('a service that keeps one link for each URL', () => {
	const stage = onStage(new Stage({ sameUrl: 'existing' }));

	test('gives an earlier row of the run its link again: it is existing, and put into nothing', async () => {
		const channel = await stage.make('/api/channel/add', { name: 'Mail' });
		const additionalFields = { channelId: byId(channel), createQrCode: true };
		const rows = [{ url }, { url: `${url}other` }, { url }];
		const parameters = { url: '={{ $json.url }}', additionalFields };
		const result = await stage.link('link.create', parameters, { rows });
		expect(result.json.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'existing']);
		expect(result.json[2]).toMatchObject({ id: result.json[0]?.id });
		expect(result.json[2]).toMatchObject({ qr_code_id: null, qr_code: null });
		expect(sentIn(result).filter((sent) => sent.includes('/assign/'))).toHaveLength(2);
		expect(sentIn(result).filter((sent) => sent === 'POST /api/qr/add')).toHaveLength(2);
	});
});

describe('a QR code created with its link', () => {
	const stage = onStage(new Stage());

	test.each(['', false])('is not created for a row that says %j', async (wanted) => {
		const parameters = { url, additionalFields: { createQrCode: '={{ $json.wanted }}' } };
		const result = await stage.link('link.create', parameters, { rows: [{ wanted }] });
		expect(result.error).toBeUndefined();
		expect(sentIn(result)).toEqual([CREATE]);
	});

	test.each(['http-503', 'drop-after'] as const)('is not created twice: %s', async (kind) => {
		stage.sandbox.faults.add({ kind, path: '/api/qr/add' });
		const parameters = { url, additionalFields: { createQrCode: true } };
		const result = await stage.link('link.create', parameters, { settings: RETRY });
		expect(sentIn(result)).toEqual([CREATE, 'POST /api/qr/add']);
		expect(result.error?.message).toMatch(
			/^The link http\S+ \(ID \d+\) was created, but without its QR code: /,
		);
	});
});

describe('a link that cannot be put into its channel', () => {
	const stage = onStage(new Stage());

	test('was created, and the error says where it is', async () => {
		const { error } = await stage.link('link.create', {
			url,
			additionalFields: { channelId: byId(999) },
		});
		const [{ id = 0, shorturl = '' } = {}] = await recordsOf(stage, '/api/urls');
		expect(error?.message).toBe(
			`The link ${String(shorturl)} (ID ${String(id)}) was created, but not added to the channel: There is no channel with the id 999.`,
		);
	});

	test.each(['http-503', 'drop-after'] as const)(
		'is not created again by a retry: %s',
		async (kind) => {
			const campaignId = byId(await stage.make('/api/campaign/add', { name: 'Spring' }));
			const channel = await stage.make('/api/channel/add', { name: 'Mail' });
			stage.sandbox.faults.add({ kind, path: '/api/channel/:channelid/assign/:type/:itemid' });
			const additionalFields = { campaignId, channelId: byId(channel) };
			const parameters = { url, additionalFields };
			const result = await stage.link('link.create', parameters, { settings: RETRY });
			const assign = `POST /api/channel/${channel}/assign/links/${Number(result.json[0]?.id)}`;
			const writes = sentIn(result).filter((request) => !request.startsWith('GET '));
			expect(writes).toEqual([CREATE, like(/campaign/), assign, assign]);
		},
	);
});

describe('an alias that stays taken', () => {
	const stage = onStage(new Stage());

	test('is refused with the first refusal, after three numbers', async () => {
		const alias = stage.unique('taken');
		for (const custom of [alias, `${alias}-2`, `${alias}-3`, `${alias}-4`]) {
			await stage.make('/api/url/add', { url, custom });
		}
		const parameters = { url, customAlias: alias, options: { ifAliasTaken: 'suffix' } };
		const { error, requests } = await stage.link('link.create', parameters);
		expect(error?.message).toBe(`The alias ${alias} is already taken.`);
		expect(requests).toHaveLength(4);
	});
});

describe('a domain without its scheme', () => {
	const stage = onStage(new Stage({ aliases: 'per-domain' }));

	test('is sent as the list of the account spells it, which is read once a run', async () => {
		const host = `${stage.unique('go')}.example.com`;
		await stage.make('/api/domain/add', { domain: `https://${host}` });
		const domain = { __rl: true, mode: 'name', value: host.toUpperCase() };
		for (const operation of ['link.create', 'link.upsert']) {
			const rows = ['a', 'b'].map((name) => ({ name: stage.unique(name + operation.slice(5)) }));
			const parameters = { url, customAlias: '={{ $json.name }}', domain };
			const { requests } = await stage.link(operation, parameters, { rows });
			const bodies = requests.filter(({ request }) => request === CREATE).map(({ body }) => body);
			expect(bodies).toMatchObject([{ domain: `https://${host}` }, { domain: `https://${host}` }]);
			expect(requests.filter(({ request }) => request === 'GET /api/domains')).toHaveLength(1);
		}
		const linkId = byId(await stage.make('/api/url/add', { url }));
		const { requests } = await stage.link('link.update', { linkId, updateFields: { url, domain } });
		const written = requests.find(({ request }) => request.startsWith('PUT '));
		expect(written?.body).toMatchObject({ domain: `https://${host}` });
	});
});

describe('a QR code that the row says or leaves open', () => {
	const stage = onStage(new Stage());

	test.each([
		['', 1],
		[false, 1],
		[true, 2],
	])('%j takes %i requests', async (qr, count) => {
		const parameters = { url, additionalFields: { createQrCode: '={{ $json.qr }}' } };
		const { requests } = await stage.link('link.create', parameters, { rows: [{ qr }] });
		expect(requests).toHaveLength(count);
	});
});
