import type { Operation } from '../../../shared/operations/nodeProperties';
import { linkList, listFields } from '../../listOperations';
import { qrCodeRecord } from '../../records';

export const qrCodeGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many QR codes',
	description: 'List the QR codes of the account',
	request: { method: 'GET', url: '/api/qr' },
	pagination: linkList('qrs', qrCodeRecord),
	fields: listFields('qrs'),
};
