// Channels: named, colored groups of links, bio pages and QR codes (document: "Channel").

import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../shared/operations/operation';
import { inBody } from '../../shared/operations/requestFields';
import { parseBoolean, parseRequiredLine, parseText } from '../../shared/values/input';
import {
	additionalFields,
	includeInputFieldsAlone,
	textField,
	updateFields,
} from '../resourceFields';
import { assignToChannel } from '../assignToChannel';
import { getMany, listFields, readList } from '../getMany';
import { channels } from '../serviceLists';
import { channelItemLocator, channelLocator } from '../locators';
import { record } from '../records';
import { change, creation, deletion, updateResult } from '../writeResults';
import { parseHexColor } from '../values/color';

/** What create and update have in common. */
const fields: readonly INodeProperties[] = [
	{
		displayName: 'Color',
		name: 'color',
		type: 'color',
		default: '',
		description: 'The color of the badge',
		routing: inBody('color', parseHexColor),
	},
	{
		...textField('Description', 'description', 'All links of the spring newsletter'),
		typeOptions: { rows: 2 },
		description: 'What the channel is for',
		routing: inBody('description', parseText, ''),
	},
	{
		displayName: 'Starred',
		name: 'starred',
		type: 'boolean',
		default: true,
		description: 'Whether to show the channel at the top of the list',
		routing: inBody('starred', parseBoolean),
	},
];

export const assignItem: Operation = {
	name: 'Assign Item',
	value: 'assignItem',
	action: 'Assign item to channel',
	description: 'Add a link, bio page or QR code to a channel, and return both IDs',
	request: { method: 'POST', url: '/api/channel/:channelId/assign/:itemType/:itemId' },
	prepare(row) {
		const itemType = String(row.parameters.itemType);
		return async (request) => {
			const [channel, item] = [row.id('channelId'), row.id('itemId')];
			const body = await assignToChannel(channel, itemType, item, row);
			return updateResult({ itemType, ...body }, request, row).map((json) => ({ json }));
		};
	},
	fields: [
		channelLocator,
		{
			displayName: 'Item Type',
			name: 'itemType',
			type: 'options',
			options: [
				{ name: 'Bio Page', value: 'bio' },
				{ name: 'Link', value: 'links' },
				{ name: 'QR Code', value: 'qr' },
			],
			default: 'links',
			description: 'The kind of item to add',
		},
		channelItemLocator,
		includeInputFieldsAlone,
	],
};

export const create: Operation = {
	...creation('/api/channel/add'),
	action: 'Create channel',
	description: 'Create a channel for links, bio pages and QR codes, and return its ID',
	fields: [
		{
			...textField('Name', 'channelName', 'Newsletter'),
			required: true,
			description: 'The name of the channel',
			routing: inBody('name', parseRequiredLine),
		},
		additionalFields(fields),
	],
};

export const remove: Operation = {
	...deletion('/api/channel/:channelId/delete', channelLocator),
	action: 'Delete channel',
	description: 'Permanently delete a channel, but not its items, and return its ID',
};

export const getAll: Operation = {
	...getMany(channels),
	action: 'Get many channels',
	description: 'Return the channels of the account, one item each',
};

export const getItems: Operation = {
	name: 'Get Items',
	value: 'getItems',
	action: 'Get items of channel',
	description: 'Return the links, bio pages and QR codes of a channel, one item each',
	request: { method: 'GET', url: '/api/channel/:channelId' },
	...readList({ listName: 'items' }, record),
	fields: [channelLocator, ...listFields('items')],
};

export const update: Operation = {
	...change('/api/channel/:channelId/update'),
	action: 'Update channel',
	description: 'Change the fields of a channel that have a value, and return its ID',
	fields: [
		channelLocator,
		updateFields([
			...fields,
			{
				...textField('Name', 'name', 'Newsletter'),
				description: 'The new name of the channel',
				routing: inBody('name'),
			},
		]),
	],
};
