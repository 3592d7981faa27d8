import type { IDataObject } from 'n8n-workflow';

import { readId } from '../../../shared/values/path';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { itemLocator } from '../../locators';
import { requireRecord } from '../../../shared/http/response';
import { itemRecord } from '../../records';
import { storeOperation } from '../../results';

export const itemGet: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get an item',
	description: 'Get an item with its media, prices and version',
	request: { method: 'GET', url: '/api/items/item' },
	pagination: storeOperation({
		query: checkedItemQuery,
		results: (body) => [itemRecord(requireRecord(body, 'item'))],
	}),
	fields: [{ ...itemLocator, routing: { send: { type: 'query', property: 'item_id' } } }],
};

/** The id stands in the query here, not in the path. */
function checkedItemQuery(query: IDataObject): IDataObject {
	return { ...query, item_id: readId('itemId', query.item_id) };
}
