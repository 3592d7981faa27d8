// *Create* of QR codes; what a code contains is in content.ts.

import { type Operation } from '../../../shared/operations/operation';
import { parseRequiredLine } from '../../../shared/values/input';
import { additionalFields } from '../../resourceFields';
import { createdRecord } from '../../writeResults';
import { qrTypeField, qrContent, qrContentFields } from './content';
import { qrCodeFields } from './qrCodeFields';

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
	fields: [qrTypeField, ...qrContentFields, additionalFields(qrCodeFields)],
};
