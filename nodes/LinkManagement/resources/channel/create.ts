import type { Operation } from '../../../shared/operations/operation';
import { inBody } from '../../../shared/operations/sentFields';
import { additionalFields, textField } from '../../fields';
import { createdRecord, linkOperation } from '../../results';
import { channelFields } from './fields';

export const channelCreate: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create channel',
	description: 'Create a channel for links, bio pages and QR codes, and return its ID',
	request: { method: 'POST', url: '/api/channel/add' },
	pagination: linkOperation({ results: createdRecord }),
	fields: [
		{
			...textField('Name', 'channelName', 'Newsletter'),
			required: true,
			description: 'The name of the channel',
			routing: inBody('name'),
		},
		additionalFields(channelFields),
	],
};
