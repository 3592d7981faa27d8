import type { Operation } from '../../../shared/operations/operation';
import { updateFields } from '../../fields';
import { qrCodeLocator } from '../../locators';
import { linkOperation, updateResult } from '../../results';
import { qrData, qrDataFields, qrTypeField } from './data';
import { qrCodeFields } from './fields';

export const qrCodeUpdate: Operation = {
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
		updateFields(qrCodeFields),
	],
};
