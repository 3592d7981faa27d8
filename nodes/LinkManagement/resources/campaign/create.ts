import type { INodeProperties } from 'n8n-workflow';

import { inBody, shownFor } from '../../../shared/fields';
import { campaignFields } from './fields';

const show = { resource: 'campaign', operations: ['create'] };

export const campaignCreateFields: INodeProperties[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. Spring Sale',
		description: 'The name of the campaign; the service chooses one if it is empty',
		displayOptions: shownFor(show),
		routing: inBody('name'),
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: shownFor(show),
		options: campaignFields,
	},
];
