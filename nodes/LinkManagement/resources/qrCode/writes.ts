// *Create* and *Update* of QR codes; what a code contains is in content.ts.

import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../../shared/operations/operation';
import { inBody } from '../../../shared/operations/requestFields';
import { parseLine, parseRequiredLine } from '../../../shared/values/input';
import { additionalFields, textField, updateFields } from '../../resourceFields';
import { qrCodeLocator } from '../../locators';
import { createdRecord, updateResult } from '../../writeResults';
import { parseRgbColor } from '../../values/color';
import { qrContent, qrContentFields, qrTypeField } from './content';

const fields: readonly INodeProperties[] = [
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

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create QR code',
	description: 'Create a QR code from a text, link, contact or more, and return its ID and address',
	request: { method: 'POST', url: '/api/qr/add' },
	body: (body, input) => ({
		...body,
		type: parseRequiredLine(qrTypeField.displayName, input.parameter('qrType')),
		data: qrContent(input),
	}),
	toItems: createdRecord,
	fields: [qrTypeField, ...qrContentFields, additionalFields(fields)],
};

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update QR code',
	description: 'Change the content or colors of a QR code, and return its ID',
	request: { method: 'PUT', url: '/api/qr/:qrCodeId/update' },
	body: (body, input) => ({ ...body, data: qrContent(input) }),
	toItems: updateResult,
	fields: [
		qrCodeLocator,
		{
			displayName:
				'Every update needs the content, even if only the colors change. The type selects the fields below; it is not sent and cannot be changed.',
			name: 'contentNotice',
			type: 'notice',
			default: '',
		},
		qrTypeField,
		...qrContentFields,
		updateFields(fields),
	],
};
