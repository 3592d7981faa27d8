import type { IDataObject } from 'n8n-workflow';

import { inBody, updateFields } from '../../../shared/operations/fields';
import { idIn } from '../../../shared/values/json';
import type { ItemContext, ItemRequest, Send } from '../../../shared/operations/operation';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { requireChanges, requiredWebAddress } from '../../../shared/values/text';
import { linkLocator } from '../../locators';
import { requireRecord } from '../../../shared/http/response';
import { linkOperation } from '../../results';
import { linkBody } from './body';
import { linkFields } from './fields';

export const linkUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update a short link',
	description: 'Change a short link; fields that are not added stay as they are',
	request: { method: 'PUT', url: '/api/url/:linkId/update' },
	pagination: linkOperation({
		body: changedLinkBody,
		perform: updateLink,
		results: updatedLink,
	}),
	fields: [
		linkLocator,
		updateFields([
			...linkFields,
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
		]),
	],
};

function changedLinkBody(body: IDataObject, context: ItemContext): IDataObject {
	const changed = linkBody(requireChanges(body), 'updateFields', context);
	return 'url' in changed ? { ...changed, url: requiredWebAddress('URL', changed.url) } : changed;
}

/** The API requires the long URL on every update: without a new one, the present one is read and sent again. */
async function updateLink(request: ItemRequest, send: Send): Promise<IDataObject[]> {
	const { path, body } = request;
	const url = 'url' in body ? body.url : await presentLongUrl(path.replace(/\/update$/, ''), send);
	const response = await send({ ...request, body: { ...body, url } });
	return updatedLink(response.body, request);
}

async function presentLongUrl(path: string, send: Send): Promise<IDataObject[string]> {
	const { body } = await send({ method: 'GET', path });
	return requireRecord(body, 'details').longurl;
}

/** The answer calls the short URL `short`. */
function updatedLink(body: IDataObject, { ids }: ItemRequest): IDataObject[] {
	return [{ id: idIn(body.id) ?? ids.linkId, shorturl: body.short ?? body.shorturl }];
}
