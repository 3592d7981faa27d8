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
	description: 'Get a QR code with its picture as a file, for an email or a drive',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	pagination: linkOperation({
		check: ({ parameter }) => fieldName(parameter('binaryPropertyName')),
		async perform(request, item, name) {
			const { body } = await item.send(request);
			return [await withPicture(record(requireRecord(body, 'details')), name, item)];
		},
	}),
	fields: [qrCodeLocator, { ...binaryPropertyField, required: true }],
};
