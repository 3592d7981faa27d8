import type { INodeProperties } from 'n8n-workflow';

import { inBody } from '../../../shared/operations/sentFields';
import { rgbColor } from '../../values/color';

/** How the code looks; create and update have it in common. */
export const qrCodeFields: readonly INodeProperties[] = [
	{
		displayName: 'Background',
		name: 'background',
		type: 'color',
		default: '',
		description: 'The color behind the code',
		routing: inBody('background', rgbColor),
	},
	{
		displayName: 'Foreground',
		name: 'foreground',
		type: 'color',
		default: '',
		description: 'The color of the code',
		routing: inBody('foreground', rgbColor),
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
