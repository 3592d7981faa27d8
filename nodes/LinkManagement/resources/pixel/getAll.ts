import type { Operation } from '../../../shared/operations/nodeProperties';
import { linkList, listFields } from '../../listOperations';
import { record } from '../../records';

export const pixelGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many pixels',
	description: 'List the tracking pixels of the account',
	request: { method: 'GET', url: '/api/pixels' },
	pagination: linkList('pixels', record),
	fields: listFields('pixels'),
};
