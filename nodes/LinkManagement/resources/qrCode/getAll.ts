import type { Operation } from '../../../shared/operations/operation';
import { getMany } from '../../listOperations';
import { qrCodes } from '../../lists';

export const qrCodeGetAll: Operation = {
	...getMany(qrCodes),
	action: 'Get many QR codes',
	description: 'List the QR codes of the account',
};
