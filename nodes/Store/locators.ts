import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { listSearchFor } from '../shared/lists/listSearch';
import { locator, optionalField } from '../shared/operations/panelFields';
import { idIn, textIn } from '../shared/values/json';
import { storeService } from './service';
import { readItems } from './records';

/** The fields that pick a record of the store, and the searches behind them. */

export const itemLocator = locator({
	name: 'itemId',
	displayName: 'Item',
	search: 'searchItems',
	description: 'The item. Search the list by name, category or ID.',
});

const expectedItemLocator = locator({
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

const searchItems = listSearchFor(storeService, {
	source: readItems,
	label: (item) =>
		[nameOf(item) ?? `#${idIn(item.id)}`, textIn(item.category)].filter(Boolean).join(' – '),
	url: ({ demo_link }) => textIn(demo_link),
});

export const listSearch = { searchItems };
