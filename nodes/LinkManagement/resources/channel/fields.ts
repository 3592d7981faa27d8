import type { INodeProperties } from 'n8n-workflow';

import { inBody } from '../../../shared/operations/sentFields';
import { flag, text } from '../../../shared/values/input';
import { textField } from '../../fields';
import { hexColor } from '../../values/color';

/** What create and update have in common. */
export const channelFields: readonly INodeProperties[] = [
	{
		displayName: 'Color',
		name: 'color',
		type: 'color',
		default: '',
		description: 'The color of the badge',
		routing: inBody('color', hexColor),
	},
	{
		...textField('Description', 'description', 'All links of the spring newsletter'),
		typeOptions: { rows: 2 },
		description: 'What the channel is for',
		routing: inBody('description', text, ''),
	},
	{
		displayName: 'Starred',
		name: 'starred',
		type: 'boolean',
		default: true,
		description: 'Whether to show the channel at the top of the list',
		routing: inBody('starred', flag),
	},
];
