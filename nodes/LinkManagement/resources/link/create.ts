import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inBody, shownFor } from '../../../shared/fields';
import type { ItemContext, OperationPlan } from '../../../shared/operation';
import { requiredWebAddress } from '../../../shared/values';
import { promisedId } from '../../service';
import { linkBody } from './body';
import { linkFields } from './fields';

const show = { resource: 'link', operations: ['create'] };

export const linkCreateFields: INodeProperties[] = [
	{
		displayName: 'URL',
		name: 'url',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://www.example.com/spring-sale',
		description: 'The long URL to shorten',
		displayOptions: shownFor(show),
		routing: inBody('url'),
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: shownFor(show),
		options: linkFields(),
	},
];

export function newLinkBody(body: IDataObject, context: ItemContext): IDataObject {
	const url = requiredWebAddress('URL', body.url);
	return { ...linkBody(body, 'additionalFields', context), url };
}

export const created: OperationPlan['results'] = (body) => [
	{ id: promisedId(body), shorturl: body.shorturl ?? body.short },
];
