// What the store says of a purchase code: a purchase, or that the code is invalid. Anything else is a failure, never a verdict. A store
// may say the same of a wrong key, so an invalid code is believed only once the key is proved.

import type { IDataObject } from 'n8n-workflow';

import type { Connection } from '../shared/http/connection';
import type { ServiceCredential } from '../shared/http/credential';
import type { Send } from '../shared/http/service';
import { keptBy, type Session } from '../shared/operations/session';
import { Failure, toFailure } from '../shared/values/failure';
import { isBlank } from '../shared/values/input';
import {
	booleanIn,
	idIn,
	isRecord,
	mapIn,
	missingMember,
	textsIn,
	without,
} from '../shared/values/json';
import { DAY_MS, momentIn } from '../shared/values/moment';
import { isSameCode } from './purchaseCode';
import { askForAccount, purchaseRecord } from './records';
import { codeFailure, INVALID_CODE, isNone } from './refusals';

export interface CodeVerdict {
	/** Undefined if the code is invalid. */
	purchase: IDataObject | undefined;
	reason: string;
	/** When the store answered, in epoch milliseconds by its own clock; 0 for an invalid code. */
	at: number;
}

/** See `KeyVerifier` before you believe that a code is invalid. @throws Failure if the store says neither valid nor invalid */
export async function checkCode(
	code: string,
	send: Send,
	{ invalidCodeMessages }: ServiceCredential,
): Promise<CodeVerdict> {
	try {
		const { body, answeredAt: at } = await send({
			method: 'POST',
			path: '/api/purchases/validation',
			body: { purchase_code: code },
			isNone: (failure) => isNone(failure, [INVALID_CODE, ...invalidCodeMessages]),
		});
		return { purchase: purchaseResult(body, code, at), reason: '', at };
	} catch (error) {
		const failure = toFailure(error);
		if (failure.kind !== 'none') throw codeFailure(failure);
		return { purchase: undefined, reason: failure.message, at: 0 };
	}
}

/** The result for an invalid code, with the members of a valid one. @param reason in the store's words */
export const invalidPurchase = (code: string, reason: string | null): IDataObject => ({
	valid: false,
	reason,
	purchase_code: code,
	license_type: null,
	price: null,
	currency: null,
	supported_until: null,
	downloaded: null,
	date: null,
	support_active: false,
	support_days_left: null,
	item_id: null,
	item_name: null,
	item: null,
});

/** With the code as the store spells it. The item is last, because it is by far the largest member. */
function purchaseResult(body: IDataObject, code: string, at: number): IDataObject {
	const { item = null, ...purchase } = purchaseRecord(purchaseIn(body));
	const [spelling = code] = textsIn(purchase.purchase_code);
	if (!isSameCode(spelling, code)) {
		const message = 'The store responded with the purchase of another code';
		throw new Failure({ kind: 'unreadable', message });
	}
	const { id, name } = mapIn(item);
	return {
		...without(invalidPurchase(spelling, null), 'item'),
		...without(purchase, 'purchase_code', 'reason'),
		valid: true,
		...support(purchase.supported_until, at),
		item_id: id ?? idIn(purchase.item_id) ?? purchase.item_id ?? null,
		item_name: name ?? purchase.item_name ?? null,
		item,
	};
}

/** The members of a purchase that neither an item nor an echo of the request has (document: "Purchase"). */
const PURCHASE_ONLY = ['license_type', 'supported_until', 'downloaded', 'date'];

/** Those that prove a purchase only beside its code. */
const PURCHASE_TOO = ['price', 'currency', 'item'];

/** Members beyond the document that call a purchase invalid. */
const VERDICT_MEMBERS = ['valid', 'is_valid', 'success'];

/** The document has the purchase in `data.purchase`; some stores have it elsewhere. */
function purchaseIn(body: IDataObject): IDataObject {
	const data = mapIn(body.data);
	const found = [data.purchase, data, body.purchase, body.item].find(isPurchase);
	const isRefused = [body, data, mapIn(found)].some((members) =>
		VERDICT_MEMBERS.some((name) => booleanIn(members[name]) === false),
	);
	if (isRecord(found) && !isRefused) return found;
	throw missingMember('purchase');
}

function isPurchase(value: unknown): boolean {
	const has = (name: string): boolean => isRecord(value) && !isBlank(value[name]);
	return PURCHASE_ONLY.some(has) || (has('purchase_code') && PURCHASE_TOO.some(has));
}

/** Days are rounded up; null if the end cannot be read. @param until left out without support */
function support(until: unknown, at: number): IDataObject {
	const end = isBlank(until) || until === false ? 0 : momentIn(until);
	if (end === undefined) return { support_active: null, support_days_left: null };
	const left = Math.max(0, Math.ceil((end - at) / DAY_MS));
	return { support_active: end > at, support_days_left: left };
}

/** An invalid code is believed once a request that was sent after it proved the key: a valid code, or the account. */
export class KeyVerifier {
	/** How many codes were invalid, and how many of these were so before a request that proved the key. */
	private invalid = 0;
	private proved = 0;
	/** The request for the account at the first invalid code. */
	private first: Promise<void> | undefined;

	constructor(
		private readonly send: Send,
		private readonly connection: Connection,
	) {}

	async check(code: string): Promise<CodeVerdict> {
		const before = this.invalid;
		const verdict = await checkCode(code, this.send, this.connection);
		if (verdict.purchase) this.proved = Math.max(this.proved, before);
		else this.invalid += 1;
		return verdict;
	}

	/** The same in a run: if the key is refused, the first invalid code shows it, so that the run ends soon. @throws Failure */
	async checkInRun(code: string): Promise<CodeVerdict> {
		const verdict = await this.check(code);
		if (verdict.purchase) return verdict;
		this.first ??= this.ask();
		await this.first.catch((error: unknown) => {
			// Without a response, a later request may prove the key.
			if (toFailure(error).consequences.endsRun) throw error;
		});
		return verdict;
	}

	/** @throws Failure unless the key was proved since the last invalid code, or the account proves it */
	async prove(): Promise<void> {
		if (this.proved < this.invalid) await this.ask();
	}

	private async ask(): Promise<void> {
		const before = this.invalid;
		await askForAccount(this.send);
		this.proved = Math.max(this.proved, before);
	}
}

export const verifierOf = keptBy(
	({ send, connection }: Session) => new KeyVerifier(send, connection),
);
