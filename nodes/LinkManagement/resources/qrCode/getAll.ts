import type { Operation } from '../../../shared/operations/nodeProperties';
import { getMany } from '../../listOperations';
import { qrCodes } from '../../lists';

export const qrCodeGetAll: Operation = {
	...getMany(qrCodes),
	action: 'Get many QR codes',
	description: 'List the QR codes of the account',
};
