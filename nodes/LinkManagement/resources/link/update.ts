// *Update*: sends what changes, with the long URL that the API requires.

import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../../../shared/http/connection';
import { optionsField } from '../../../shared/operations/panelFields';
import type {
	Operation,
	RowRequest,
	RowContext,
	RowResult,
} from '../../../shared/operations/operation';
import { requireRecord } from '../../../shared/values/json';
import { updateFields } from '../../resourceFields';
import { linkPath, links } from '../../serviceLists';
import { linkLocator } from '../../locators';
import { withDomain, withTags } from './body';
import { changedLinkFields, utmFormatOption } from './linkFields';
import { writtenLink } from './writtenLink';

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update short link',
	description: 'Change the fields of a short link that have a value, and return its short URL',
	request: { method: 'PUT', url: '/api/url/:linkId/update' },
	body: withTags,
	prepare: () => updateLink,
	fields: [linkLocator, updateFields(changedLinkFields), optionsField([utmFormatOption])],
};

/** The API requires the long URL on every update, so without a new one the present one is read and sent. */
async function updateLink(request: RowRequest, row: RowContext): Promise<RowResult[]> {
	const { linkId = 0 } = request.ids;
	const { url } = request.body;
	const known = url ? row.list(links).get(linkId) : await presentLink(linkId, row.send);
	const tagged = withTags({ ...request.body, url: url ?? known?.longurl });
	const body = await withDomain(tagged, row);
	const response = await row.send({ ...request, body });
	return [{ json: writtenLink(response.body, body, { ...known, id: linkId }) }];
}

async function presentLink(linkId: number, send: Send): Promise<IDataObject> {
	const { body } = await send({ method: 'GET', path: linkPath(linkId) });
	return requireRecord(body, 'details');
}
