import type { INodeProperties } from 'n8n-workflow';

import { inBody } from '../../../shared/operations/sentFields';
import { textField } from '../../fields';

/** The tag, which the API requires on create and on update. */
export const tagField: INodeProperties = {
	...textField('Tag', 'tag', 'GTM-ABC1234'),
	required: true,
	description: 'The tracking tag that the provider of the pixel gave you',
	routing: inBody('tag'),
};

/** An example of a tag for the types whose tags are no numbers. */
const TAGS: Readonly<Record<string, string>> = {
	tagmanagerpixel: 'GTM-ABC1234',
	analyticspixel: 'G-ABC123DEF4',
	adspixel: 'AW-123456789',
};

/** The tag of a new pixel, with an example that fits the type chosen before. */
export const newTagFields: readonly INodeProperties[] = [
	...Object.entries(TAGS).map(([type, example]) => ({
		...tagField,
		placeholder: `e.g. ${example}`,
		displayOptions: { show: { pixelType: [type] } },
	})),
	{
		...tagField,
		placeholder: 'e.g. 1234567890123456',
		displayOptions: { hide: { pixelType: Object.keys(TAGS) } },
	},
];
