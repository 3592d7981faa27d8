import type { IDataObject } from 'n8n-workflow';

import { inBody, updateFields } from '../../../shared/operations/fields';
import type { ItemRequest } from '../../../shared/operations/operation';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { requiredText } from '../../../shared/values/text';
import { campaignLocator } from '../../locators';
import { campaignRecord } from '../../records';
import { linkOperation } from '../../results';
import { campaignBody, campaignFields } from './fields';

export const campaignUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update a campaign',
	description: 'Change a campaign; fields that are not added stay as they are',
	request: { method: 'PUT', url: '/api/campaign/:campaignId/update' },
	pagination: linkOperation({ body: changedCampaignBody, results: updatedCampaign }),
	fields: [
		campaignLocator,
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Spring Sale',
			description: 'The name of the campaign; the API requires it on every update',
			routing: inBody('name'),
		},
		updateFields(campaignFields),
	],
};

function changedCampaignBody(body: IDataObject): IDataObject {
	return { ...campaignBody(body), name: requiredText('Name', body.name) };
}

/** The only update that answers with the record. */
function updatedCampaign(body: IDataObject, { ids }: ItemRequest): IDataObject[] {
	return [{ success: true, ...campaignRecord({ id: ids.campaignId, ...body }) }];
}
