import type { Operation } from '../../../shared/operations/nodeProperties';
import { linkList, listFields } from '../../listOperations';
import { record } from '../../records';

export const domainGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many domains',
	description: 'List the branded domains of the account',
	request: { method: 'GET', url: '/api/domains' },
	pagination: linkList('domains', record),
	fields: listFields('domains'),
};
