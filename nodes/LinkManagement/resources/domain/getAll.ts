import { returnAllAndLimit } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { record } from '../../records';
import { linkList } from '../../results';

export const domainGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many domains',
	description: 'List the branded domains of the account',
	request: { method: 'GET', url: '/api/domains' },
	pagination: linkList('domains', record),
	fields: returnAllAndLimit,
};
