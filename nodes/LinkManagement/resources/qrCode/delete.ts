import type { Operation } from '../../../shared/operations/operation';
import { qrCodeLocator } from '../../locators';
import { deletion } from '../../results';

export const qrCodeDelete: Operation = {
	...deletion('/api/qr/:qrCodeId/delete', qrCodeLocator),
	action: 'Delete QR code',
	description: 'Permanently delete a QR code, and return its ID',
};
