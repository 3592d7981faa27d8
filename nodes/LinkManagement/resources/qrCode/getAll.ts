// *Get Many* of QR codes.

import { type Operation } from '../../../shared/operations/operation';
import { getMany } from '../../getMany';
import { qrCodes } from '../../serviceLists';

export const getAll: Operation = {
	...getMany(qrCodes),
	action: 'Get many QR codes',
	description: 'Return the QR codes of the account with their scans, one item each',
};
