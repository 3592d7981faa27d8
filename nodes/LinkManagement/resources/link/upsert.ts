import type { IDataObject } from 'n8n-workflow';

import type { Connection } from '../../../shared/http/connection';
import type { Send } from '../../../shared/http/connection';
import type { RecordIndex } from '../../../shared/lists/recordIndex';
import type { Claim } from '../../../shared/operations/claims';
import { optionsField } from '../../../shared/operations/fields';
import type { Form } from '../../../shared/operations/form';
import type { Operation } from '../../../shared/operations/operation';
import type { Item } from '../../../shared/operations/item';
import type { Content, ItemRequest } from '../../../shared/operations/operationPlan';
import type { ItemResult } from '../../../shared/operations/steps';
import { Failure, inputFailure, toFailure } from '../../../shared/values/failure';
import { idIn, textIn, without } from '../../../shared/values/json';
import { additionalFields } from '../../fields';
import { aliasName, canonicalUrl, links, linksByAlias, linksByLongUrl } from '../../lists';
import { aliasIn, hostIn, record, spelled } from '../../records';
import { linkOperation } from '../../results';
import { withDomain, withPage, withTags } from './body';
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
import { findByAlias, findByLongUrl, findRewritten } from './findLink';
import { createQrCode, noQrCode, qrCodeOf } from './ownQrCode';
import {
	addTo,
	type FoundPlace,
	foundPlaces,
	linksInChannel,
	placeFields,
	type WantedPlace,
	wantedPlaces,
} from './places';
import { createdLink, isAt, mayBeTaken, NO_LINK, writtenLink } from './result';
import { hiddenLabels, isUpToDate } from './upToDate';

/** Not written out below, because a lint rule of n8n wants "a record" there. */
const DESCRIPTION = 'Create a link, or update it if it already exists (upsert)';

const addedFields = additionalFields([...addedLinkFields, ...placeFields, createQrCode]);

export const linkUpsert: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update short link',
	description: DESCRIPTION,
	request: { method: 'POST', url: '/api/url/add' },
	pagination: linkOperation({
		entered: enteredLink,
		mappedColumns,
		noResult: (outcome, parameters) => ({
			...NO_LINK,
			clicks: null,
			date: null,
			outcome,
			...noQrCode(parameters),
		}),
		body(body, form) {
			if (isByAlias(form) && !textIn(body.custom)) throw noAlias();
			return withTags(body);
		},
		check: (form) => ({ byAlias: isByAlias(form), places: wantedPlaces(form) }),
		claim: claimOf,
		perform: upsertLink,
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
					description: `Change the fields that have a value, unless the link has these values. An empty field removes nothing. The API does not show these, so they are always written: ${hiddenLabels([...newLinkFields, addedFields])}.`,
				},
			],
			default: 'update',
			description: 'What to do with a link that already exists',
		},
		addedFields,
		optionsField([ignoredColumnsOption, inputFieldsOption, utmFormatOption]),
	],
};

function isByAlias({ parameter }: Form): boolean {
	return parameter('matchBy') !== 'longUrl';
}

const noAlias = (): Failure =>
	inputFailure(
		`${customAliasField.displayName} is empty`,
		'Enter the alias by which to find the link, or set Match By to Long URL',
	);

interface WantedUpsert {
	byAlias: boolean;
	places: readonly WantedPlace[];
}

/** The host that the link of a row is on. */
const hostOf = ({ domain }: IDataObject, { baseUrl }: Connection): string =>
	hostIn(textIn(domain) ?? baseUrl) ?? '';

/** What a row says of its link, whatever its spelling of domain, alias and long URL. */
function said(body: IDataObject, wanted: WantedUpsert, connection: Connection): string {
	const link = {
		...body,
		domain: hostOf(body, connection),
		custom: spelled(textIn(body.custom) ?? ''),
		url: canonicalUrl(textIn(body.url) ?? ''),
	};
	return JSON.stringify([link, wanted]);
}

