// *Get Statistics* of a QR code.

import { type Operation } from '../../../shared/operations/operation';
import { qrCodeLocator } from '../../locators';
import { qrCodeDetails, statisticsRows } from '../../records';
import { extraQueryOption } from '../../resourceFields';

export const getStatistics: Operation = {
	name: 'Get Statistics',
	value: 'getStatistics',
	action: 'Get statistics of QR code',
	description: 'Return the scans of a QR code, one item per figure, for a sheet or chart',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	toItems(body, { ids }) {
		const { id, name, ...details } = qrCodeDetails(body, ids.qrCodeId ?? 0);
		return statisticsRows({ id, name }, details);
	},
	fields: [qrCodeLocator, extraQueryOption],
};
