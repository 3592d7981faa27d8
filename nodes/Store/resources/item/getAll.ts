import { returnAllAndLimit } from '../../../shared/operations/fields';
import { limitOf } from '../../../shared/operations/listOperation';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { isEmptyList, itemRecord, requireItems } from '../../records';
import { storeOperation } from '../../results';
import { shownItem, simplifyFields } from '../../simplify';

/** The API has no pages: one request brings all items, and the limit is kept here. */
export const itemGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many items',
	description: 'List the items of the account',
	request: { method: 'GET', url: '/api/items/all' },
	pagination: storeOperation({
		query(query, { read }) {
			limitOf(read);
			return query;
		},
		results: (body, _request, { read }) =>
			requireItems(body)
				.slice(0, limitOf(read))
				.map((item) => shownItem(itemRecord(item), read)),
		recover: (failure) => (isEmptyList(failure) ? [] : undefined),
	}),
	fields: [...returnAllAndLimit, ...simplifyFields],
};
