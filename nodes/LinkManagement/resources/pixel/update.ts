import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inBody, shownFor } from '../../../shared/fields';
import { requiredText } from '../../../shared/values';
import { pixelLocator } from '../../locators';
import { tagField } from './fields';

const show = { resource: 'pixel', operations: ['update'] };

export const pixelUpdateFields: INodeProperties[] = [
	pixelLocator(show),
	tagField(show),
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: shownFor(show),
		options: [
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Spring campaign',
				description: 'The new name of the pixel',
				routing: inBody('name'),
			},
		],
	},
];

export function changedPixelBody(body: IDataObject): IDataObject {
	return { ...body, tag: requiredText('Tag', body.tag) };
}
