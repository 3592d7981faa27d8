import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inBody, shownFor } from '../../../shared/fields';
import { idIn } from '../../../shared/json';
import type { Ask, ItemContext, ItemRequest, OperationPlan } from '../../../shared/operation';
import { changes, requiredWebAddress } from '../../../shared/values';
import { linkLocator } from '../../locators';
import { promisedRecord } from '../../service';
import { linkBody } from './body';
import { linkFields } from './fields';

const show = { resource: 'link', operations: ['update'] };

export const linkUpdateFields: INodeProperties[] = [
	linkLocator(show),
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: shownFor(show),
		options: [
			...linkFields(),
			{
				displayName: 'URL',
				name: 'url',
				type: 'string',
				default: '',
				placeholder: 'e.g. https://www.example.com/summer-sale',
				description:
					'The new long URL. Without it the node reads the present one first, because the API requires it.',
				routing: inBody('url'),
			},
		],
	},
];

export function changedLinkBody(body: IDataObject, context: ItemContext): IDataObject {
	const changed = linkBody(changes(body), 'updateFields', context);
	return 'url' in changed ? { ...changed, url: requiredWebAddress('URL', changed.url) } : changed;
}

/** The API requires the long URL on every update: without a new one, the present one is read and sent again. */
export async function withLongUrl({ path, body }: ItemRequest, ask: Ask): Promise<IDataObject> {
	if ('url' in body) return body;
	const { body: present } = await ask({
		method: 'GET',
		path: path.replace(/\/update$/, ''),
		query: {},
		body: {},
	});
	return { ...body, url: promisedRecord(present, 'details').longurl };
}

/** The answer calls the short URL `short`. */
export const updated: OperationPlan['results'] = (body, { ids }) => [
	{ id: idIn(body.id) ?? ids.linkId, shorturl: body.short ?? body.shorturl },
];
