import type { Operation } from '../../../shared/operations/nodeProperties';
import { channelLocator } from '../../locators';
import { deleteResult, linkOperation } from '../../results';

export const channelDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete channel',
	description: 'Permanently delete a channel, but not its items',
	request: { method: 'DELETE', url: '/api/channel/:channelId/delete' },
	pagination: linkOperation({ results: deleteResult }),
	fields: [channelLocator],
};
