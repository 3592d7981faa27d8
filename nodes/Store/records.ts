// Items, purchases and the account, with the types of the document, and how items are read.

import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../shared/http/connection';
import { type Failure, toFailure } from '../shared/values/failure';
import {
	booleanIn,
	decimalIn,
	integerIn,
	isRecord,
	recordsIn,
	requireList,
	withTypes,
} from '../shared/values/json';
import { askForAccount } from './account';
import { isAboutRequest } from './purchaseCode';

/** All items of the account, because the API has no pages. */
export async function readItems(send: Send): Promise<IDataObject[]> {
	try {
		const { body } = await send({ method: 'GET', path: '/api/items/all', isOwnRefusal: isNoItems });
		return recordsIn(requireList(body, 'items'));
	} catch (error) {
		const failure = toFailure(error);
		// A wrong key may get the same message.
		if (!isNoItems(failure)) throw failure;
		await askForAccount(send);
		return [];
	}
}

/** Whether the store says that the account has no items (document: "Errors"). */
const isNoItems = ({ kind, message }: Failure): boolean =>
	isAboutRequest(kind) && /^no items found\W*$/i.test(message);

const pricesIn = (value: unknown) =>
	isRecord(value) ? withTypes(value, { regular: decimalIn, extended: decimalIn }) : undefined;

// Records with the document's types, where a store writes "49.00" or 0. A version stays a text.

/** An item (document: "Item"). */
export const itemRecord = (entry: IDataObject): IDataObject =>
	withTypes(entry, { id: integerIn, price: pricesIn });

/** A purchase (document: "Purchase"). */
export const purchaseRecord = (entry: IDataObject): IDataObject =>
	withTypes(entry, {
		price: decimalIn,
		downloaded: booleanIn,
		item: (item) => (isRecord(item) ? itemRecord(item) : undefined),
	});

/** The account that owns the key (document: "Account"). */
export const accountRecord = (entry: IDataObject): IDataObject =>
	withTypes(entry, { balance: decimalIn });
