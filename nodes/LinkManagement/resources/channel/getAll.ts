import type { Operation } from '../../../shared/operations/operation';
import { getMany } from '../../listOperations';
import { channels } from '../../lists';

export const channelGetAll: Operation = {
	...getMany(channels),
	action: 'Get many channels',
	description: 'Return the channels of the account, one item each',
};
