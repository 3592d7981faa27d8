import type { Operation } from '../../../shared/operations/operation';
import { channelItemLocator, channelLocator } from '../../locators';
import { includeInputFieldsAlone } from '../../fields';
import { linkOperation, updateResult } from '../../results';

export const channelAssignItem: Operation = {
	name: 'Assign Item',
	value: 'assignItem',
	action: 'Assign item to channel',
	description: 'Add a link, bio page or QR code to a channel, and return both IDs',
	request: { method: 'POST', url: '/api/channel/:channelId/assign/:itemType/:itemId' },
	pagination: linkOperation({
		results: (body, request, form) =>
			updateResult({ itemType: String(form.parameter('itemType')), ...body }, request, form),
	}),
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
