import { returnAllAndLimit } from '../../../shared/operations/fields';
import {
	filtersField,
	searchFilter,
	wantedRecords,
} from '../../../shared/operations/listOperation';
import type { Operation } from '../../../shared/operations/operation';
import { simplifyField } from '../../../shared/operations/simplify';
import { itemRecord, readItems } from '../../records';
import { storeOperation } from '../../results';
import { itemOutput } from '../../simplify';

const FILTERS = [searchFilter('name')];

/** The API has no pages: one request gets all items, and the limit is applied here. */
export const itemGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many items',
	description: 'List the items of the account',
	request: { method: 'GET', url: '/api/items/all' },
	pagination: storeOperation({
		check: (form) => wantedRecords(FILTERS, form),
		async perform(_request, { form, send }, { limit, passes = () => true }) {
			const items = await readItems(send);
			return items
				.filter(passes)
				.slice(0, limit)
				.map((item) => ({ json: itemOutput(itemRecord(item), form.parameter) }));
		},
	}),
	fields: [...returnAllAndLimit, simplifyField, filtersField(FILTERS)],
};
