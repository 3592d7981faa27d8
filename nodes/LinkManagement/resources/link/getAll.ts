import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Send } from '../../../shared/http/connection';
import { ListWalk } from '../../../shared/lists/listWalk';
import { LARGEST_PAGE, pagesOf } from '../../../shared/lists/pages';
import { optional, optionsField, returnAllAndLimit } from '../../../shared/operations/fields';
import type { Form } from '../../../shared/operations/form';
import {
	filtersField,
	type ListFilter,
	type RecordTest,
	wantedRecords,
} from '../../../shared/operations/listOperation';
import type { Operation, RowRequest } from '../../../shared/operations/operation';
import type { Row, RowResult } from '../../../shared/operations/row';
import { inQuery } from '../../../shared/operations/sentFields';
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
	pagination: linkOperation({
		prepare(form) {
			const wanted = wantedLinks(form);
			return async (request, row) => await getLinks(request, row, wanted);
		},
	}),
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
	{ path, query }: RowRequest,
	row: Row,
	{ limit, passes, passesDetails, isInChannel, hasDetails }: WantedLinks,
): Promise<RowResult[]> {
	const { send } = row;
	const ids = isInChannel ? await linksInChannel(row.id(channelField.name), send) : undefined;
	const isFiltered = passes !== undefined || passesDetails !== undefined || isInChannel;
	const walk = new ListWalk(pagesOf({ path, listName: links.source.listName, query }, send), {
		limit: isFiltered ? LARGEST_PAGE : Math.min(limit, LARGEST_PAGE),
	});
	const found: IDataObject[] = [];
	for await (const entries of walk.pages()) {
		for (const link of entries.map(record)) {
			if (ids?.has(Number(link.id)) === false || passes?.(link) === false) continue;
			const shown = hasDetails ? { ...link, ...(await detailsOf(link, send)) } : link;
			if (passesDetails?.(shown) !== false) found.push(shown);
			if (found.length === limit) break;
		}
		if (found.length >= limit) break;
	}
	return found.map((json) => ({ json }));
}

async function detailsOf({ id }: IDataObject, send: Send): Promise<IDataObject> {
	return linkDetails((await send({ method: 'GET', path: linkPath(parseId('linkId', id)) })).body);
}
