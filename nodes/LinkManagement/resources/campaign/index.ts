import type { INodeProperties } from 'n8n-workflow';

import { operationField } from '../../../shared/fields';
import { campaignRecord, deleted, done, linkList, linkOperation } from '../../service';
import { campaignAssignLinkFields } from './assignLink';
import { campaignCreateFields } from './create';
import { campaignDeleteFields } from './delete';
import { campaignBody } from './fields';
import { campaignGetAllFields } from './getAll';
import { campaignUpdateFields, changedCampaignBody, updatedCampaign } from './update';

/** Campaigns: groups of short links with a rotator address (document: "Campaign"). */
export const campaign: INodeProperties[] = [
	operationField(
		'campaign',
		[
			{
				name: 'Assign Link',
				value: 'assignLink',
				action: 'Assign a link to a campaign',
				description: 'Add a short link to a campaign',
				routing: {
					request: { method: 'POST', url: '/api/campaign/:campaignId/assign/:linkId' },
					operations: { pagination: linkOperation({ results: done }) },
				},
			},
			{
				name: 'Create',
				value: 'create',
				action: 'Create a campaign',
				description: 'Create a campaign to group short links',
				routing: {
					request: { method: 'POST', url: '/api/campaign/add' },
					operations: {
						pagination: linkOperation({
							body: campaignBody,
							results: (body) => [campaignRecord(body)],
						}),
					},
				},
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a campaign',
				description: 'Delete a campaign for good',
				routing: {
					request: { method: 'DELETE', url: '/api/campaign/:campaignId/delete' },
					operations: { pagination: linkOperation({ results: deleted }) },
				},
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many campaigns',
				description: 'List the campaigns of the account',
				routing: {
					request: { method: 'GET', url: '/api/campaigns' },
					operations: { pagination: linkList('campaigns', campaignRecord) },
				},
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update a campaign',
				description: 'Change a campaign; fields that are not added stay as they are',
				routing: {
					request: { method: 'PUT', url: '/api/campaign/:campaignId/update' },
					operations: {
						pagination: linkOperation({ body: changedCampaignBody, results: updatedCampaign }),
					},
				},
			},
		],
		'create',
	),
	...campaignAssignLinkFields,
	...campaignCreateFields,
	...campaignDeleteFields,
	...campaignGetAllFields,
	...campaignUpdateFields,
];
