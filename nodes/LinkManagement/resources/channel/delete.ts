import type { Operation } from '../../../shared/operations/nodeProperties';
import { channelLocator } from '../../locators';
import { deleteResult, linkOperation } from '../../results';

export const channelDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete channel',
	description: 'Delete a channel for good; its items stay, without a channel',
	request: { method: 'DELETE', url: '/api/channel/:channelId/delete' },
	pagination: linkOperation({ results: deleteResult }),
	fields: [channelLocator],
};
