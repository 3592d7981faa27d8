import type { Operation } from '../../../shared/resources';
import { qrCodeLocator } from '../../locators';
import { linkOperation, qrCodeDetails } from '../../service';

export const qrCodeGet: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get a QR code',
	description: 'Get the details and the statistics of a QR code',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	pagination: linkOperation({ results: (body) => [qrCodeDetails(body)] }),
	fields: [qrCodeLocator],
};
