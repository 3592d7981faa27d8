import { returnAllAndLimit } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { record } from '../../records';
import { linkList } from '../../results';

export const channelGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many channels',
	description: 'List the channels of the account',
	request: { method: 'GET', url: '/api/channels' },
	pagination: linkList('channels', record),
	fields: returnAllAndLimit,
};
