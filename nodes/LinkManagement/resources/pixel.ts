// Tracking pixels (document: "Pixel").

import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../shared/operations/operation';
import { inAnyChoice, inBody } from '../../shared/operations/requestFields';
import { parseNumericLine } from '../../shared/values/input';
import { additionalFields, textField, updateFields } from '../resourceFields';
import { getMany } from '../getMany';
import { pixels } from '../serviceLists';
import { pixelLocator } from '../locators';
import { change, creation, deletion } from '../writeResults';

/** The API requires it on create and on update. */
const pixelTagField: INodeProperties = {
	...textField('Tag', 'tag', 'GTM-ABC1234'),
	required: true,
	description: 'The tracking tag that the provider of the pixel gave you',
	routing: inBody('tag', parseNumericLine),
};

export const create: Operation = {
	...creation('/api/pixel/add'),
	action: 'Create pixel',
	description: 'Add a tracking pixel, and return its ID',
	fields: [
		{
			displayName: 'Pixel Type',
			name: 'pixelType',
			type: 'options',
			options: [
				{ name: 'AdRoll', value: 'adrollpixel' },
				{ name: 'Ads', value: 'adspixel' },
				{ name: 'Analytics', value: 'analyticspixel' },
				{ name: 'Bing', value: 'bing' },
				{ name: 'Facebook', value: 'fbpixel' },
				{ name: 'Forum', value: 'forum' },
				{ name: 'Google Ads', value: 'adwordspixel' },
				{ name: 'Google Analytics', value: 'gapixel' },
				{ name: 'Google Tag Manager', value: 'gtmpixel' },
				{ name: 'LinkedIn', value: 'linkedinpixel' },
				{ name: 'Messaging', value: 'messaging' },
				{ name: 'Microblog', value: 'microblogpixel' },
				{ name: 'Pinboard', value: 'pinboard' },
				{ name: 'Pinterest', value: 'pinterest' },
				{ name: 'Professional Network', value: 'professionalnetworkpixel' },
				{ name: 'Questions and Answers', value: 'qapixel' },
				{ name: 'Quora', value: 'quorapixel' },
				{ name: 'Reddit', value: 'reddit' },
				{ name: 'Retargeting', value: 'retargetingpixel' },
				{ name: 'Search Engine', value: 'searchengine' },
				{ name: 'Short Video', value: 'shortvideo' },
				{ name: 'Snapchat', value: 'snapchat' },
				{ name: 'Social Network', value: 'socialapixel' },
				{ name: 'Tag Manager', value: 'tagmanagerpixel' },
				{ name: 'TikTok', value: 'tiktok' },
				{ name: 'X (Twitter)', value: 'twitterpixel' },
			],
			default: 'gtmpixel',
			description:
				'The provider that the pixel reports to. Most services know the vendors; some know the kinds, such as Analytics. An expression may give any other type.',
			routing: inAnyChoice('type'),
		},
		{
			...textField('Name', 'pixelName', 'Spring campaign'),
			required: true,
			description: 'The name of the pixel',
			routing: inBody('name'),
		},
		pixelTagField,
		additionalFields([]),
	],
};

export const remove: Operation = {
	...deletion('/api/pixel/:pixelId/delete', pixelLocator),
	action: 'Delete pixel',
	description: 'Permanently delete a tracking pixel, and return its ID',
};

export const getAll: Operation = {
	...getMany(pixels),
	action: 'Get many pixels',
	description: 'Return the tracking pixels of the account, one item each',
};

export const update: Operation = {
	...change('/api/pixel/:pixelId/update'),
	action: 'Update pixel',
	description: 'Change the tag or name of a tracking pixel, and return its ID',
	fields: [
		pixelLocator,
		pixelTagField,
		updateFields([
			{
				...textField('Name', 'name', 'Spring campaign'),
				description: 'The new name of the pixel',
				routing: inBody('name'),
			},
		]),
	],
};