/** Two rows for one link would send its visitors to the address of the later one. */
function claimOf({ body, checked: wanted }: Content<WantedUpsert>, connection: Connection): Claim {
	const host = hostOf(body, connection);
	const alias = textIn(body.custom) ?? '';
	const url = textIn(body.url) ?? '';
	const content = said(body, wanted, connection);
	return wanted.byAlias
		? { key: `alias ${aliasName(alias, host)}`, what: `Custom Alias ${alias}`, content }
		: { key: `url ${host} ${canonicalUrl(url)}`, what: `URL ${url}`, content };
}

/** Finds the link, then writes. Links that earlier rows of the run made are found, too. */
async function upsertLink(
	{ body, ...others }: ItemRequest,
	item: Item,
	wanted: WantedUpsert,
): Promise<ItemResult[]> {
	const places = await foundPlaces(wanted.places, item);
	const row: Row = {
		request: { ...others, body: withPage(body, item) },
		index: item.shared.indexOf(wanted.byAlias ? linksByAlias : linksByLongUrl),
		byAlias: wanted.byAlias,
		content: said(body, wanted, item.connection),
	};
	const found = await find(row, item);
	const link = found ? await settled(found, row, item) : await created(row, item);
	const isKept = link.outcome !== 'created' && item.form.parameter('ifExists') === 'keep';
	const outcome = isKept ? link.outcome : await putInto(places, link, item);
	const code = await qrCodeOf(link, link.outcome === 'created', item);
	return [{ json: { ...link, outcome, ...code } }];
}

/** A row, and where its link is looked for. */
interface Row {
	request: ItemRequest;
	index: RecordIndex;
	byAlias: boolean;
	/** What it says, for `Claim`. */
	content: string;
}

async function find(
	{ request, index, byAlias }: Row,
	item: Item,
): Promise<IDataObject | undefined> {
	return byAlias
		? await findByAlias(request.body, index, item)
		: await findByLongUrl(request.body, index, item);
}

/**
 * Puts a link into its channel, unless it is there, and if anything was written, into its campaign, whose members cannot be listed.
 * @returns the outcome of the row
 */
async function putInto(
	places: readonly FoundPlace[],
	link: IDataObject,
	item: Item,
): Promise<IDataObject[string]> {
	const channel = places.find(({ what }) => what === 'channel');
	const campaign = places.find(({ what }) => what === 'campaign');
	const isAdded = channel !== undefined && (await addToChannel(channel, link, item));
	const outcome = isAdded && link.outcome === 'unchanged' ? 'updated' : link.outcome;
	if (campaign && outcome !== 'unchanged') await addTo(campaign, link, item);
	return outcome;
}

/** @returns whether the link was not in the channel */
async function addToChannel(channel: FoundPlace, link: IDataObject, item: Item): Promise<boolean> {
	const inChannel = await linksInChannel(channel.id, item);
	const id = idIn(link.id);
	if (id !== undefined && inChannel.has(id)) return false;
	await addTo(channel, link, item);
	if (id !== undefined) inChannel.add(id);
	return true;
}

/** No row changes the link of an earlier one, also if it finds it by another alias. */
function claimLink({ id, shorturl }: IDataObject, { content }: Row, item: Item): void {
	if (idIn(id) === undefined) return;
	item.claim({ key: `link ${idIn(id)}`, what: `The link ${textIn(shorturl) ?? ''}`, content });
}

/** A link that exists, updated if the row says so. */
async function settled(found: IDataObject, row: Row, item: Item): Promise<IDataObject> {
	claimLink(found, row, item);
	const { request, index } = row;
	const isKept = item.form.parameter('ifExists') === 'keep';
	if (isKept || (await isUpToDate(found, request.body, item.send)))
		return { ...outputOf(found), outcome: 'unchanged' };
	const body = await withDomain(request.body, item);
	const written = await item.step(
		'update',
		async () => await update(found, { ...request, body }, item.send),
	);
	index.put(written);
	return { ...written, outcome: 'updated' };
}

/** A link from the list, with the members that a write outputs. */
function outputOf(link: IDataObject): IDataObject {
	const { id, shorturl, longurl, alias, clicks = 0, date = null } = record(link);
	return { id, shorturl, longurl, alias, clicks, date };
}

