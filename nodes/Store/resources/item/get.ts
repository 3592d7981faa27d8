import { simplifyField } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/operation';
import { inQuery } from '../../../shared/operations/sentFields';
import { parseId } from '../../../shared/values/input';
import { requireRecord } from '../../../shared/values/json';
import { itemLocator } from '../../locators';
import { itemRecord } from '../../records';
import { storeOperation } from '../../results';
import { itemOutput } from '../../simplify';

export const itemGet: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get item',
	description: 'Return an item with its prices and version',
	request: { method: 'GET', url: '/api/items/item' },
	pagination: storeOperation({
		results: (body, _request, { parameter }) => [
			itemOutput(itemRecord(requireRecord(body, 'item')), parameter),
		],
	}),
	fields: [
		{
			...itemLocator,
			// The API wants the id in the query, not in the path.
			routing: inQuery('item_id', (_label, value) => parseId(itemLocator.name, value)),
		},
		simplifyField,
	],
};
