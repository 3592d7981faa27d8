import type { INodeProperties } from 'n8n-workflow';

import { inBody } from '../../../shared/operations/sentFields';
import { line } from '../../../shared/values/input';
import { textField } from '../../fields';
import { rgbColor } from '../../values/color';

/** How the code looks; create and update have it in common. */
export const qrCodeFields: readonly INodeProperties[] = [
	{
		displayName: 'Background Color',
		name: 'background',
		type: 'color',
		default: '',
		description: 'The color behind the code',
		routing: inBody('background', rgbColor),
	},
	{
		displayName: 'Foreground Color',
		name: 'foreground',
		type: 'color',
		default: '',
		description: 'The color of the code',
		routing: inBody('foreground', rgbColor),
	},
	{
		...textField('Logo', 'logo', 'https://www.example.com/logo.png'),
		description: 'The address of a PNG or JPG picture to show in the middle of the code',
		routing: inBody('logo', line, ''),
	},
];
