import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Send } from '../shared/http/connection';
import { listSearchFor } from '../shared/lists/listSearch';
import type { RequestPage } from '../shared/lists/pages';
import type { NamedList } from '../shared/lists/knownRecords';
import { RecordIndex } from '../shared/lists/recordIndex';
import { locator, optionalField } from '../shared/operations/panelFields';
import { perSession } from '../shared/operations/session';
import { idIn, textIn, textsIn } from '../shared/values/json';
import { storeService } from './service';
import { readItems } from './records';

/** The fields that pick a record of the store, and the searches behind them. */

export const itemLocator = locator({
	name: 'itemId',
	displayName: 'Item',
	search: 'searchItems',
	description: 'The item. Search the list by name, category or ID.',
});

export const expectedItemLocator = locator({
	name: 'itemId',
	displayName: 'Item',
	search: 'searchItems',
	description: 'An item the code may be for',
	required: false,
	named: { by: 'name', label: 'By Name', example: 'Storefront Theme' },
});

export const expectedItemsField: INodeProperties = {
	displayName: 'Expected Items',
	name: 'expectedItems',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Item',
	default: {},
	description: 'The items the code may be for; item_matches says whether it is for one of them',
	options: [
		{
			displayName: 'Item',
			name: 'item',
			values: [expectedItemLocator],
		},
	],
};

/** A trigger watches one item, or all. */
export const watchedItemField: INodeProperties = {
	...optionalField(itemLocator),
	description:
		'Watch one item only. Needed if the account has one item, because many stores do not list it.',
};

const nameOf = ({ name }: IDataObject): string | undefined => textIn(name);

export const items: NamedList = {
	source: { path: '/api/items/all', listName: 'items' },
	what: 'item',
	names: (item) => textsIn(nameOf(item)),
	label: (item) => nameOf(item) ?? '',
};

/** The items of the account by their names, read once a run. */
export const itemIndexOf = perSession(({ send }) => new RecordIndex(items, itemPages(send)));

/** The API has no pages, so all items are on the first. */
const itemPages =
	(send: Send): RequestPage =>
	async (page) => ({ records: page === 1 ? await readItems(send) : [], pageSize: 0 });

const searchItems = listSearchFor(storeService, {
	source: readItems,
	label: (item) =>
		[nameOf(item) ?? `#${idIn(item.id)}`, textIn(item.category)].filter(Boolean).join(' – '),
	url: ({ demo_link }) => textIn(demo_link),
});

export const listSearch = { searchItems };
