import type { Operation } from '../../../shared/operations/operation';
import { getMany } from '../../listOperations';
import { qrCodes } from '../../lists';

export const qrCodeGetAll: Operation = {
	...getMany(qrCodes),
	action: 'Get many QR codes',
	description: 'Return the QR codes of the account with their scans, one item each',
};
