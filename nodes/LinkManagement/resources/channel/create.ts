import type { IDataObject } from 'n8n-workflow';

import { additionalFields, inBody } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { requiredText } from '../../../shared/values/text';
import { createdRecord, linkOperation } from '../../results';
import { channelBody, channelFields } from './fields';

export const channelCreate: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create a channel',
	description: 'Create a channel to group links, bio pages and QR codes',
	request: { method: 'POST', url: '/api/channel/add' },
	pagination: linkOperation({ body: newChannelBody, results: createdRecord }),
	fields: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Newsletter',
			description: 'The name of the channel',
			routing: inBody('name'),
		},
		additionalFields(channelFields),
	],
};

function newChannelBody(body: IDataObject): IDataObject {
	return { ...channelBody(body), name: requiredText('Name', body.name) };
}
