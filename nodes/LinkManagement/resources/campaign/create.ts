import type { Operation } from '../../../shared/operations/operation';
import { inBody } from '../../../shared/operations/sentFields';
import { additionalFields, textField } from '../../fields';
import { campaignRecord } from '../../records';
import { linkOperation, membersOf, requireId } from '../../results';
import { campaignFields } from './fields';

export const campaignCreate: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create campaign',
	description: 'Create a campaign to group short links, and return its ID',
	request: { method: 'POST', url: '/api/campaign/add' },
	pagination: linkOperation({
		results: (body) => [campaignRecord({ ...membersOf(body), id: requireId(body) })],
	}),
	fields: [
		{
			...textField('Name', 'campaignName', 'Spring Sale'),
			description: 'The name of the campaign; the service chooses one if it is empty',
			routing: inBody('name'),
		},
		additionalFields(campaignFields),
	],
};
