import { returnAllAndLimit } from '../../../shared/fields';
import type { Operation } from '../../../shared/resources';
import { linkList, record } from '../../service';

export const domainGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many domains',
	description: 'List the branded domains of the account',
	request: { method: 'GET', url: '/api/domains' },
	pagination: linkList('domains', record),
	fields: returnAllAndLimit,
};
