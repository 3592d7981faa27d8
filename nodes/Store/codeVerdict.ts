import type { IDataObject } from 'n8n-workflow';

import type { Connection, Send } from '../shared/http/connection';
import { type Failure, toFailure } from '../shared/values/failure';
import { isRecord, mapIn, missingMember, textIn } from '../shared/values/json';
import { DAY_MS, momentIn } from '../shared/values/moment';
import { isBlank } from '../shared/values/input';
import { codeFailure, isInvalidCode } from './purchaseCode';
import { purchaseRecord } from './records';

export interface CodeVerdict {
	/** Undefined if the code is invalid. */
	purchase: IDataObject | undefined;
	/** Why the code is invalid, in the store's words. */
	reason: string;
	/** When the store answered, in epoch milliseconds by its own clock; 0 for an invalid code. */
	at: number;
}

/** See `keyVerifier.ts` before you believe that a code is invalid. @throws Failure if the store says neither valid nor invalid */
export async function checkCode(
	code: string,
	send: Send,
	connection: Connection,
): Promise<CodeVerdict> {
	const isOwnRefusal = (failure: Failure) => isInvalidCode(failure, connection);
	try {
		const { body, answeredAt: at } = await send({
			method: 'POST',
			path: '/api/purchases/validation',
			body: { purchase_code: code },
			isOwnRefusal,
		});
		return { purchase: purchaseResult(body, code, at), reason: '', at };
	} catch (error) {
		const failure = toFailure(error);
		if (!isOwnRefusal(failure)) throw codeFailure(failure);
		return { purchase: undefined, reason: failure.message, at: 0 };
	}
}

/** The columns of a purchase that a store may leave out. */
const NO_PURCHASE = {
	purchase_code: null,
	license_type: null,
	price: null,
	currency: null,
	supported_until: null,
	downloaded: null,
	date: null,
};

/** The members of a purchase that no item has (document: "Purchase"). */
const PURCHASE_ONLY = ['purchase_code', 'license_type', 'supported_until', 'downloaded', 'date'];

/** First in the output, and never those of the store. */
const VALID_VERDICT = { valid: true, reason: null };

/** The item is last, because it is by far the largest member. @param at epoch milliseconds @throws Failure without a purchase */
function purchaseResult(body: IDataObject, code: string, at: number): IDataObject {
	const { item = null, ...purchase } = purchaseRecord(purchaseIn(body));
	const { purchase_code: stored = '' } = purchase;
	const spelling = textIn(typeof stored === 'number' ? String(stored) : stored) ?? code;
	return {
		...VALID_VERDICT,
		...NO_PURCHASE,
		...purchase,
		...VALID_VERDICT,
		purchase_code: code,
		...(spelling === code ? {} : { stored_code: spelling }),
		...support(purchase.supported_until, at),
		item,
	};
}

/** The document has the purchase in `data.purchase`; some stores have it elsewhere. */
function purchaseIn(body: IDataObject): IDataObject {
	const data = mapIn(body.data);
	const found = [data.purchase, data, body.purchase, body.item].find(
		(value) => isRecord(value) && PURCHASE_ONLY.some((name) => !isBlank(value[name])),
	);
	if (isRecord(found)) return found;
	throw missingMember('purchase');
}

/** The result for an invalid code, with the members of a valid one. @param reason in the store's words */
export function invalidPurchase(code: string, reason: string): IDataObject {
	return {
		valid: false,
		reason,
		...NO_PURCHASE,
		purchase_code: code,
		support_active: false,
		support_days_left: null,
		item: null,
	};
}

/** Days are rounded up; null if the end cannot be read. @param until left out without support @param at epoch milliseconds */
function support(until: unknown, at: number): IDataObject {
	const end = isBlank(until) || until === false ? 0 : momentIn(until);
	if (end === undefined) return { support_active: null, support_days_left: null };
	const isActive = end > at;
	const left = isActive ? Math.ceil((end - at) / DAY_MS) : 0;
	return { support_active: isActive, support_days_left: left };
}
