import type { Operation } from '../../../shared/operations/operation';
import { assignedLinkLocator, campaignLocator } from '../../locators';
import { includeInputFieldsAlone } from '../../fields';
import { linkOperation, updateResult } from '../../results';

export const campaignAssignLink: Operation = {
	name: 'Assign Link',
	value: 'assignLink',
	action: 'Assign link to campaign',
	description: 'Add a short link to a campaign, and return both IDs',
	request: { method: 'POST', url: '/api/campaign/:campaignId/assign/:assignedLinkId' },
	pagination: linkOperation({
		results(body, { ids: { campaignId = 0, assignedLinkId: linkId = 0 }, ...request }, context) {
			return updateResult(body, { ...request, ids: { campaignId, linkId } }, context);
		},
	}),
	fields: [campaignLocator, assignedLinkLocator, includeInputFieldsAlone],
};
