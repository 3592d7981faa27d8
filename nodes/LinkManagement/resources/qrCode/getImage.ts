import type { Operation } from '../../../shared/operations/operation';
import { requireRecord } from '../../../shared/values/json';
import { qrCodeLocator } from '../../locators';
import { record } from '../../records';
import { linkOperation } from '../../results';
import { binaryPropertyField, fieldName, withPicture } from './pictureFile';

export const qrCodeGetImage: Operation = {
	name: 'Get Image',
	value: 'getImage',
	action: 'Get image of QR code',
	description: 'Return a QR code with its picture as a file, for an email or a drive',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	pagination: linkOperation({
		prepare({ parameter }) {
			const name = fieldName(parameter('binaryPropertyName'));
			return async (request, row) => {
				const { body } = await row.send(request);
				return [await withPicture(record(requireRecord(body, 'details')), name, row)];
			};
		},
	}),
	fields: [qrCodeLocator, { ...binaryPropertyField, required: true }],
};
