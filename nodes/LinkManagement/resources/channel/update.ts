import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inBody, shownFor } from '../../../shared/fields';
import { changes } from '../../../shared/values';
import { channelLocator } from '../../locators';
import { channelBody, channelFields } from './fields';

const show = { resource: 'channel', operations: ['update'] };

export const channelUpdateFields: INodeProperties[] = [
	channelLocator(show),
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: shownFor(show),
		options: [
			...channelFields,
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Newsletter',
				description: 'The new name of the channel',
				routing: inBody('name'),
			},
		],
	},
];

export function changedChannelBody(body: IDataObject): IDataObject {
	return channelBody(changes(body));
}
