import type { Operation } from '../../../shared/resources';
import { qrCodeLocator } from '../../locators';
import { deleted, linkOperation } from '../../service';

export const qrCodeDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete a QR code',
	description: 'Delete a QR code for good',
	request: { method: 'DELETE', url: '/api/qr/:qrCodeId/delete' },
	pagination: linkOperation({ results: deleted }),
	fields: [qrCodeLocator],
};
