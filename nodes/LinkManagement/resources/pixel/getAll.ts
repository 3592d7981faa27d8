import { returnAllAndLimit } from '../../../shared/fields';
import type { Operation } from '../../../shared/resources';
import { linkList, record } from '../../service';

export const pixelGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many pixels',
	description: 'List the tracking pixels of the account',
	request: { method: 'GET', url: '/api/pixels' },
	pagination: linkList('pixels', record),
	fields: returnAllAndLimit,
};
