import type { IDataObject } from 'n8n-workflow';

import { inBody, updateFields } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { requiredText } from '../../../shared/values/text';
import { pixelLocator } from '../../locators';
import { linkOperation, updateResult } from '../../results';
import { tagField } from './fields';

export const pixelUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update a pixel',
	description: 'Change the tag or the name of a tracking pixel',
	request: { method: 'PUT', url: '/api/pixel/:pixelId/update' },
	pagination: linkOperation({ body: changedPixelBody, results: updateResult }),
	fields: [
		pixelLocator,
		tagField,
		updateFields([
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Spring campaign',
				description: 'The new name of the pixel',
				routing: inBody('name'),
			},
		]),
	],
};

function changedPixelBody(body: IDataObject): IDataObject {
	return { ...body, tag: requiredText('Tag', body.tag) };
}
