import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { updateFields } from '../../../shared/operations/fields';
import type { Send } from '../../../shared/http/request';
import type { Operation } from '../../../shared/operations/nodeProperties';
import type { ItemContext, ItemRequest } from '../../../shared/operations/itemContext';
import { inBody } from '../../../shared/operations/sentFields';
import { Failure } from '../../../shared/values/failure';
import { idIn, requireRecord, textIn } from '../../../shared/values/json';
import { required } from '../../../shared/values/text';
import { linkLocator } from '../../locators';
import { linkOperation } from '../../results';
import { address } from '../../values/address';
import { withoutDoubleTags, withParameters } from './body';
import { changedLinkFields, linkLabels } from './fields';
import { writtenLink } from './result';

const fields: readonly INodeProperties[] = [
	linkLocator,
	updateFields([
		...changedLinkFields,
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://www.example.com/summer-sale',
			description:
				'The new long URL. Without it the node reads the present one first, because the API requires it.',
			routing: inBody('url', required(address)),
		},
	]),
];

export const linkUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update short link',
	description: 'Change a short link; fields that are not added stay as they are',
	request: { method: 'PUT', url: '/api/url/:linkId/update' },
	pagination: linkOperation({
		isUpdate: true,
		labels: linkLabels,
		body: withParameters,
		perform: updateLink,
		results: () => [],
	}),
	fields,
};

/** The API requires the long URL on every update, so without a new one the present one is read and sent. */
async function updateLink(
	request: ItemRequest,
	sendRead: Send,
	{ step }: ItemContext,
): Promise<IDataObject[]> {
	const { path, body, ids } = request;
	const url = body.url ?? (await presentLongUrl(path.replace(/\/update$/, ''), sendRead));
	const sent = { ...request, body: withoutDoubleTags({ ...body, url }) };
	const answer = await step('update', async (send) => (await send(sent)).body);
	return [writtenLink(answer, sent, idIn(answer.id) ?? ids.linkId)];
}

async function presentLongUrl(path: string, send: Send): Promise<string> {
	const { body } = await send({ method: 'GET', path });
	const url = textIn(requireRecord(body, 'details').longurl);
	if (url !== undefined) return url;
	throw new Failure({
		kind: 'unreadable',
		message: 'The details of the link hold no long URL, and the API requires it on every update',
		advice: 'Add the field URL, and enter where the link leads',
	});
}
