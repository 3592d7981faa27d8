// Items of the account (document: "Item").

import { returnAllAndLimit, simplifyField } from '../../shared/operations/panelFields';
import {
	filtersField,
	limited,
	searchFilter,
	wantedRecords,
} from '../../shared/operations/getMany';
import type { Operation } from '../../shared/operations/operation';
import { inQuery } from '../../shared/operations/requestFields';
import { parseId } from '../../shared/values/input';
import { itemLocator } from '../locators';
import { itemOutput, itemRecord, readItem, readItems } from '../records';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get item',
	description: 'Return an item with its prices and version',
	request: { method: 'GET', url: '/api/items/item' },
	prepare:
		({ parameters, send }) =>
		async ({ query }) => [{ json: itemOutput(await readItem(query, send), parameters) }],
	fields: [
		{
			...itemLocator,
			// The API wants the id in the query, not in the path.
			routing: inQuery('item_id', (label, value) => parseId(label, value)),
		},
		simplifyField,
	],
};

const FILTERS = [searchFilter('name')];

/** The API has no pages: one request gets all items, and the limit is applied here. */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many items',
	description:
		'Return the items of the account with their prices, one item each. Many stores list none if there is only one.',
	request: { method: 'GET', url: '/api/items/all' },
	prepare(row) {
		const { limit, passes = () => true } = wantedRecords(FILTERS, row);
		return async () => {
			const items = (await readItems(row.send)).filter(passes);
			const records = items.map((item) => itemOutput(itemRecord(item), row.parameters));
			return limited(records, limit, row).map((json) => ({ json }));
		};
	},
	fields: [...returnAllAndLimit, simplifyField, filtersField(FILTERS)],
};
