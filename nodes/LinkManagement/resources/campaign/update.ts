import type { Operation } from '../../../shared/operations/operation';
import { inBody } from '../../../shared/operations/sentFields';
import { textField, updateFields } from '../../fields';
import { campaignLocator } from '../../locators';
import { campaignRecord } from '../../records';
import { linkOperation, membersOf } from '../../results';
import { campaignFields } from './fields';

export const campaignUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update campaign',
	description: 'Change the fields of a campaign that have a value, and return its ID',
	request: { method: 'PUT', url: '/api/campaign/:campaignId/update' },
	pagination: linkOperation({
		// This is the only update whose response has the record.
		results: (body, { ids }) => [
			{ success: true, ...campaignRecord({ id: ids.campaignId, ...membersOf(body) }) },
		],
	}),
	fields: [
		campaignLocator,
		{
			...textField('Name', 'campaignName', 'Spring Sale'),
			required: true,
			description: 'The name of the campaign; the API requires it on every update',
			routing: inBody('name'),
		},
		updateFields(campaignFields),
	],
};
