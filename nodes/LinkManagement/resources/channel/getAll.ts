import type { Operation } from '../../../shared/operations/operation';
import { getMany } from '../../listOperations';
import { channels } from '../../lists';

export const channelGetAll: Operation = {
	...getMany(channels),
	action: 'Get many channels',
	description: 'List the channels of the account',
};
