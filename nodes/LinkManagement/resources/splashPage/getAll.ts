import type { Operation } from '../../../shared/operations/operation';
import { getMany } from '../../listOperations';
import { splashPages } from '../../lists';

export const splashPageGetAll: Operation = {
	...getMany(splashPages),
	action: 'Get many splash pages',
	description: 'Return the custom splash pages of the account, one item each',
};
