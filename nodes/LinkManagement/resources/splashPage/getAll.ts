import { returnAllAndLimit } from '../../../shared/fields';
import type { Operation } from '../../../shared/resources';
import { linkList, record } from '../../service';

export const splashPageGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many splash pages',
	description: 'List the custom splash pages of the account',
	request: { method: 'GET', url: '/api/splash' },
	pagination: linkList('splash', record),
	fields: returnAllAndLimit,
};
