import type { IDataObject } from 'n8n-workflow';

import type { ApiRequest } from '../shared/http/connection';
import type { ServiceResponse } from '../shared/http/request';
import { failureOf } from '../shared/values/failure';
import { recordsIn, requireList, withIntegers } from '../shared/values/json';

/** Sends a request; undefined if there was no time for it. */
export type Ask = (request: ApiRequest) => Promise<ServiceResponse | undefined>;

/** All items of the account, because the API has no pages; undefined if there was no time. */
export async function readItems(ask: Ask): Promise<IDataObject[] | undefined> {
	try {
		const response = await ask({ method: 'GET', path: '/api/items/all' });
		return response && recordsIn(requireList(response.body, 'items'));
	} catch (error) {
		const failure = failureOf(error);
		// The document has "No items found" among the errors.
		if (failure.kind === 'refused' && NO_ITEMS.test(failure.message)) return [];
		throw failure;
	}
}

const NO_ITEMS = /^no items found\W*$/i;

/** An item (document: "Item"). */
export const itemRecord = (entry: IDataObject): IDataObject => withIntegers(entry, ['id']);
