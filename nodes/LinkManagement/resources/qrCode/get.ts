import type { Operation } from '../../../shared/operations/operation';
import { extraQueryOption } from '../../fields';
import { qrCodeLocator } from '../../locators';
import { qrCodeDetails } from '../../records';
import { linkOperation } from '../../results';

export const qrCodeGet: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get QR code',
	description: 'Return the details of a QR code with its scans',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	pagination: linkOperation({ results: (body) => [qrCodeDetails(body)] }),
	fields: [qrCodeLocator, extraQueryOption],
};
