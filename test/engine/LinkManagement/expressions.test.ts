import type { INode, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { nodeType } from '../helpers/engine.ts';
import { byId, CONTINUE, onStage, Stage, textOf } from '../helpers/support.ts';

/** Rows of one node that differ in their type: it comes from an expression. */

const stage = onStage(new Stage());

/** The fields that n8n's editor marks as missing, before anything runs. */
function missingIn(parameters: INodeParameters): string[] {
	const { description } = nodeType('n8n-nodes-linkstore.linkManagement');
	const { name: type, properties } = description;
	const node: INode = { id: 'a', name: 'A', type, typeVersion: 1, position: [0, 0], parameters };
	const opened = [properties, parameters, true, false, node, description] as const;
	const shown = { ...node, parameters: NodeHelpers.getNodeParameters(...opened) ?? {} };
	const issues = NodeHelpers.getNodeParametersIssues(properties, shown, description);
	return Object.keys(issues?.parameters ?? {});
}

const LINK = {
	url: 'https://example.com/',
	additionalFields: {
		redirectType: '={{ $json.type }}',
		ctaOverlayId: byId('={{ $json.overlay }}'),
	},
};
const QR_CODE = {
	qrType: '={{ $json.type }}',
	text: '={{ $json.text }}',
	ssid: '={{ $json.ssid }}',
	wifiPassword: 'a long sentence',
};
const NO_ID = 'must be a positive whole number, but is empty';

test.each([
	[
		'link',
		LINK,
		[
			{ type: 'frame' },
			{ type: 'overlay', overlay: 7 },
			{ type: 'overlay' },
			{ type: 'customSplash' },
		],
		[{ type: 'frame' }, { type: 'overlay-7' }],
		[`'CTA Overlay' ${NO_ID}`, `'Splash Page' ${NO_ID}`],
	],
	[
		'qrCode',
		QR_CODE,
		[
			{ type: 'text', text: 'A' },
			{ type: 'wifi', ssid: 'B' },
			{ type: 'text', ssid: 'B' },
			{ type: 'phone' },
		],
		[{ data: 'A' }, { data: { ssid: 'B' } }],
		["'Text' is empty", "'Phone' is empty"],
	],
])('%s: n8n asks for nothing, and each row says what it lacks', async (...each) => {
	const [resource, parameters, rows, bodies, errors] = each;
	expect(missingIn({ resource, operation: 'create', ...parameters })).toEqual([]);
	const given = { rows, settings: CONTINUE };
	const { json, requests } = await stage.link(`${resource}.create`, parameters, given);
	const sent = requests.map(({ body }) => body).filter((body) => body !== undefined);
	expect(sent).toMatchObject(bodies);
	expect(json.slice(2).map(({ error }) => textOf(error).split('.')[0])).toEqual(errors);
});
