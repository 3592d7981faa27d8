import type { INodeProperties } from 'n8n-workflow';

import { locator, optionalField } from '../shared/operations/panelFields';
import { idIn, textIn } from '../shared/values/json';
import { listSearchFor } from '../shared/lists/listSearch';
import { storeService } from './service';
import { readItems } from './records';

/** The fields that pick a record of the store, and the searches behind them. */

export const itemLocator = locator({
	name: 'itemId',
	displayName: 'Item',
	search: 'searchItems',
	description: 'The item. Search the list by name, category or ID.',
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
			values: [optionalField({ ...itemLocator, description: 'An item the code may be for' })],
		},
	],
};

const searchItems = listSearchFor(storeService, {
	source: readItems,
	label: ({ id, name, category }) =>
		[textIn(name) ?? `#${idIn(id) ?? '?'}`, textIn(category)].filter(Boolean).join(' – '),
	url: ({ demo_link }) => textIn(demo_link),
});

export const listSearch = { searchItems };
