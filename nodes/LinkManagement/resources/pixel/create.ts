import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inBody, shownFor } from '../../../shared/fields';
import { requiredText } from '../../../shared/values';
import { tagField } from './fields';

const show = { resource: 'pixel', operations: ['create'] };

export const pixelCreateFields: INodeProperties[] = [
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
		displayOptions: shownFor(show),
		routing: inBody('type'),
	},
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Spring campaign',
		description: 'The name of the pixel',
		displayOptions: shownFor(show),
		routing: inBody('name'),
	},
	tagField(show),
];

export function newPixelBody(body: IDataObject): IDataObject {
	return { ...body, name: requiredText('Name', body.name), tag: requiredText('Tag', body.tag) };
}
