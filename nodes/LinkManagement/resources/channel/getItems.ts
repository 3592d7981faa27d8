import type { Operation } from '../../../shared/operations/operation';
import { linkList, listFields } from '../../listOperations';
import { channelLocator } from '../../locators';
import { record } from '../../records';

export const channelGetItems: Operation = {
	name: 'Get Items',
	value: 'getItems',
	action: 'Get items of channel',
	description: 'Return the links, bio pages and QR codes of a channel, one item each',
	request: { method: 'GET', url: '/api/channel/:channelId' },
	pagination: linkList('items', record),
	fields: [channelLocator, ...listFields('items')],
};
