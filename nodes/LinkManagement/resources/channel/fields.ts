import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inBody } from '../../../shared/operations/fields';
import { hexColor } from '../../../shared/values/color';
import { flag } from '../../../shared/values/text';

/** What create and update have in common. */
export const channelFields: readonly INodeProperties[] = [
	{
		displayName: 'Color',
		name: 'color',
		type: 'color',
		default: '',
		description: 'The color of the badge',
		routing: inBody('color'),
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. All links of the spring newsletter',
		description: 'A text about the channel',
		routing: inBody('description'),
	},
	{
		displayName: 'Starred',
		name: 'starred',
		type: 'boolean',
		default: false,
		description: 'Whether the channel stands at the top of the list',
		routing: inBody('starred'),
	},
];

/** The body of a channel's create or update, with its colour and its star checked. */
export function channelBody(body: IDataObject): IDataObject {
	return {
		...body,
		...('color' in body ? { color: hexColor('Color', body.color) } : {}),
		...('starred' in body ? { starred: flag('Starred', body.starred) } : {}),
	};
}
