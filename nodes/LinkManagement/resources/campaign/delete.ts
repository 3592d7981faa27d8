import type { Operation } from '../../../shared/operations/nodeProperties';
import { campaignLocator } from '../../locators';
import { deleteResult, linkOperation } from '../../results';

export const campaignDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete campaign',
	description: 'Permanently delete a campaign',
	request: { method: 'DELETE', url: '/api/campaign/:campaignId/delete' },
	pagination: linkOperation({ results: deleteResult }),
	fields: [campaignLocator],
};
