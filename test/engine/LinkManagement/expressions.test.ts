import type { INode, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { nodeType } from '../helpers/engine.ts';
import { byId, onStage, Stage, textOf } from '../helpers/support.ts';

/** Rows of one node that differ in their type: it comes from an expression. */

const stage = onStage(new Stage());
const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** The fields that n8n's editor marks as missing, before anything runs. */
function missingIn(parameters: INodeParameters): string[] {
	const { description } = nodeType('n8n-nodes-linkstore.linkManagement');
	const node: INode = {
		id: 'a',
		name: 'Links',
		type: description.name,
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
	const { properties } = description;
	const filled =
		NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description) ?? {};
	const issues = NodeHelpers.getNodeParametersIssues(
		properties,
		{ ...node, parameters: filled },
		description,
	);
	return Object.keys(issues?.parameters ?? {});
}

test('Redirect Type: n8n asks for no page, and each row says what it lacks', async () => {
	const overlay = stage.sandbox.links.addOverlay(stage.linkAccount.id, 'Ten percent off');
	const parameters = {
		url: 'https://example.com/',
		additionalFields: {
			redirectType: '={{ $json.type }}',
			ctaOverlayId: byId('={{ $json.overlay }}'),
		},
	};
	const given = { resource: 'link', operation: 'create', ...parameters };
	expect(missingIn(given)).toEqual([]);

	const rows = [
		{ type: 'frame' },
		{ type: 'overlay', overlay },
		{ type: 'overlay' },
		{ type: 'customSplash' },
		{ type: 'sideways' },
	];
	const { json, requests } = await stage.link('link.create', parameters, {
		rows,
		settings: CONTINUE,
	});
	const bodies = requests.map(({ body }) => body).filter((body) => body !== undefined);
	expect(bodies).toMatchObject([{ type: 'frame' }, { type: `overlay-${overlay}` }]);
	expect(json.slice(2).map(({ error }) => textOf(error).split('.')[0])).toEqual([
		"'CTA Overlay ID' must be a positive whole number, but is empty",
		"'Splash Page ID' must be a positive whole number, but is empty",
		'\'Redirect Type\' must be one of overlay, customSplash, direct, frame, splash, but is "sideways"',
	]);
});

test.each([
	['text', ['text']],
	['link', ['contentUrl']],
	['phone', ['phone']],
	['sms', ['phone']],
	['email', ['email']],
	['wifi', ['ssid']],
	['vcard', []],
])('QR Code Type %s: n8n asks for %j, unless the content is JSON', (qrType, asked) => {
	for (const operation of ['create', 'update']) {
		const parameters = { resource: 'qrCode', operation, qrCodeId: byId(1), qrType };
		expect(missingIn(parameters)).toEqual(asked);
		const isArray = asked.length === 0 || ['sms', 'email', 'wifi'].includes(qrType);
		if (isArray) expect(missingIn({ ...parameters, dataMode: 'json' })).toEqual([]);
	}
});

test('QR Code Type: n8n asks for no content, and each row says what it lacks', async () => {
	const parameters = {
		qrType: '={{ $json.type }}',
		text: '={{ $json.text }}',
		ssid: '={{ $json.ssid }}',
	};
	const given = { resource: 'qrCode', operation: 'create', ...parameters };
	expect(missingIn(given)).toEqual([]);

	const rows = [
		{ type: 'text', text: 'Seat 12' },
		{ type: 'wifi', ssid: 'Guests' },
		{ type: 'text', ssid: 'Guests' },
		{ type: 'phone', text: 'Seat 12' },
	];
	const { json, requests } = await stage.link('qrCode.create', parameters, {
		rows,
		settings: CONTINUE,
	});
	expect(requests.map(({ body }) => body)).toMatchObject([
		{ type: 'text', data: 'Seat 12' },
		{ type: 'wifi', data: { ssid: 'Guests' } },
	]);
	expect(json.slice(2).map(({ error }) => textOf(error).split('.')[0])).toEqual([
		"'Text' is empty",
		"'Phone' is empty",
	]);
});
