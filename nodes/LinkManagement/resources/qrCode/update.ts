import type { IDataObject } from 'n8n-workflow';

import { updateFields } from '../../../shared/operations/fields';
import type { ItemContext } from '../../../shared/operations/operation';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { qrCodeLocator } from '../../locators';
import { linkOperation, updateResult } from '../../results';
import { qrData, qrDataFields, qrTypeField } from './data';
import { qrCodeBody, qrCodeFields } from './fields';

/** The API requires the content on every update. The type decides its shape, but cannot be changed and is not sent. */
export const qrCodeUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update a QR code',
	description: 'Change the content or the colors of a QR code',
	request: { method: 'PUT', url: '/api/qr/:qrCodeId/update' },
	pagination: linkOperation({ body: changedQrCodeBody, results: updateResult }),
	fields: [qrCodeLocator, qrTypeField, ...qrDataFields, updateFields(qrCodeFields)],
};

function changedQrCodeBody(body: IDataObject, context: ItemContext): IDataObject {
	return { ...qrCodeBody(body), data: qrData(context) };
}
