import type { Operation } from '../../../shared/operations/operation';
import { extraQueryOption } from '../../fields';
import { qrCodeLocator } from '../../locators';
import { statisticsRows, qrCodeDetails } from '../../records';
import { linkOperation } from '../../results';

export const qrCodeGetStatistics: Operation = {
	name: 'Get Statistics',
	value: 'getStatistics',
	action: 'Get statistics of QR code',
	description: 'Return the scans of a QR code, one item per figure, for a sheet or chart',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	pagination: linkOperation({
		results(body) {
			const { id, name, ...details } = qrCodeDetails(body);
			return statisticsRows({ id, name }, details);
		},
	}),
	fields: [qrCodeLocator, extraQueryOption],
};
