import { returnAllAndLimit } from '../../../shared/fields';
import type { Operation } from '../../../shared/resources';
import { channelLocator } from '../../locators';
import { linkList, record } from '../../service';

export const channelGetItems: Operation = {
	name: 'Get Items',
	value: 'getItems',
	action: 'Get the items of a channel',
	description: 'List the links, bio pages and QR codes of a channel',
	request: { method: 'GET', url: '/api/channel/:channelId' },
	pagination: linkList('items', record),
	fields: [channelLocator, ...returnAllAndLimit],
};
