import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Send } from '../../../shared/http/connection';
import { ListWalk } from '../../../shared/lists/listWalk';
import { LARGEST_PAGE, pagesOf } from '../../../shared/lists/pages';
import { optional, optionsField, returnAllAndLimit } from '../../../shared/operations/fields';
import type { Form } from '../../../shared/operations/form';
import { MAX_RESULTS } from '../../../shared/operations/performItem';
import {
	filtersField,
	type ListFilter,
	type RecordTest,
	wantedRecords,
} from '../../../shared/operations/listOperation';
import type { Operation } from '../../../shared/operations/operation';
import type { Item } from '../../../shared/operations/item';
import type { ItemRequest } from '../../../shared/operations/operationPlan';
import { inQuery } from '../../../shared/operations/sentFields';
import type { ItemResult } from '../../../shared/operations/steps';
import { isRefusal, toFailure } from '../../../shared/values/failure';
import { mapIn, pickedValue } from '../../../shared/values/json';
import { isBlank, parseId } from '../../../shared/values/input';
import { LINK_FILTERS } from '../../listOperations';
import { linkPath, links } from '../../lists';
import { channelLocator } from '../../locators';
import { linkDetails, record } from '../../records';
import { linkOperation } from '../../results';
import { datetimeIn, serviceDatetime } from '../../values/dateTime';
import { linksInChannel } from './places';

const orderField: INodeProperties = {
	displayName: 'Order By',
	name: 'order',
	type: 'options',
	options: [
		{ name: 'Service Default', value: '' },
		{ name: 'Clicks', value: 'click' },
		{ name: 'Date', value: 'date' },
	],
	default: '',
	description: 'What to sort the links by; the service decides the direction',
	routing: inQuery('order'),
};

const includeDetailsField: INodeProperties = {
	displayName: 'Include Details',
	name: 'includeDetails',
	type: 'boolean',
	default: true,
	description:
		'Whether to also output expiry, targets and statistics. This takes one more request for each link that passes the filters.',
};

const channelField: INodeProperties = {
	...optional(channelLocator),
	displayName: 'In Channel',
	description: 'Return only links in this channel',
};

/** The API shows the expiry in the details only. */
const expiryFilter: ListFilter = {
	fields: [
		{
			displayName: 'Expires Before',
			name: 'expiresBefore',
			type: 'dateTime',
			default: '',
			description:
				'Return only links that expire before this time, with their details. This takes one more request for each link that passes the other filters.',
		},
	],
	test({ expiresBefore }, { zones }) {
		if (isBlank(expiresBefore)) return undefined;
		const end = serviceDatetime('Expires Before', expiresBefore, zones);
		return ({ expiry }) => {
			const found = datetimeIn(expiry);
			return found !== undefined && found < end;
		};
	},
};

interface WantedLinks {
	limit: number;
	/** By what the list shows; undefined if all pass. */
	passes: RecordTest | undefined;
	/** By what the details show. */
	passesDetails: RecordTest | undefined;
	isInChannel: boolean;
	hasDetails: boolean;
}

export const linkGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many short links',
	description: 'List the short links of the account',
	request: { method: 'GET', url: '/api/urls' },
	pagination: linkOperation({ check: wantedLinks, perform: getLinks }),
	fields: [
		...returnAllAndLimit,
		filtersField([
			...LINK_FILTERS,
			{ fields: [channelField], test: () => undefined },
			expiryFilter,
		]),
		optionsField([includeDetailsField, orderField]),
	],
};

function wantedLinks(form: Form): WantedLinks {
	const filters = mapIn(form.parameter('filters'));
	const isInChannel = !isBlank(pickedValue(filters[channelField.name]));
	if (isInChannel) form.pick(channelField.name, filters[channelField.name]);
	const passesDetails = expiryFilter.test(filters, form);
	const hasDetails = mapIn(form.parameter('options')).includeDetails === true;
	return {
		...wantedRecords(LINK_FILTERS, form),
		passesDetails,
		isInChannel,
		hasDetails: hasDetails || passesDetails !== undefined,
	};
}

/** Filters of the list come first, then details, which take a request each; the limit counts what is left. */
async function getLinks(
	request: ItemRequest,
	item: Item,
	{ limit, passes, passesDetails, isInChannel, hasDetails }: WantedLinks,
): Promise<ItemResult[]> {
	const most = Math.min(limit, MAX_RESULTS + 1);
	const isFiltered = passes !== undefined || passesDetails !== undefined || isInChannel;
	const walk = walkOf(request, item, isFiltered ? LARGEST_PAGE : Math.min(limit, LARGEST_PAGE));
	const details = detailsReader(item);
	const found: IDataObject[] = [];
	for await (const link of isInChannel ? channelLinks(walk, item, details) : listedLinks(walk)) {
		if (passes?.(link) === false) continue;
		const shown = hasDetails ? { ...link, ...(await details(link.id)) } : link;
		if (passesDetails?.(shown) === false) continue;
		found.push(shown);
		if (found.length >= most) break;
	}
	return found.slice(0, limit).map((json) => ({ json }));
}

function walkOf({ path, query }: ItemRequest, item: Item, limit: number): ListWalk {
	const { listName } = links.source;
	return new ListWalk(pagesOf({ path, listName, query }, item.send), {
		limit,
		accepted: item.shared.acceptedLimit(path),
	});
}

type ReadDetails = (id: unknown) => Promise<IDataObject>;

/** Reads the details of a link, each once. A channel may hold a link that was deleted, so a refusal names it. */
function detailsReader({ send }: Item): ReadDetails {
	const known = new Map<number, IDataObject>();
	return async (held) => {
		const id = parseId('linkId', held);
		const read = known.get(id) ?? (await readDetails(id, send));
		known.set(id, read);
		return read;
	};
}

async function readDetails(id: number, send: Send): Promise<IDataObject> {
	try {
		return linkDetails((await send({ method: 'GET', path: linkPath(id) })).body);
	} catch (error) {
		const failure = toFailure(error);
		if (!isRefusal(failure)) throw failure;
		const message = `The details of link ${id} cannot be read: ${failure.message}`;
		throw failure.with({ message });
	}
}

async function* listedLinks(walk: ListWalk): AsyncGenerator<IDataObject> {
	for await (const entries of walk.pages()) yield* entries.map(record);
}

/**
 * The links of a channel, of which it has the ids: from the list, unless it takes fewer requests to read those that are left
 * one by one. An order comes from the list.
 */
async function* channelLinks(
	walk: ListWalk,
	item: Item,
	details: ReadDetails,
): AsyncGenerator<IDataObject> {
	const left = new Set(await linksInChannel(item.id(channelField.name), item));
	const isSorted = !isBlank(mapIn(item.form.parameter('options')).order);
	while (left.size > 0 && (isSorted || left.size > 1)) {
		const entries = await walk.next();
		if (!entries) return;
		yield* entries.map(record).filter(({ id }) => left.delete(Number(id)));
		if (!isSorted && left.size < walk.pagesLeft) break;
	}
	for (const id of left) yield listed(await details(id));
}

/** The details of a link as the list has them. */
function listed(details: IDataObject): IDataObject {
	const { id, alias, shorturl, longurl, title, description, date } = details;
	const { clicks } = mapIn(details.statistics);
	return { id, alias, shorturl, longurl, clicks, title, description, date };
}
