import { returnAllAndLimit } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { qrCodeRecord } from '../../records';
import { linkList } from '../../results';

export const qrCodeGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many QR codes',
	description: 'List the QR codes of the account',
	request: { method: 'GET', url: '/api/qr' },
	pagination: linkList('qrs', qrCodeRecord),
	fields: returnAllAndLimit,
};
