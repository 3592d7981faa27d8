import type { IDataObject } from 'n8n-workflow';

import { additionalFields } from '../../../shared/operations/fields';
import type { ItemContext } from '../../../shared/operations/operation';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { requiredText } from '../../../shared/values/text';
import { createdRecord, linkOperation } from '../../results';
import { qrData, qrDataFields, qrTypeField } from './data';
import { qrCodeBody, qrCodeFields } from './fields';

export const qrCodeCreate: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create a QR code',
	description: 'Create a QR code from a text, a link, a contact and more',
	request: { method: 'POST', url: '/api/qr/add' },
	pagination: linkOperation({ body: newQrCodeBody, results: createdRecord }),
	fields: [qrTypeField, ...qrDataFields, additionalFields(qrCodeFields)],
};

function newQrCodeBody(body: IDataObject, context: ItemContext): IDataObject {
	const type = requiredText('QR Code Type', context.read('qrType'));
	return { ...qrCodeBody(body), type, data: qrData(context) };
}
