import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
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
	wifiPassword: '={{ $json.password }}',
};

/** Each row, and the body that is sent for it, or the error. */
test.each<[string, INodeParameters, Array<[row: IDataObject, expected: IDataObject | string]>]>([
	[
		'link.create',
		LINK,
		[
			[{ type: 'frame' }, { type: 'frame' }],
			[{ type: 'overlay', overlay: 7 }, { type: 'overlay-7' }],
			[{ type: 'overlay' }, "'CTA Overlay' must be a positive whole number, but is empty"],
			[{ type: 'customSplash' }, "'Splash Page' must be a positive whole number, but is empty"],
			[
				{ type: 'sideways' },
				'\'Redirect Type\' must be one of overlay, customSplash, direct, frame, splash, but is "sideways"',
			],
		],
	],
	[
		'qrCode.create',
		QR_CODE,
		[
			[
				{ type: 'text', text: 'Seat 12' },
				{ type: 'text', data: 'Seat 12' },
			],
			[
				{ type: 'wifi', ssid: 'Guests', password: 'a long sentence' },
				{ type: 'wifi', data: { ssid: 'Guests', pass: 'a long sentence' } },
			],
			[{ type: 'text', ssid: 'Guests' }, "'Text' is empty"],
			[{ type: 'phone', text: 'Seat 12' }, "'Phone' is empty"],
		],
	],
])('%s: n8n asks for nothing, and each row says what it lacks', async (name, parameters, cases) => {
	const [resource = '', operation = ''] = name.split('.');
	expect(missingIn({ resource, operation, ...parameters })).toEqual([]);
	const rows = cases.map(([row]) => row);
	const { json, requests } = await stage.link(name, parameters, { rows, settings: CONTINUE });
	const expected = cases.map(([, each]) => each);
	const sent = requests.map(({ body }) => body).filter((body) => body !== undefined);
	expect(sent).toMatchObject(expected.filter((each) => typeof each !== 'string'));
	const errors = json.flatMap(({ error }) => (error ? textOf(error).split('.')[0] : []));
	expect(errors).toEqual(expected.filter((each) => typeof each === 'string'));
});
