import { additionalFields, inBody } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { campaignRecord } from '../../records';
import { linkOperation } from '../../results';
import { campaignBody, campaignFields } from './fields';

export const campaignCreate: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create a campaign',
	description: 'Create a campaign to group short links',
	request: { method: 'POST', url: '/api/campaign/add' },
	pagination: linkOperation({
		body: campaignBody,
		results: (body) => [campaignRecord(body)],
	}),
	fields: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. Spring Sale',
			description: 'The name of the campaign; the service chooses one if it is empty',
			routing: inBody('name'),
		},
		additionalFields(campaignFields),
	],
};
