import type { Operation } from '../../../shared/resources';
import { channelLocator } from '../../locators';
import { deleted, linkOperation } from '../../service';

export const channelDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete a channel',
	description: 'Delete a channel for good; its items stay, without a channel',
	request: { method: 'DELETE', url: '/api/channel/:channelId/delete' },
	pagination: linkOperation({ results: deleted }),
	fields: [channelLocator],
};
