import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { optionsField } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/operation';
import type { Row, RowResult } from '../../../shared/operations/row';
import { toFailure } from '../../../shared/values/failure';
import { mapIn } from '../../../shared/values/json';
import { requiredLine } from '../../../shared/values/input';
import { additionalFields } from '../../fields';
import { linkOperation, newRecord } from '../../results';
import { qrData, qrDataFields, qrTypeField } from './data';
import { qrCodeFields } from './fields';
import { binaryPropertyField, fieldName, withPicture } from './pictureFile';

const includeImage: INodeProperties = {
	displayName: 'Include Image',
	name: 'includeImage',
	type: 'boolean',
	default: true,
	description:
		'Whether to also download the picture of the new code. If only the picture fails, image_error says why.',
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

export const qrCodeCreate: Operation = {
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
		additionalFields(qrCodeFields),
		optionsField([includeImage, binaryPropertyField]),
	],
};
