import type { INode, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { nodeType } from '../helpers/engine.ts';
import { byId, CONTINUE, onStage, Stage, textOf } from '../helpers/support.ts';

/** Rows of one node that differ in their type: it comes from an expression. */

const stage = onStage(new Stage());

/** The fields that n8n's editor marks as missing, before anything runs. */
function missingIn(parameters: INodeParameters): string[] {
	const { description } = nodeType('n8n-nodes-linkstore.linkManagement');
	const type = description.name;
	const node = { id: 'a', name: 'Links', type, typeVersion: 1, parameters };
	const placed: INode = { ...node, position: [0, 0] };
	const { properties } = description;
	const opened = [properties, parameters, true, false, placed, description] as const;
	const filled = NodeHelpers.getNodeParameters(...opened) ?? {};
	const shown = { ...placed, parameters: filled };
	const issues = NodeHelpers.getNodeParametersIssues(properties, shown, description);
	return Object.keys(issues?.parameters ?? {});
}

test.each([
	{
		field: 'Redirect Type',
		resource: 'link',
		parameters: {
			url: 'https://example.com/',
			additionalFields: {
				redirectType: '={{ $json.type }}',
				ctaOverlayId: byId('={{ $json.overlay }}'),
			},
		},
		rows: [
			{ type: 'frame' },
			{ type: 'overlay', overlay: 7 },
			{ type: 'overlay' },
			{ type: 'customSplash' },
			{ type: 'sideways' },
		],
		bodies: [{ type: 'frame' }, { type: 'overlay-7' }],
		errors: [
			"'CTA Overlay' must be a positive whole number, but is empty",
			"'Splash Page' must be a positive whole number, but is empty",
			'\'Redirect Type\' must be one of overlay, customSplash, direct, frame, splash, but is "sideways"',
		],
	},
	{
		field: 'QR Code Type',
		resource: 'qrCode',
		parameters: {
			qrType: '={{ $json.type }}',
			text: '={{ $json.text }}',
			ssid: '={{ $json.ssid }}',
			wifiPassword: '={{ $json.password }}',
		},
		rows: [
			{ type: 'text', text: 'Seat 12' },
			{ type: 'wifi', ssid: 'Guests', password: 'a long sentence' },
			{ type: 'text', ssid: 'Guests' },
			{ type: 'phone', text: 'Seat 12' },
		],
		bodies: [
			{ type: 'text', data: 'Seat 12' },
			{ type: 'wifi', data: { ssid: 'Guests', pass: 'a long sentence' } },
		],
		errors: ["'Text' is empty", "'Phone' is empty"],
	},
])('$field: n8n asks for nothing, and each row says what it lacks', async (each) => {
	const { resource, parameters, rows, bodies, errors } = each;
	expect(missingIn({ resource, operation: 'create', ...parameters })).toEqual([]);
	const settings = CONTINUE;
	const { json, requests } = await stage.link(`${resource}.create`, parameters, { rows, settings });
	const sent = requests.map(({ body }) => body).filter((body) => body !== undefined);
	expect(sent).toMatchObject(bodies);
	expect(json.slice(2).map(({ error }) => textOf(error).split('.')[0])).toEqual(errors);
});
