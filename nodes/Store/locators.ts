import type { INodeProperties } from 'n8n-workflow';

import { locator } from '../shared/operations/fields';
import { idIn, textIn } from '../shared/values/json';
import { searchOf } from '../shared/lists/listSearch';
import { storeService } from './service';
import { readItems } from './records';

/** The fields that pick a record of the store, and the searches behind them. */

export const itemLocator = locator({
	name: 'itemId',
	displayName: 'Item',
	search: 'searchItems',
	description: 'The item. Search the list by name, category or ID.',
});

const anyItem = locator({
	name: 'expectedItemId',
	displayName: 'Expected Item',
	search: 'searchItems',
	description:
		'The item the code should be for; item_matches says whether it is. By ID accepts several, such as the parts of a bundle.',
	required: false,
});

const SEVERAL_IDS = '^\\s*[1-9][0-9]*(\\s*,\\s*[1-9][0-9]*)*\\s*$';
const errorMessage = 'Enter one ID, or several separated by commas';

/** The item that a purchase code should be for, or several items, one of which it should be for. */
export const expectedItemField: INodeProperties = {
	...anyItem,
	modes: (anyItem.modes ?? []).map((mode) => ({
		...mode,
		...(mode.name === 'id' && {
			placeholder: 'e.g. 42, or 42, 43',
			validation: [{ type: 'regex', properties: { regex: SEVERAL_IDS, errorMessage } }],
		}),
	})),
};

const searchItems = searchOf(storeService, {
	source: readItems,
	label: ({ id, name, category }) =>
		[textIn(name) ?? `#${idIn(id) ?? '?'}`, textIn(category)].filter(Boolean).join(' – '),
	url: ({ demo_link }) => textIn(demo_link),
});

/** Every search of the node, by the name that its field has for it. */
export const listSearch = { searchItems };
