import type { INodeProperties } from 'n8n-workflow';

import { inBody } from '../../../shared/operations/sentFields';
import { flag, line } from '../../../shared/values/input';
import { textField } from '../../fields';

/** What create and update have in common. */
export const campaignFields: readonly INodeProperties[] = [
	{
		displayName: 'Public',
		name: 'public',
		type: 'boolean',
		default: true,
		description: 'Whether everyone can see the list of the links in the campaign',
		routing: inBody('public', flag),
	},
	{
		...textField('Slug', 'slug', 'spring'),
		description:
			'The last part of the rotator address, which leads to one of the links of the campaign',
		routing: inBody('slug', line, ''),
	},
];
