import type { Operation } from '../../../shared/operations/nodeProperties';
import { linkList, listFields } from '../../listOperations';
import { record } from '../../records';

export const splashPageGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many splash pages',
	description: 'List the custom splash pages of the account',
	request: { method: 'GET', url: '/api/splash' },
	pagination: linkList('splash', record),
	fields: listFields('splash'),
};
