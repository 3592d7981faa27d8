import { additionalFields } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { requiredText } from '../../../shared/values/text';
import { createdRecord, linkOperation } from '../../results';
import { qrData, qrDataFields, qrLabels, qrTypeField } from './data';
import { qrCodeFields } from './fields';

const fields = [qrTypeField, ...qrDataFields, additionalFields(qrCodeFields)];

export const qrCodeCreate: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create QR code',
	description: 'Create a QR code from a text, a link, a contact and more',
	request: { method: 'POST', url: '/api/qr/add' },
	pagination: linkOperation({
		labels: qrLabels,
		body: (body, context) => ({
			...body,
			type: requiredText(qrLabels.type, context.read('qrType')),
			data: qrData(context),
		}),
		results: createdRecord,
	}),
	fields,
};
