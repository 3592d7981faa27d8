import type { INodeProperties } from 'n8n-workflow';

import { inBody } from '../../../shared/operations/sentFields';

/** The tag, which the API requires on create and on update. */
export const tagField: INodeProperties = {
	displayName: 'Tag',
	name: 'tag',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. GTM-ABC1234',
	description: 'The tracking tag that the provider of the pixel gave you',
	routing: inBody('tag'),
};

/** An example of a tag for each type. */
const TAGS: Readonly<Record<string, readonly string[]>> = {
	'GTM-ABC1234': ['tagmanagerpixel'],
	'G-ABC123DEF4': ['analyticspixel'],
	'AW-123456789': ['adspixel'],
	'1234567890123456': [
		'forum',
		'messaging',
		'microblogpixel',
		'pinboard',
		'professionalnetworkpixel',
		'qapixel',
		'retargetingpixel',
		'searchengine',
		'shortvideo',
		'socialapixel',
	],
};

/** The tag of a new pixel, with an example that fits the type chosen before. */
export const newTagFields: readonly INodeProperties[] = Object.entries(TAGS).map(
	([example, types]) => ({
		...tagField,
		placeholder: `e.g. ${example}`,
		displayOptions: { show: { pixelType: [...types] } },
	}),
);
