import type { Operation } from '../../../shared/operations/operation';
import { qrCodeLocator } from '../../locators';
import { qrCodeDetails } from '../../records';
import { linkOperation } from '../../results';

export const qrCodeGet: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get QR code',
	description: 'Get the details and the statistics of a QR code',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	pagination: linkOperation({ results: (body) => [qrCodeDetails(body)] }),
	fields: [qrCodeLocator],
};
