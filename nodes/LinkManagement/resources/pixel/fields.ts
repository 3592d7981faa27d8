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
