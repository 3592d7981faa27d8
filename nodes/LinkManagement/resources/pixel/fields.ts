import type { INodeProperties } from 'n8n-workflow';

import { inBody } from '../../../shared/operations/fields';

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
