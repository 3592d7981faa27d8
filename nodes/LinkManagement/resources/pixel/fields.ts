import type { INodeProperties } from 'n8n-workflow';

import type { Shown } from '../../../shared/fields';
import { inBody, shownFor } from '../../../shared/fields';

/** The tag, which the API requires on create and on update. */
export const tagField = (show: Shown): INodeProperties => ({
	displayName: 'Tag',
	name: 'tag',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. GTM-ABC1234',
	description: 'The tracking tag that the provider of the pixel gave you',
	displayOptions: shownFor(show),
	routing: inBody('tag'),
});
