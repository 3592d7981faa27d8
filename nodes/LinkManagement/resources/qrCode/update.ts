// *Update* of QR codes; what a code contains is in content.ts.

import { type Operation } from '../../../shared/operations/operation';
import { qrCodeLocator } from '../../locators';
import { updateFields } from '../../resourceFields';
import { updateResult } from '../../writeResults';
import { qrContent, qrTypeField, qrContentFields } from './content';
import { qrCodeFields } from './qrCodeFields';

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update QR code',
	description: 'Change the content or colors of a QR code, and return its ID',
	request: { method: 'PUT', url: '/api/qr/:qrCodeId/update' },
	body: (body, input) => ({ ...body, data: qrContent(input) }),
	toItems: updateResult,
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
		...qrContentFields,
		updateFields(qrCodeFields),
	],
};
