// *Create* and *Update* of QR codes; what a code contains is in data.ts.

import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../../shared/operations/operation';
import { inBody } from '../../../shared/operations/sentFields';
import { line, requiredLine } from '../../../shared/values/input';
import { additionalFields, textField, updateFields } from '../../fields';
import { qrCodeLocator } from '../../locators';
import { createdRecord, updateResult } from '../../results';
import { rgbColor } from '../../values/color';
import { qrData, qrDataFields, qrTypeField } from './data';

const fields: readonly INodeProperties[] = [
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

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create QR code',
	description: 'Create a QR code from a text, link, contact or more, and return its ID and address',
	request: { method: 'POST', url: '/api/qr/add' },
	body: (body, form) => ({
		...body,
		type: requiredLine(qrTypeField.displayName, form.parameter('qrType')),
		data: qrData(form),
	}),
	results: createdRecord,
	fields: [qrTypeField, ...qrDataFields, additionalFields(fields)],
};

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update QR code',
	description: 'Change the content or colors of a QR code, and return its ID',
	request: { method: 'PUT', url: '/api/qr/:qrCodeId/update' },
	body: (body, form) => ({ ...body, data: qrData(form) }),
	results: updateResult,
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
		...qrDataFields,
		updateFields(fields),
	],
};
