import { returnAllAndLimit } from '../../../shared/fields';
import type { Operation } from '../../../shared/resources';
import { linkList, record } from '../../service';

export const channelGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many channels',
	description: 'List the channels of the account',
	request: { method: 'GET', url: '/api/channels' },
	pagination: linkList('channels', record),
	fields: returnAllAndLimit,
};
