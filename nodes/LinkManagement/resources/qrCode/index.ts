// QR codes (document: "QR code").

import type { Operation } from '../../../shared/operations/operation';
import { qrCodeLocator } from '../../locators';
import { deletion } from '../../writeResults';

export { get, getAll, getImage, getStatistics } from './reads';
export { create, update } from './writes';

export const remove: Operation = {
	...deletion('/api/qr/:qrCodeId/delete', qrCodeLocator),
	action: 'Delete QR code',
	description: 'Permanently delete a QR code, and return its ID',
};
