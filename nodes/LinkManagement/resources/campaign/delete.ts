import type { Operation } from '../../../shared/operations/operation';
import { campaignLocator } from '../../locators';
import { deletion } from '../../results';

export const campaignDelete: Operation = {
	...deletion('/api/campaign/:campaignId/delete', campaignLocator),
	action: 'Delete campaign',
	description: 'Permanently delete a campaign, but not its links, and return its ID',
};
