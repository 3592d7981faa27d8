// *Create* and *Update* of QR codes; what a code contains is in data.ts.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { optionsField } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/operation';
import type { Row, RowResult } from '../../../shared/operations/row';
import { inBody } from '../../../shared/operations/sentFields';
import { toFailure } from '../../../shared/values/failure';
import { line, requiredLine } from '../../../shared/values/input';
import { mapIn } from '../../../shared/values/json';
import { additionalFields, textField, updateFields } from '../../fields';
import { qrCodeLocator } from '../../locators';
import { linkOperation, newRecord, updateResult } from '../../results';
import { rgbColor } from '../../values/color';
import { qrData, qrDataFields, qrTypeField } from './data';
import { binaryPropertyField, fieldName, withPicture } from './picture';

/** How the code looks; create and update have it in common. */
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

const includeImage: INodeProperties = {
	displayName: 'Include Image',
	name: 'includeImage',
	type: 'boolean',
	default: true,
	description:
		'Whether to also download the picture of the new code. If only the picture fails, image_error says why.',
};

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create QR code',
	description: 'Create a QR code from a text, link, contact or more, and return its ID and address',
	request: { method: 'POST', url: '/api/qr/add' },
	pagination: linkOperation({
		body: (body, form) => ({
			...body,
			type: requiredLine(qrTypeField.displayName, form.parameter('qrType')),
			data: qrData(form),
		}),
		prepare({ parameter }) {
			const fileField = fieldName(mapIn(parameter('options')).binaryPropertyName ?? 'data');
			return async (request, row) => {
				const { body } = await row.send(request);
				return [await withImage(newRecord(body), row, fileField)];
			};
		},
	}),
	fields: [
		qrTypeField,
		...qrDataFields,
		additionalFields(fields),
		optionsField([includeImage, binaryPropertyField]),
	],
};

/** The code exists, so a failure of its picture is part of the result. */
async function withImage(code: IDataObject, row: Row, fileField: string): Promise<RowResult> {
	const { includeImage: isWanted } = mapIn(row.form.parameter('options'));
	if (isWanted === undefined) return { json: code };
	const json = { ...code, image_error: null };
	if (isWanted === false) return { json };
	try {
		return await withPicture(json, fileField, row);
	} catch (error) {
		return { json: { ...json, image_error: toFailure(error).explanation } };
	}
}

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update QR code',
	description: 'Change the content or colors of a QR code, and return its ID',
	request: { method: 'PUT', url: '/api/qr/:qrCodeId/update' },
	pagination: linkOperation({
		body: (body, form) => ({ ...body, data: qrData(form) }),
		results: updateResult,
	}),
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
