import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../../shared/fields';
import { channelItemLocator, channelLocator } from '../../locators';

const show = { resource: 'channel', operations: ['assignItem'] };

/** What a channel can hold (document: "Channel", the assign operation). */
export const ITEM_TYPES = ['links', 'bio', 'qr'] as const;

export const channelAssignItemFields: INodeProperties[] = [
	channelLocator(show),
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
		description: 'What to add to the channel',
		displayOptions: shownFor(show),
	},
	channelItemLocator(show),
];
