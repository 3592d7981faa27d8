import type { Operation } from '../../../shared/operations/operation';
import { inBody } from '../../../shared/operations/sentFields';
import { textField, updateFields } from '../../fields';
import { channelLocator } from '../../locators';
import { linkOperation, updateResult } from '../../results';
import { channelFields } from './fields';

export const channelUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update channel',
	description: 'Change the fields of a channel that have a value, and return its ID',
	request: { method: 'PUT', url: '/api/channel/:channelId/update' },
	pagination: linkOperation({ results: updateResult }),
	fields: [
		channelLocator,
		updateFields([
			...channelFields,
			{
				...textField('Name', 'name', 'Newsletter'),
				description: 'The new name of the channel',
				routing: inBody('name'),
			},
		]),
	],
};
