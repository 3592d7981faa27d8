import type { Operation } from '../../../shared/operations/nodeProperties';
import { campaignLocator, linkLocator } from '../../locators';
import { linkOperation, updateResult } from '../../results';

export const campaignAssignLink: Operation = {
	name: 'Assign Link',
	value: 'assignLink',
	action: 'Assign link to campaign',
	description: 'Add a short link to a campaign',
	request: { method: 'POST', url: '/api/campaign/:campaignId/assign/:linkId' },
	pagination: linkOperation({ results: updateResult }),
	fields: [campaignLocator, linkLocator],
};
