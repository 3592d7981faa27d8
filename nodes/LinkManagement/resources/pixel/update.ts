import type { Operation } from '../../../shared/operations/operation';
import { inBody } from '../../../shared/operations/sentFields';
import { textField, updateFields } from '../../fields';
import { pixelLocator } from '../../locators';
import { linkOperation, updateResult } from '../../results';
import { tagField } from './fields';

export const pixelUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update pixel',
	description: 'Change the tag or name of a tracking pixel, and return its ID',
	request: { method: 'PUT', url: '/api/pixel/:pixelId/update' },
	pagination: linkOperation({ results: updateResult }),
	fields: [
		pixelLocator,
		tagField,
		updateFields([
			{
				...textField('Name', 'name', 'Spring campaign'),
				description: 'The new name of the pixel',
				routing: inBody('name'),
			},
		]),
	],
};
