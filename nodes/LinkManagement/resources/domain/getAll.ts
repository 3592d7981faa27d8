import type { Operation } from '../../../shared/operations/operation';
import { getMany } from '../../listOperations';
import { domains } from '../../lists';

export const domainGetAll: Operation = {
	...getMany(domains),
	action: 'Get many domains',
	description: 'Return the branded domains of the account, one item each',
};
