import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ItemResult } from '../../../shared/operations/batchRun';
import { optionsField } from '../../../shared/operations/fields';
import type { ItemContext } from '../../../shared/operations/itemContext';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { toFailure } from '../../../shared/values/failure';
import { mapIn } from '../../../shared/values/json';
import { requiredText } from '../../../shared/values/input';
import { additionalFields } from '../../fields';
import { createdRecord, linkOperation } from '../../results';
import { qrData, qrDataFields, qrLabels, qrTypeField } from './data';
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
async function completed(code: IDataObject, context: ItemContext): Promise<ItemResult> {
	const { includeImage: isWanted, binaryPropertyName = 'data' } = mapIn(context.read('options'));
	if (isWanted === undefined) return { json: code };
	const json = { ...code, image_error: null };
	if (isWanted === false) return { json };
	try {
		return await withPicture(json, fieldName(binaryPropertyName), context);
	} catch (error) {
		return { json: { ...json, image_error: toFailure(error).explanation } };
	}
}

export const qrCodeCreate: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create QR code',
	description: 'Create a QR code from text, a link, a contact and more',
	request: { method: 'POST', url: '/api/qr/add' },
	pagination: linkOperation(
		{
			body(body, context) {
				fieldName(mapIn(context.read('options')).binaryPropertyName ?? 'data');
				const type = requiredText(qrLabels.type, context.read('qrType'));
				return { ...body, type, data: qrData(context) };
			},
			results: createdRecord,
			complete: completed,
		},
		qrLabels,
	),
	fields: [
		qrTypeField,
		...qrDataFields,
		additionalFields(qrCodeFields),
		optionsField([includeImage, binaryPropertyField]),
	],
};
