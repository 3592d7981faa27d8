import { returnAllAndLimit } from '../../../shared/fields';
import type { Operation } from '../../../shared/resources';
import { linkList, qrCodeRecord } from '../../service';

export const qrCodeGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many QR codes',
	description: 'List the QR codes of the account',
	request: { method: 'GET', url: '/api/qr' },
	pagination: linkList('qrs', qrCodeRecord),
	fields: returnAllAndLimit,
};
