import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inBody, shownFor } from '../../../shared/fields';
import { requiredText } from '../../../shared/values';
import { channelBody, channelFields } from './fields';

const show = { resource: 'channel', operations: ['create'] };

export const channelCreateFields: INodeProperties[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Newsletter',
		description: 'The name of the channel',
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
		options: channelFields,
	},
];

export function newChannelBody(body: IDataObject): IDataObject {
	return { ...channelBody(body), name: requiredText('Name', body.name) };
}
