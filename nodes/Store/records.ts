import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../shared/http/request';
import { toFailure } from '../shared/values/failure';
import { recordsIn, requireList, withIntegers } from '../shared/values/json';

/** All items of the account, because the API has no pages. */
export async function readItems(send: Send): Promise<IDataObject[]> {
	try {
		const { body } = await send({ method: 'GET', path: '/api/items/all' });
		return recordsIn(requireList(body, 'items'));
	} catch (error) {
		const failure = toFailure(error);
		// The document has "No items found" among the errors.
		if (failure.consequences.isRefusal && NO_ITEMS.test(failure.message)) return [];
		throw failure;
	}
}

const NO_ITEMS = /^no items found\W*$/i;

/** An item (document: "Item"). */
export const itemRecord = (entry: IDataObject): IDataObject => withIntegers(entry, ['id']);
