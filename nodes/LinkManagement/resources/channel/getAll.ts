import type { Operation } from '../../../shared/operations/nodeProperties';
import { linkList, listFields } from '../../listOperations';
import { record } from '../../records';

export const channelGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many channels',
	description: 'List the channels of the account',
	request: { method: 'GET', url: '/api/channels' },
	pagination: linkList('channels', record),
	fields: listFields('channels'),
};
