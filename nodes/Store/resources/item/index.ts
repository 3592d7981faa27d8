import type { INodeProperties } from 'n8n-workflow';

import { operationField } from '../../../shared/fields';
import { itemRecord, promisedRecord, storeOperation } from '../../service';
import { checkedItemQuery, itemGetFields } from './get';
import { itemGetAllFields, listedItems, noItems } from './getAll';

/** Items of the account (document: "Item"). */
export const item: INodeProperties[] = [
	operationField(
		'item',
		[
			{
				name: 'Get',
				value: 'get',
				action: 'Get an item',
				description: 'Get an item with its media, prices and version',
				routing: {
					request: { method: 'GET', url: '/api/items/item' },
					operations: {
						pagination: storeOperation({
							query: checkedItemQuery,
							results: (body) => [itemRecord(promisedRecord(body, 'item'))],
						}),
					},
				},
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many items',
				description: 'List the items of the account',
				routing: {
					request: { method: 'GET', url: '/api/items/all' },
					operations: {
						pagination: storeOperation({ results: listedItems, recover: noItems }),
					},
				},
			},
		],
		'getAll',
	),
	...itemGetFields,
	...itemGetAllFields,
];
