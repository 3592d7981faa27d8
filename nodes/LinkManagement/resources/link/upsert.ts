import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../../../shared/http/connection';
import type { RecordIndex } from '../../../shared/lists/recordIndex';
import { optionsField } from '../../../shared/operations/fields';
import type { Form } from '../../../shared/operations/form';
import type { Operation, RowRequest } from '../../../shared/operations/operation';
import type { Row } from '../../../shared/operations/row';
import { type Failure, inputFailure, toFailure } from '../../../shared/values/failure';
import { textIn } from '../../../shared/values/json';
import { parseId } from '../../../shared/values/input';
import { additionalFields } from '../../fields';
import { linkPath, links, linksByAlias, linksByLongUrl } from '../../lists';
import { record } from '../../records';
import { linkOperation } from '../../results';
import { withPage, withTags } from './body';
import { enteredLink, mappedColumns } from './columns';
import {
	addedLinkFields,
	columnsNotice,
	ignoredColumnsOption,
	customAliasField,
	inputFieldsOption,
	mappingModeField,
	newLinkFields,
	utmFormatOption,
} from './fields';
import { findByAlias, findByLongUrl } from './findLink';
import { createQrCode, qrCodeOf } from './ownQrCode';
import { addTo, pickPlaces, placeFields } from './places';
import { createdLink, isAt, leadsTo, writtenLink } from './result';

/** Not written out below, because a lint rule of n8n wants "a record" there. */
const DESCRIPTION =
	'Create a link, or update it if it already exists (upsert), and return it with what happened to it';

export const linkUpsert: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update short link',
	description: DESCRIPTION,
	request: { method: 'POST', url: '/api/url/add' },
	pagination: linkOperation({
		columns: mappedColumns,
		entered: enteredLink,
		skipped: { outcome: 'skipped' },
		failed: { outcome: 'failed' },
		body(body, form) {
			if (isByAlias(form) && !textIn(body.custom)) throw noAlias();
			return withTags(body);
		},
		prepare(form) {
			const places = pickPlaces(form);
			return async (request, row) => {
				const link = await upsertLink({ ...request, body: withPage(request.body, row) }, row);
				if (link.outcome !== 'unchanged') for (const place of places) await addTo(place, link, row);
				return [{ json: { ...link, ...(await qrCodeOf(link, link.outcome === 'created', row)) } }];
			};
		},
	}),
	fields: [
		mappingModeField,
		columnsNotice,
		{
			displayName: 'Match By',
			name: 'matchBy',
			type: 'options',
			options: [
				{
					name: 'Custom Alias',
					value: 'alias',
					description:
						"The link with this alias on the domain below, or on the service's own domain if none is set",
				},
				{
					name: 'Long URL',
					value: 'longUrl',
					description:
						"The oldest link to this URL with its UTM parameters, on the domain below, or on the service's own domain if none is set",
				},
			],
			default: 'alias',
			description: 'How to find a link that already exists',
		},
		...newLinkFields,
		{
			displayName: 'If Link Exists',
			name: 'ifExists',
			type: 'options',
			options: [
				{ name: 'Keep It', value: 'keep', description: 'Output it unchanged' },
				{
					name: 'Update It',
					value: 'update',
					description:
						'Change the fields that have a value; an empty field removes nothing. A link is left alone if its URL, alias and domain are right and no other field has a value.',
				},
			],
			default: 'update',
			description: 'What to do with a link that already exists',
		},
		additionalFields([...addedLinkFields, ...placeFields, createQrCode]),
		optionsField([ignoredColumnsOption, inputFieldsOption, utmFormatOption]),
	],
};

const isByAlias = ({ parameter }: Form): boolean => parameter('matchBy') !== 'longUrl';

const noAlias = (): Failure =>
	inputFailure(
		`${customAliasField.displayName} is empty`,
		'Enter the alias by which to find the link, or set Match By to Long URL',
	);

/** Finds the link, also one that an earlier row of the run made, then writes it. @returns it with its `outcome` */
async function upsertLink(request: RowRequest, row: Row): Promise<IDataObject> {
	const { form, send } = row;
	const index = row.list(isByAlias(form) ? linksByAlias : linksByLongUrl);
	const found = await (isByAlias(form) ? findByAlias : findByLongUrl)(request.body, index, row);
	if (!found) {
		const link = await row.once('create', async () => await create(request, index, send));
		otherRow(link, request, row);
		index.put(link);
		return link;
	}
	const other = otherRow(found, request, row);
	if (form.parameter('ifExists') === 'keep' || isUpToDate(found, request.body))
		return { ...outputOf(found), outcome: 'unchanged' };
	if (other !== undefined) {
		throw inputFailure(
			`The link ${textIn(found.shorturl) ?? ''} is already in ${other}`,
			'Remove one of these rows, or give each its own alias',
		);
	}
	const link = await row.once('update', async () => await update(found, request, send));
	index.put(link);
	return link;
}

/** An earlier row about the link: a second one would send its visitors to another address. */
const otherRow = ({ shorturl }: IDataObject, { body }: RowRequest, row: Row): string | undefined =>
	row.contradicted(`link ${textIn(shorturl) ?? ''}`, JSON.stringify(body));

/** Whether a link has all that a row says of it, as far as the list shows it. */
const isUpToDate = (link: IDataObject, { url, custom, domain, ...others }: IDataObject): boolean =>
	Object.keys(others).length === 0 &&
	leadsTo(link.longurl, { url }) &&
	isAt(link, { custom, domain });

/** A link from the list, with the members that a write outputs. */
function outputOf(link: IDataObject): IDataObject {
	const { id, shorturl, longurl, alias, clicks = 0, date = null } = record(link);
	return { id, shorturl, longurl, alias, clicks, date };
}

/** An alias that the link already has is not sent: it may be refused. */
async function update(found: IDataObject, request: RowRequest, send: Send): Promise<IDataObject> {
	const { custom, ...others } = request.body;
	const body = isAt(found, { custom }) ? others : request.body;
	const path = `${linkPath(parseId('linkId', found.id))}/update`;
	const { body: response } = await send({ ...request, method: 'PUT', path, body });
	const known = outputOf(found);
	return { ...known, ...writtenLink(response, body, known), outcome: 'updated' };
}

/** A create without a response may have made the link: then the next try, or the next run, finds it in the list. */
async function create(request: RowRequest, index: RecordIndex, send: Send): Promise<IDataObject> {
	try {
		const link = createdLink((await send(request)).body, request.body);
		// A service may answer with a link that it already has.
		const known = index.get(link.id);
		const { clicks, date } = outputOf(known ?? {});
		return { ...link, clicks, date, outcome: known ? 'unchanged' : 'created' };
	} catch (error) {
		const failure = toFailure(error);
		if (!failure.outcomeUnknown) throw withNear(failure, request, index);
		const advice = 'Run the workflow again: a link that was created is found, not created twice';
		// The service refuses a second link with the alias, should the first one come late.
		throw failure.with({ mayRetry: request.body.custom !== undefined, advice });
	}
}

/** A refused alias may belong to a link in another spelling, or on a branded domain. */
function withNear(failure: Failure, { body }: RowRequest, index: RecordIndex): Failure {
	const [near] = failure.kind === 'refused' ? index.near(textIn(body.custom) ?? '') : [];
	if (!near) return failure;
	const advice = `There is ${links.label(near)}. To update that link, enter its alias and its domain exactly`;
	return failure.with({ advice });
}
