import type { Operation } from '../../../shared/operations/nodeProperties';
import { qrCodeLocator } from '../../locators';
import { deleteResult, linkOperation } from '../../results';

export const qrCodeDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete QR code',
	description: 'Permanently delete a QR code',
	request: { method: 'DELETE', url: '/api/qr/:qrCodeId/delete' },
	pagination: linkOperation({ results: deleteResult }),
	fields: [qrCodeLocator],
};
