import type { IDataObject } from 'n8n-workflow';

import { additionalFields, inBody } from '../../../shared/operations/fields';
import type { ItemContext } from '../../../shared/operations/operation';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { requiredWebAddress } from '../../../shared/values/text';
import { linkOperation, requireId } from '../../results';
import { linkBody } from './body';
import { linkFields } from './fields';

export const linkCreate: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create a short link',
	description: 'Shorten a long URL',
	request: { method: 'POST', url: '/api/url/add' },
	pagination: linkOperation({ body: newLinkBody, results: createdLink }),
	fields: [
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://www.example.com/spring-sale',
			description: 'The long URL to shorten',
			routing: inBody('url'),
		},
		additionalFields(linkFields),
	],
};

function newLinkBody(body: IDataObject, context: ItemContext): IDataObject {
	const url = requiredWebAddress('URL', body.url);
	return { ...linkBody(body, 'additionalFields', context), url };
}

function createdLink(body: IDataObject): IDataObject[] {
	return [{ id: requireId(body), shorturl: body.shorturl ?? body.short }];
}
