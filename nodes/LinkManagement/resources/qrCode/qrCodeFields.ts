// The fields that *Create* and *Update* of QR codes have in common, besides the content.

import type { INodeProperties } from 'n8n-workflow';

import { inBody } from '../../../shared/operations/requestFields';
import { parseLine } from '../../../shared/values/input';
import { textField } from '../../resourceFields';
import { parseRgbColor } from '../../values/color';

/** Black on white, which is always sent: a code that is made without colors cannot get one later. */
export const COLORS = { background: 'rgb(255,255,255)', foreground: 'rgb(0,0,0)' } as const;

export const qrCodeFields: readonly INodeProperties[] = [
	{
		displayName: 'Background Color',
		name: 'background',
		type: 'color',
		default: '',
		description: 'The color behind the code',
		routing: inBody('background', parseRgbColor),
	},
	{
		displayName: 'Foreground Color',
		name: 'foreground',
		type: 'color',
		default: '',
		description: 'The color of the code',
		routing: inBody('foreground', parseRgbColor),
	},
	{
		...textField('Logo', 'logo', 'https://www.example.com/logo.png'),
		description: 'The address of a PNG or JPG picture to show in the middle of the code',
		routing: inBody('logo', parseLine, ''),
	},
];
