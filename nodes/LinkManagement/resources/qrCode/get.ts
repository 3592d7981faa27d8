// *Get*: the details of a QR code.

import { type Operation } from '../../../shared/operations/operation';
import { qrCodeLocator } from '../../locators';
import { qrCodeDetails } from '../../records';
import { extraQueryOption } from '../../resourceFields';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get QR code',
	description: 'Return the details of a QR code with its scans',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	toItems: (body, { ids }) => [qrCodeDetails(body, ids.qrCodeId ?? 0)],
	fields: [qrCodeLocator, extraQueryOption],
};
