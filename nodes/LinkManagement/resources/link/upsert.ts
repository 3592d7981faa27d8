import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Send } from '../../../shared/http/request';
import type { RecordIndex } from '../../../shared/lists/recordIndex';
import { additionalFields } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import type { ItemContext, ItemRequest } from '../../../shared/operations/itemContext';
import type { Failure } from '../../../shared/values/failure';
import { failureOf } from '../../../shared/values/failure';
import { idIn, textIn } from '../../../shared/values/json';
import { requiredText, withoutTrailingSlashes } from '../../../shared/values/text';
import { links, linksByLongUrl } from '../../lists';
import { linkRecord } from '../../records';
import { linkOperation, requireId } from '../../results';
import { newLinkBody } from './body';
import {
	customAliasField,
	linkLabels,
	newLinkFields,
	newLinkOptions,
	newLinkRedirect,
	newLinkUrl,
} from './fields';
import { writtenLink } from './result';

const { routing: _routing, ...aliasField } = customAliasField;

const fields: readonly INodeProperties[] = [
	newLinkUrl,
	{
		displayName: 'Match By',
		name: 'matchBy',
		type: 'options',
		options: [
			{
				name: 'Custom Alias',
				value: 'alias',
				description: 'The link that has this alias, on the domain below if one is given',
			},
			{ name: 'Long URL', value: 'longUrl', description: 'The oldest link that leads to this URL' },
		],
		default: 'alias',
		description: 'How to find the link that may exist already',
	},
	{ ...aliasField, required: true, displayOptions: { show: { matchBy: ['alias'] } } },
	{
		displayName: 'If Link Exists',
		name: 'ifExists',
		type: 'options',
		options: [
			{ name: 'Keep It', value: 'keep', description: 'Output it as it is' },
			{ name: 'Update It', value: 'update', description: 'Set what has a value below' },
		],
		default: 'update',
		description: 'What to do with a link that exists already',
	},
	...newLinkRedirect,
	additionalFields(
		newLinkFields.map((field) =>
			field === customAliasField
				? { ...field, displayOptions: { show: { '/matchBy': ['longUrl'] } } }
				: field,
		),
	),
	newLinkOptions,
];

export const linkUpsert: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update short link',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	request: { method: 'POST', url: '/api/url/add' },
	pagination: linkOperation({
		labels: { ...linkLabels, custom: customAliasField.displayName },
		body: upsertBody,
		perform: upsertLink,
		results: () => [],
	}),
	fields,
};

const isByAlias = ({ read }: ItemContext): boolean => read('matchBy') !== 'longUrl';

function upsertBody(body: IDataObject, context: ItemContext): IDataObject {
	const alias = isByAlias(context)
		? { custom: requiredText(customAliasField.displayName, context.read('customAlias')) }
		: {};
	return newLinkBody({ ...body, ...alias }, context);
}

/** Finds the link, then writes. Earlier rows of the run are written already, so the links that they made are found, too. */
async function upsertLink(
	request: ItemRequest,
	_sendRead: Send,
	context: ItemContext,
): Promise<IDataObject[]> {
	const index = context.indexOf(isByAlias(context) ? links : linksByLongUrl);
	const name = nameOf(request.body, context);
	const found = isByAlias(context)
		? await index.find(name, !index.isUnique(name))
		: (await index.all(name, true))[0];

	if (found && context.read('ifExists') === 'keep') return [{ ...shown(found), created: false }];
	const written = await context.step('write', async (send) =>
		found ? await update(found, request, send) : await create(request, send, index, name),
	);
	index.put(written);
	return [{ ...written, created: found === undefined }];
}

/** The name by which the link is looked up: the long URL, the alias, or with a domain the short URL. */
function nameOf({ custom, domain, url }: IDataObject, context: ItemContext): string {
	if (!isByAlias(context)) return textIn(url) ?? '';
	const alias = textIn(custom) ?? '';
	const base = textIn(domain);
	// Encoded, because a question mark in it would end the path, and another link would be found.
	return base === undefined ? alias : `${withoutTrailingSlashes(base)}/${encodeURIComponent(alias)}`;
}

/** A link of the list in the shape of a written one. */
function shown(record: IDataObject): IDataObject {
	const { id, shorturl, longurl, alias } = linkRecord(record);
	return { id, shorturl, longurl, alias };
}

/** Sent again after a lost response, which does no harm. An alias that the link has already is not sent: it may be refused. */
async function update(found: IDataObject, request: ItemRequest, send: Send): Promise<IDataObject> {
	const { custom, ...others } = request.body;
	const isSameAlias = links.names(found).some((name) => name === custom);
	const body = isSameAlias ? others : request.body;
	const id = idIn(found.id);
	const path = `/api/url/${id}/update`;
	const sent: ItemRequest = { ...request, method: 'PUT', path, body };
	const { body: answer } = await send(sent).catch(async (error: unknown) => {
		if (isLost(error)) return await send(sent);
		throw error;
	});
	return { ...shown(found), ...writtenLink(answer, sent, id) };
}

/**
 * A create whose response was lost may have made the link. So the link is looked for before the create is sent once more,
 * and also if that fails, because the first one may have arrived late.
 */
async function create(
	request: ItemRequest,
	send: Send,
	index: RecordIndex,
	name: string,
): Promise<IDataObject> {
	const once = async (): Promise<IDataObject> => {
		const { body } = await send(request);
		return writtenLink(body, request, requireId(body));
	};
	const lookAgain = async (): Promise<IDataObject | undefined> => {
		const found = await index.again(name);
		return found && shown(found);
	};
	try {
		return await once();
	} catch (error) {
		if (!isLost(error)) throw failureOf(error);
	}
	const found = await lookAgain();
	if (found) return found;
	try {
		return await once();
	} catch (error) {
		const late = await lookAgain();
		if (late) return late;
		throw repeatable(failureOf(error));
	}
}

const isLost = (error: unknown): boolean => failureOf(error).outcomeUnknown;

/** The failure of a create, with other advice if its outcome is unknown: the next run finds out. */
const repeatable = (failure: Failure): Failure =>
	failure.outcomeUnknown
		? failure.with({
				outcomeUnknown: false,
				advice: 'Run it again: a link that was created is found, not created twice',
			})
		: failure;
