import type { Operation } from '../../../shared/operations/operation';
import { inBody } from '../../../shared/operations/sentFields';
import { additionalFields, textField } from '../../fields';
import { createdRecord, linkOperation } from '../../results';
import { tagField } from './fields';

export const pixelCreate: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create pixel',
	description: 'Add a tracking pixel, and return its ID',
	request: { method: 'POST', url: '/api/pixel/add' },
	pagination: linkOperation({ results: createdRecord }),
	fields: [
		{
			displayName: 'Pixel Type',
			name: 'pixelType',
			type: 'options',
			options: [
				{ name: 'Ads', value: 'adspixel' },
				{ name: 'Analytics', value: 'analyticspixel' },
				{ name: 'Forum', value: 'forum' },
				{ name: 'Messaging', value: 'messaging' },
				{ name: 'Microblog', value: 'microblogpixel' },
				{ name: 'Pinboard', value: 'pinboard' },
				{ name: 'Professional Network', value: 'professionalnetworkpixel' },
				{ name: 'Questions and Answers', value: 'qapixel' },
				{ name: 'Retargeting', value: 'retargetingpixel' },
				{ name: 'Search Engine', value: 'searchengine' },
				{ name: 'Short Video', value: 'shortvideo' },
				{ name: 'Social Network', value: 'socialapixel' },
				{ name: 'Tag Manager', value: 'tagmanagerpixel' },
			],
			default: 'tagmanagerpixel',
			description: 'The kind of provider that the pixel reports to',
			routing: inBody('type'),
		},
		{
			...textField('Name', 'pixelName', 'Spring campaign'),
			required: true,
			description: 'The name of the pixel',
			routing: inBody('name'),
		},
		tagField,
		additionalFields([]),
	],
};
