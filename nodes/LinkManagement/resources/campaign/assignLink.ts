import type { Operation } from '../../../shared/resources';
import { campaignLocator, linkLocator } from '../../locators';
import { done, linkOperation } from '../../service';

export const campaignAssignLink: Operation = {
	name: 'Assign Link',
	value: 'assignLink',
	action: 'Assign a link to a campaign',
	description: 'Add a short link to a campaign',
	request: { method: 'POST', url: '/api/campaign/:campaignId/assign/:linkId' },
	pagination: linkOperation({ results: done }),
	fields: [campaignLocator, linkLocator],
};
