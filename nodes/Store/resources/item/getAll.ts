import { returnAllAndLimit, simplifyField } from '../../../shared/operations/fields';
import {
	filtersField,
	searchFilter,
	wantedRecords,
} from '../../../shared/operations/listOperation';
import type { Operation } from '../../../shared/operations/operation';
import { itemRecord, readItems } from '../../records';
import { storeOperation } from '../../results';
import { itemOutput } from '../../simplify';

const FILTERS = [searchFilter('name')];

/** The API has no pages: one request gets all items, and the limit is applied here. */
export const itemGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many items',
	description: 'Return the items of the account with their prices, one item each',
	request: { method: 'GET', url: '/api/items/all' },
	pagination: storeOperation({
		prepare(form) {
			const { limit, passes = () => true } = wantedRecords(FILTERS, form);
			return async (_request, { send }) => {
				const items = (await readItems(send)).filter(passes).slice(0, limit);
				return items.map((item) => ({ json: itemOutput(itemRecord(item), form.parameter) }));
			};
		},
	}),
	fields: [...returnAllAndLimit, simplifyField, filtersField(FILTERS)],
};
