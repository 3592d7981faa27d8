import { NodeHelpers } from 'n8n-workflow';

import { nodeType } from '../../helpers/engine.ts';
import type { StageResult } from '../../helpers/support.ts';
import { Stage, byId, onStage, recordsOf } from '../../helpers/support.ts';

const CREATE = 'POST /api/url/add';
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const url = 'https://example.com/';

const sentIn = ({ requests }: StageResult): string[] => requests.map(({ request }) => request);

test('Map Automatically is not offered to an AI agent, which fills in the URL', () => {
	const { description } = nodeType('n8n-nodes-linkstore.linkManagement');
	const given = { resource: 'link', operation: 'create' };
	const namesFor = (name: string): string[] => {
		const type = { ...description, name };
		const opened = [type.properties, given, true, false, { typeVersion: 1 }, type] as const;
		return Object.keys(NodeHelpers.getNodeParameters(...opened) ?? {});
	};
	expect(namesFor('linkManagement')).toEqual(expect.arrayContaining(['mappingMode', 'url']));
	expect(namesFor('linkManagementTool')).toContain('url');
	expect(namesFor('linkManagementTool')).not.toContain('mappingMode');
});

describe('a QR code created with its link', () => {
	const stage = onStage(new Stage());
	const DRAW = 'POST /api/qr/add';
	const additionalFields = { createQrCode: true };

	test.each(['http-503', 'drop-after'] as const)('is not created twice: %s', async (kind) => {
		stage.sandbox.faults.add({ kind, path: '/api/qr/add' });
		const parameters = { url, additionalFields };
		const result = await stage.link('link.create', parameters, { settings: RETRY });
		expect(sentIn(result)).toEqual([CREATE, DRAW]);
		expect(result.error?.message).toMatch(
			/^The link http\S+ \(ID \d+\) was created, but without its QR code: /,
		);
	});
});

describe('a link that cannot be put into its channel', () => {
	const stage = onStage(new Stage());
	const additionalFields = { channelId: byId(999) };

	test('was created, and the error says where it is', async () => {
		const { error } = await stage.link('link.create', { url, additionalFields });
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
			const path = '/api/channel/:channelid/assign/:type/:itemid';
			stage.sandbox.faults.add({ kind, path });
			const places = { campaignId, channelId: byId(channel) };
			const parameters = { url, additionalFields: places };
			const result = await stage.link('link.create', parameters, { settings: RETRY });
			expect(result.error).toBeUndefined();
			const assign = [`POST /api/channel/${channel}/assign/links/${Number(result.json[0]?.id)}`];
			expect(sentIn(result).filter((request) => !request.includes('campaign'))).toEqual([
				CREATE,
				...assign,
				...assign,
			]);
			expect(sentIn(result)).toHaveLength(4);
		},
	);
});
