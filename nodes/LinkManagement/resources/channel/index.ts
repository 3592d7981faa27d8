import type { INodeProperties } from 'n8n-workflow';

import { operationField } from '../../../shared/fields';
import { createdRecord, deleted, done, linkList, linkOperation, record } from '../../service';
import { channelAssignItemFields, ITEM_TYPES } from './assignItem';
import { channelCreateFields, newChannelBody } from './create';
import { channelDeleteFields } from './delete';
import { channelGetAllFields } from './getAll';
import { channelGetItemsFields } from './getItems';
import { changedChannelBody, channelUpdateFields } from './update';

/** Channels: named, coloured groups of links, bio pages and QR codes (document: "Channel"). */
export const channel: INodeProperties[] = [
	operationField(
		'channel',
		[
			{
				name: 'Assign Item',
				value: 'assignItem',
				action: 'Assign an item to a channel',
				description: 'Add a short link, a bio page or a QR code to a channel',
				routing: {
					request: { method: 'POST', url: '/api/channel/:channelId/assign/:itemType/:itemId' },
					operations: {
						pagination: linkOperation({ words: { itemType: ITEM_TYPES }, results: done }),
					},
				},
			},
			{
				name: 'Create',
				value: 'create',
				action: 'Create a channel',
				description: 'Create a channel to group links, bio pages and QR codes',
				routing: {
					request: { method: 'POST', url: '/api/channel/add' },
					operations: {
						pagination: linkOperation({ body: newChannelBody, results: createdRecord }),
					},
				},
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a channel',
				description: 'Delete a channel for good; its items stay, without a channel',
				routing: {
					request: { method: 'DELETE', url: '/api/channel/:channelId/delete' },
					operations: { pagination: linkOperation({ results: deleted }) },
				},
			},
			{
				name: 'Get Items',
				value: 'getItems',
				action: 'Get the items of a channel',
				description: 'List the links, bio pages and QR codes of a channel',
				routing: {
					request: { method: 'GET', url: '/api/channel/:channelId' },
					operations: { pagination: linkList('items', record) },
				},
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many channels',
				description: 'List the channels of the account',
				routing: {
					request: { method: 'GET', url: '/api/channels' },
					operations: { pagination: linkList('channels', record) },
				},
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update a channel',
				description: 'Change a channel; fields that are not added stay as they are',
				routing: {
					request: { method: 'PUT', url: '/api/channel/:channelId/update' },
					operations: { pagination: linkOperation({ body: changedChannelBody, results: done }) },
				},
			},
		],
		'getAll',
	),
	...channelAssignItemFields,
	...channelCreateFields,
	...channelDeleteFields,
	...channelGetAllFields,
	...channelGetItemsFields,
	...channelUpdateFields,
];
