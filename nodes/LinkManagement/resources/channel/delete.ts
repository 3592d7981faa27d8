import type { Operation } from '../../../shared/operations/operation';
import { channelLocator } from '../../locators';
import { deletion } from '../../results';

export const channelDelete: Operation = {
	...deletion('/api/channel/:channelId/delete', channelLocator),
	action: 'Delete channel',
	description: 'Permanently delete a channel, but not its items, and return its ID',
};
