// Items, purchases and the account as the output has them, and how items and the account are read.

import type { IDataObject } from 'n8n-workflow';

import type { ApiRequest, Send } from '../shared/http/service';
import { simplified } from '../shared/operations/output';
import { toFailure } from '../shared/values/failure';
import { type ParameterValues, isBlank } from '../shared/values/input';
import {
	booleanIn,
	decimalIn,
	integerIn,
	isRecord,
	mapIn,
	missingMember,
	recordsIn,
	requireRecord,
	textsIn,
	withTypes,
	without,
} from '../shared/values/json';
import { isNone, NO_ITEMS } from './refusals';

/** Takes nothing but the key (document: "Account"). */
export const ACCOUNT: ApiRequest = { method: 'GET', path: '/api/account/details' };

/** Proves the key. @throws Failure if it is refused, or the store did not say */
export async function askForAccount(send: Send): Promise<void> {
	const { data } = (await send(ACCOUNT)).body;
	// One that has only the key is an echo of the request.
	const members = Object.values(without(mapIn(data), 'api_key'));
	if (members.every(isBlank)) throw missingMember('data');
}

/** All items of the account, because the API has no pages. Empty if the store says that there are none. */
export async function readItems(send: Send): Promise<IDataObject[]> {
	try {
		const { body } = await send({
			method: 'GET',
			path: '/api/items/all',
			isNone: (failure) => isNone(failure, [NO_ITEMS]),
		});
		if (Array.isArray(body.items)) return recordsIn(body.items);
		throw missingMember('items');
	} catch (error) {
		const failure = toFailure(error);
		// A wrong key may get the same message.
		if (failure.kind !== 'none') throw failure;
		await askForAccount(send);
		return [];
	}
}

/** @throws Failure, about the key if that is refused: a wrong one may get the same message as a missing item */
export async function readItem(query: IDataObject, send: Send): Promise<IDataObject> {
	try {
		const { body } = await send({ method: 'GET', path: '/api/items/item', query });
		return itemRecord(requireRecord(body, 'item'));
	} catch (error) {
		const failure = toFailure(error);
		if (failure.consequences.isRefusal) await askForAccount(send);
		throw failure;
	}
}

// Records with the document's types, where a store writes "49.00", "1,234.50" or 0. A version stays a text.

/** An amount of money, which a store may write for people. */
const amountIn = (value: unknown): number | undefined =>
	decimalIn(typeof value === 'string' ? value.replaceAll(/,(?=\d{3}\b)/g, '') : value);

const pricesIn = (value: unknown) =>
	isRecord(value) ? withTypes(value, { regular: amountIn, extended: amountIn }) : undefined;

/** Texts, which a store may write as one with commas, or by numbers. */
function textListIn(value: unknown): string[] | undefined {
	if (isRecord(value)) return textsIn(...Object.values(value));
	if (typeof value === 'string') return textsIn(...value.split(','));
	return value === null ? [] : undefined;
}

const mediaIn = (value: unknown) =>
	isRecord(value) ? withTypes(value, { screenshots: textListIn }) : undefined;

/** An item (document: "Item"). */
export const itemRecord = (entry: IDataObject): IDataObject =>
	withTypes(entry, {
		id: integerIn,
		options: textListIn,
		tags: textListIn,
		media: mediaIn,
		price: pricesIn,
	});

/** A purchase (document: "Purchase"). */
export const purchaseRecord = (entry: IDataObject): IDataObject =>
	withTypes(entry, {
		price: amountIn,
		downloaded: booleanIn,
		item: (item) => (isRecord(item) ? itemRecord(item) : undefined),
	});

const profileIn = (value: unknown) =>
	isRecord(value) ? withTypes(value, { social_links: mapIn }) : undefined;

/** The account that owns the key (document: "Account"). */
export const accountRecord = (entry: IDataObject): IDataObject =>
	withTypes(entry, { balance: amountIn, profile: profileIn });

const ITEM = ['id', 'name', 'category', 'version', 'price', 'currency', 'demo_link'] as const;

/** n8n's guide says at most ten. `item_matches` is there with the option *Expected Items*. */
const PURCHASE = [
	'valid',
	'reason',
	'purchase_code',
	'license_type',
	'supported_until',
	'support_active',
	'support_days_left',
	'item_id',
	'item_name',
	'item_matches',
] as const;

/** An item, complete or without its texts and pictures. */
export const itemOutput = (item: IDataObject, parameters: ParameterValues): IDataObject =>
	simplified(item, parameters, ITEM);

/** A purchase, complete with its item or with only the ID and the name of that. */
export const purchaseOutput = (
	{ item, ...purchase }: IDataObject,
	parameters: ParameterValues,
): IDataObject =>
	simplified({ ...purchase, item: isRecord(item) ? item : null }, parameters, PURCHASE);
