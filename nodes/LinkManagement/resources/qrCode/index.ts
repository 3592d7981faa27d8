// QR codes (document: "QR code").

import type { Operation } from '../../../shared/operations/operation';
import { qrCodeLocator } from '../../locators';
import { deletion } from '../../writeResults';

export { create } from './create';
export { get } from './get';
export { getAll } from './getAll';
export { getImage } from './getImage';
export { getStatistics } from './getStatistics';
export { update } from './update';

export const remove: Operation = {
	...deletion('/api/qr/:qrCodeId/delete', qrCodeLocator),
	action: 'Delete QR code',
	description: 'Permanently delete a QR code, and return its ID',
};
