import type { IDataObject } from 'n8n-workflow';

import { additionalFields } from '../../../shared/fields';
import type { ItemContext } from '../../../shared/operation';
import type { Operation } from '../../../shared/resources';
import { requiredText } from '../../../shared/values';
import { createdRecord, linkOperation } from '../../service';
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
