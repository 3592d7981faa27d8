import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inBody, shownFor } from '../../../shared/fields';
import type { OperationPlan } from '../../../shared/operation';
import { requiredText } from '../../../shared/values';
import { campaignLocator } from '../../locators';
import { campaignRecord } from '../../service';
import { campaignBody, campaignFields } from './fields';

const show = { resource: 'campaign', operations: ['update'] };

export const campaignUpdateFields: INodeProperties[] = [
	campaignLocator(show),
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Spring Sale',
		description: 'The name of the campaign; the API requires it on every update',
		displayOptions: shownFor(show),
		routing: inBody('name'),
	},
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: shownFor(show),
		options: campaignFields,
	},
];

export function changedCampaignBody(body: IDataObject): IDataObject {
	return { ...campaignBody(body), name: requiredText('Name', body.name) };
}

/** The only update that answers with the record. */
export const updatedCampaign: OperationPlan['results'] = (body, { ids }) => [
	{ success: true, ...campaignRecord({ id: ids.campaignId, ...body }) },
];
