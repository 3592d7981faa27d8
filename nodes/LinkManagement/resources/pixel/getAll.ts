import { returnAllAndLimit } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { record } from '../../records';
import { linkList } from '../../results';

export const pixelGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many pixels',
	description: 'List the tracking pixels of the account',
	request: { method: 'GET', url: '/api/pixels' },
	pagination: linkList('pixels', record),
	fields: returnAllAndLimit,
};
