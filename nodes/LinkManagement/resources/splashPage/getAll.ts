import { returnAllAndLimit } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { record } from '../../records';
import { linkList } from '../../results';

export const splashPageGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many splash pages',
	description: 'List the custom splash pages of the account',
	request: { method: 'GET', url: '/api/splash' },
	pagination: linkList('splash', record),
	fields: returnAllAndLimit,
};
