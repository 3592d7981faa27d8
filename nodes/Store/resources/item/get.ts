import { readId } from '../../../shared/values/input';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { itemLocator } from '../../locators';
import { readItem } from '../../records';
import { storeOperation } from '../../results';
import { itemOutput, simplifyField } from '../../simplify';

export const itemGet: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get item',
	description: 'Get an item with its media, prices and version',
	request: { method: 'GET', url: '/api/items/item' },
	pagination: storeOperation({
		// The API wants the id in the query, not in the path.
		query: (query) => ({ ...query, item_id: readId('itemId', query.item_id) }),
		perform: async (request, send, { read }) => [itemOutput(await readItem(request, send), read)],
	}),
	fields: [
		{ ...itemLocator, routing: { send: { type: 'query', property: 'item_id' } } },
		simplifyField,
	],
};