/** An alias that the link already has is not sent: it may be refused. */
async function update(found: IDataObject, request: ItemRequest, send: Send): Promise<IDataObject> {
	const { custom, ...others } = request.body;
	const body = isAt(found, { custom }) ? others : request.body;
	const id = idIn(found.id);
	if (id === undefined) {
		throw new Failure({
			kind: 'refused',
			message: `The link ${textIn(found.shorturl) ?? ''} cannot be updated: the service gave no ID that the node can use`,
			advice: 'If this run created the link, run the workflow again. IDs are whole numbers',
		});
	}
	const sent: ItemRequest = { ...request, method: 'PUT', path: `/api/url/${id}/update`, body };
	return { ...outputOf(found), ...writtenLink((await send(sent)).body, body, outputOf(found)) };
}

/** A new link. If its alias is taken by the link that the service made of the row before, that link is updated. */
async function created(row: Row, item: Item): Promise<IDataObject> {
	const { request, index } = row;
	const body = await withDomain(request.body, item);
	try {
		const link = await item.step(
			'create',
			async () => await create({ ...row, request: { ...request, body } }, item),
		);
		if (link.outcome === 'created') claimLink(link, row, item);
		index.put(link);
		return link;
	} catch (error) {
		const failure = toFailure(error);
		if (!row.byAlias || !mayBeTaken(failure)) throw failure;
		const { found, similar } = await findRewritten(request.body, index, item);
		if (!found) throw similar ? failure.with({ advice: enterInstead(similar) }) : failure;
		return await settled(
			found,
			{ ...row, request: { ...request, body: without(request.body, 'custom') } },
			item,
		);
	}
}

const enterInstead = (link: IDataObject): string =>
	`There is ${links.label(link)}. To update that link, enter the alias "${textIn(link.alias) ?? aliasIn(link.shorturl) ?? ''}"`;

/**
 * A create without a response may have made the link, so the list is searched for it. If it is not there, the create is sent
 * again only with an alias: should the first one be late, the service refuses the second.
 */
async function create(row: Row, item: Item): Promise<IDataObject> {
	const { request, index } = row;
	const { send } = item;
	const once = async (): Promise<IDataObject> => {
		const link = await createdLink((await send(request)).body, request.body, send);
		// A service may answer with a link that it already has.
		const known = index.get(link.id);
		const { clicks, date } = outputOf(known ?? {});
		return { ...link, clicks, date, outcome: known ? 'unchanged' : 'created' };
	};
	try {
		return await once();
	} catch (error) {
		const failure = toFailure(error);
		if (!failure.outcomeUnknown) throw withNear(failure, request, index);
		const before = await rewritten(row, item);
		await index.readNew();
		const after = await rewritten(row, item);
		const found = (await find(row, item)) ?? (after?.id === before?.id ? undefined : after);
		if (found) return { ...outputOf(found), outcome: 'created' };
		if (!request.body.custom) throw failure.with({ advice: RUN_AGAIN });
	}
	try {
		return await once();
	} catch (error) {
		// A retry may send it again: the service refuses an alias that is taken.
		const failure = toFailure(error);
		throw failure.outcomeUnknown ? failure.with({ mayRetry: true, advice: RUN_AGAIN }) : failure;
	}
}

/** The link of a row whose alias the service has written in another way. */
const rewritten = async ({ byAlias, request, index }: Row, item: Item) =>
	byAlias ? (await findRewritten(request.body, index, item)).found : undefined;

/** A refused alias may belong to a link in another case, or on a branded domain. */
function withNear(failure: Failure, { body }: ItemRequest, index: RecordIndex): Failure {
	const [near] = failure.kind === 'refused' ? index.near(textIn(body.custom) ?? '') : [];
	if (!near) return failure;
	const advice = `There is ${links.label(near)}. To update that link, enter its alias and its domain exactly`;
	return failure.with({ advice });
}

const RUN_AGAIN = 'Run the workflow again: a link that was created is found, not created twice';
