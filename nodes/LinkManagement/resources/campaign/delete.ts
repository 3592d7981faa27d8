import type { Operation } from '../../../shared/resources';
import { campaignLocator } from '../../locators';
import { deleted, linkOperation } from '../../service';

export const campaignDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete a campaign',
	description: 'Delete a campaign for good',
	request: { method: 'DELETE', url: '/api/campaign/:campaignId/delete' },
	pagination: linkOperation({ results: deleted }),
	fields: [campaignLocator],
};
