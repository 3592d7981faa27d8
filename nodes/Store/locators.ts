import type { INodeProperties } from 'n8n-workflow';

import { failureIn } from '../shared/values/failure';
import { locator } from '../shared/operations/fields';
import { idIn, textIn } from '../shared/values/json';
import type { SearchedList } from '../shared/lists/listSearch';
import { searchOf } from '../shared/lists/listSearch';
import type { Page } from '../shared/lists/pages';
import { storeService } from './service';
import { isEmptyList, requireItems } from './records';

/** The fields that pick a record of the store, and the searches behind them. */

export const itemLocator = locator({
	name: 'itemId',
	displayName: 'Item',
	search: 'searchItems',
	description: 'The item. The list finds it by name, category or ID.',
});

/** The item that a purchase code should be for. */
export const expectedItemField: INodeProperties = locator({
	name: 'expectedItemId',
	displayName: 'Expected Item',
	search: 'searchItems',
	description:
		'The item that the code should be for; the output then says in item_matches whether it is',
	required: false,
});

const WITHOUT_PAGES: Omit<Page, 'records'> = {
	perPage: Number.POSITIVE_INFINITY,
	maxPage: undefined,
	nextPage: undefined,
};

/** The API has no pages: one response holds all items. */
const requestItems: SearchedList['source'] & object = async (send) =>
	await send({ method: 'GET', path: '/api/items/all' }).then(
		({ body }) => ({ ...WITHOUT_PAGES, records: requireItems(body) }),
		(error: unknown) => {
			const failure = failureIn(error);
			if (failure && isEmptyList(failure)) return { ...WITHOUT_PAGES, records: [] };
			throw error;
		},
	);

const searchItems = searchOf(storeService, {
	source: requestItems,
	label: ({ id, name, category }) =>
		[textIn(name) ?? `#${idIn(id) ?? '?'}`, textIn(category)].filter(Boolean).join(' – '),
	url: ({ demo_link }) => textIn(demo_link),
});

/** Every search of the node, by the name that its field has for it. */
export const listSearch = { searchItems };
