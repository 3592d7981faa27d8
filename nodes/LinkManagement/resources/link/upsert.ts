import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../../../shared/http/request';
import type { RecordIndex } from '../../../shared/lists/recordIndex';
import { optionsField } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import type { Form } from '../../../shared/operations/form';
import type { Item, ItemRequest } from '../../../shared/operations/operationPlan';
import type { ItemResult } from '../../../shared/operations/steps';
import { Failure, toFailure } from '../../../shared/values/failure';
import { idIn, recordsIn, textIn } from '../../../shared/values/json';
import { emptyFailure } from '../../../shared/values/input';
import { additionalFields } from '../../fields';
import {
	aliasName,
	canonicalUrl,
	domainsByHost,
	links,
	linksByAlias,
	linksByLongUrl,
} from '../../lists';
import { hostIn, record } from '../../records';
import { linkOperation } from '../../results';
import { withPage, withQuery, withTags } from './body';
import { enteredLink, mappedColumns } from './columns';
import {
	addedLinkFields,
	columnsNotice,
	customAliasField,
	inputFieldsOption,
	mappingModeField,
	newLinkFields,
	utmFormatOption,
} from './fields';
import { createdLink, isAt, writtenLink } from './result';

/** Not written out below, because a lint rule of n8n wants "a record" there. */
const DESCRIPTION = 'Create a link, or update it if it already exists (upsert)';

export const linkUpsert: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update short link',
	description: DESCRIPTION,
	request: { method: 'POST', url: '/api/url/add' },
	pagination: linkOperation({
		entered: enteredLink,
		mappedColumns,
		body(body, form) {
			if (isByAlias(form) && !textIn(body.custom)) throw emptyFailure(customAliasField.displayName);
			return withTags(body);
		},
		check: isByAlias,
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
					description:
						'Change the fields that have a value. Unlike in Update, an empty field removes nothing. Parameters replace all parameters of the link.',
				},
			],
			default: 'update',
			description: 'What to do with a link that already exists',
		},
		additionalFields(addedLinkFields),
		optionsField([inputFieldsOption, utmFormatOption]),
	],
};

function isByAlias({ read }: Form): boolean {
	return read('matchBy') !== 'longUrl';
}

/** Finds the link, then writes. Links that earlier rows of the run made are found, too. */
async function upsertLink(
	{ body, ...others }: ItemRequest,
	item: Item,
	byAlias: boolean,
): Promise<ItemResult[]> {
	const request = { ...others, body: withPage(body, item) };
	const index = item.indexOf(byAlias ? linksByAlias : linksByLongUrl);
	const find = async (): Promise<IDataObject | undefined> =>
		byAlias ? await findByAlias(body, index, item) : await findByLongUrl(body, index, item);

	const found = await find();
	if (found && (item.form.read('ifExists') === 'keep' || isUpToDate(found, body)))
		return [{ json: { ...outputOf(found), outcome: 'unchanged' } }];
	const written = await item.step('write', async (send) =>
		found ? await update(found, request, send) : await create(request, send, index, find),
	);
	index.put(written);
	return [{ json: written }];
}

async function findByAlias(
	{ custom, domain }: IDataObject,
	index: RecordIndex,
	item: Item,
): Promise<IDataObject | undefined> {
	const alias = textIn(custom) ?? '';
	const entered = textIn(domain);
	const found: IDataObject[] = [];
	for (const link of await index.all(aliasName(alias, entered), entered === undefined)) {
		if (await isOnDomain(link, entered, item)) found.push(link);
	}
	return index.singleRecord(alias, found);
}

/** A service may have the parameters of a link in its long URL. */
async function findByLongUrl(
	{ url, parameters, domain }: IDataObject,
	index: RecordIndex,
	item: Item,
): Promise<IDataObject | undefined> {
	const plain = textIn(url) ?? '';
	const pairs = recordsIn(parameters).map(
		({ name, value }) => [textIn(name) ?? '', value] as const,
	);
	const withPairs = withQuery(plain, Object.fromEntries(pairs));
	for (const name of pairs.length > 0 ? [withPairs, plain] : [plain]) {
		for (const link of await index.all(name, true)) {
			if (await isOnDomain(link, textIn(domain), item)) return link;
		}
	}
	return undefined;
}

/**
 * Whether a link is on the domain of a row; without one, on the service's own domain. The branded domains are read only for
 * a link that is not on the base URL's host.
 */
async function isOnDomain(
	{ shorturl }: IDataObject,
	domain: string | undefined,
	{ indexOf, connection }: Item,
): Promise<boolean> {
	const host = hostIn(shorturl);
	if (host === undefined) return false;
	if (host === hostIn(domain ?? connection.baseUrl)) return true;
	return domain === undefined && (await indexOf(domainsByHost).all(host, false)).length === 0;
}

/** Members that the list shows of every link. */
const LISTED = ['url', 'custom', 'domain'];

const isUpToDate = (found: IDataObject, body: IDataObject): boolean =>
	Object.keys(body).every((name) => LISTED.includes(name)) &&
	canonicalUrl(textIn(body.url) ?? '') === canonicalUrl(textIn(found.longurl) ?? '') &&
	isAt(found, body);

/** A link from the list, with the members that a write outputs. */
function outputOf(link: IDataObject): IDataObject {
	const { id, shorturl, longurl, alias } = record(link);
	return { id, shorturl, longurl, alias };
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
	return { ...writtenLink((await send(sent)).body, sent, outputOf(found)), outcome: 'updated' };
}

/**
 * A create without a response may have made the link, so the list is searched for it. If it is not there, the create is sent
 * again only with an alias: should the first one be late, the service refuses the second.
 */
async function create(
	request: ItemRequest,
	send: Send,
	index: RecordIndex,
	find: () => Promise<IDataObject | undefined>,
): Promise<IDataObject> {
	const once = async (): Promise<IDataObject> => {
		const link = createdLink((await send(request)).body, request);
		// A service may answer with a link that it already has.
		return { ...link, outcome: index.get(link.id) ? 'unchanged' : 'created' };
	};
	try {
		return await once();
	} catch (error) {
		const failure = toFailure(error);
		if (!failure.outcomeUnknown) throw withNear(failure, request, index);
		await index.readNew();
		const found = await find();
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

/** A refused alias may belong to a link in another case, or on a branded domain. */
function withNear(failure: Failure, { body }: ItemRequest, index: RecordIndex): Failure {
	const near = failure.kind === 'refused' ? index.nearest(textIn(body.custom) ?? '') : undefined;
	if (!near) return failure;
	const advice = `There is ${links.label(near)}. To update that link, enter its alias and its domain exactly`;
	return failure.with({ advice });
}

const RUN_AGAIN = 'Run the workflow again: a link that was created is found, not created twice';
