// Items, purchases and the account as the output has them, and how items are read.

import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../shared/http/connection';
import { simplified } from '../shared/operations/panelFields';
import { type Failure, toFailure } from '../shared/values/failure';
import type { GetParameter } from '../shared/values/input';
import {
	booleanIn,
	decimalIn,
	integerIn,
	isRecord,
	recordsIn,
	requireList,
	withTypes,
} from '../shared/values/json';
import { askForAccount } from './accountRequest';
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

const ITEM = ['id', 'name', 'category', 'version', 'price', 'currency', 'demo_link'] as const;

const PURCHASE = [
	'valid',
	'reason',
	'purchase_code',
	'stored_code',
	'license_type',
	'price',
	'currency',
	'supported_until',
	'downloaded',
	'date',
	'support_active',
	'support_days_left',
	'item_matches',
] as const;

/** An item, complete or without its texts and pictures. */
export const itemOutput = (item: IDataObject, parameter: GetParameter): IDataObject =>
	simplified(item, parameter, ITEM);

/** A purchase, complete or with only the id and the name of its item. */
export function purchaseOutput(
	{ item, ...purchase }: IDataObject,
	parameter: GetParameter,
): IDataObject {
	const itemMembers = isRecord(item) ? simplified(item, parameter, ['id', 'name']) : null;
	return { ...simplified(purchase, parameter, PURCHASE), item: itemMembers };
}
