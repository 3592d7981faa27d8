import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inBody } from '../../../shared/operations/fields';
import { rgbColor } from '../../../shared/values/color';

/** How the code looks; create and update have it in common. */
export const qrCodeFields: readonly INodeProperties[] = [
	{
		displayName: 'Background',
		name: 'background',
		type: 'color',
		default: '',
		description: 'The color behind the code',
		routing: inBody('background'),
	},
	{
		displayName: 'Foreground',
		name: 'foreground',
		type: 'color',
		default: '',
		description: 'The color of the code',
		routing: inBody('foreground'),
	},
	{
		displayName: 'Logo',
		name: 'logo',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://www.example.com/logo.png',
		description: 'The path of a PNG or JPG image to show in the middle of the code',
		routing: inBody('logo'),
	},
];

/** The body of a QR code's create or update, with its colours as the API writes them. */
export function qrCodeBody(body: IDataObject): IDataObject {
	return {
		...body,
		...('background' in body ? { background: rgbColor('Background', body.background) } : {}),
		...('foreground' in body ? { foreground: rgbColor('Foreground', body.foreground) } : {}),
	};
}
