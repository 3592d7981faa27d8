import type { Operation } from '../../../shared/operations/operation';
import { getMany } from '../../listOperations';
import { campaigns } from '../../lists';

export const campaignGetAll: Operation = {
	...getMany(campaigns),
	action: 'Get many campaigns',
	description: 'Return the campaigns of the account, one item each',
};
