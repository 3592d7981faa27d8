import type { IDataObject } from 'n8n-workflow';

import { isRecord, mapIn, requireRecord } from '../shared/values/json';

/** The members of a purchase that no item has (document: "Purchase"). */
const PURCHASE_ONLY = ['purchase_code', 'license_type', 'supported_until', 'downloaded', 'date'];

/**
 * The purchase of a valid code, with the state of its support. The item is last, because it is by far the largest member.
 * @param code as it was sent
 * @param at when the store answered, in epoch milliseconds
 * @throws Failure if the response holds no purchase
 */
export function purchaseRecord(body: IDataObject, code: string, at: number): IDataObject {
	const { item = null, ...purchase } = purchaseIn(body);
	return {
		...{ valid: true, reason: null, ...purchase, purchase_code: code },
		...{ ...support(purchase.supported_until, at), item },
	};
}

/** The document has the purchase in `data.purchase`; some stores have it elsewhere. */
function purchaseIn(body: IDataObject): IDataObject {
	const data = mapIn(body.data);
	const found = [data.purchase, data, body.purchase, body.item].find(
		(value) => isRecord(value) && PURCHASE_ONLY.some((name) => name in value),
	);
	return isRecord(found) ? found : requireRecord(data, 'purchase');
}

/** The result for an invalid code, with the members of a valid one. @param reason in the store's words */
export function invalidPurchase(code: string, reason: string): IDataObject {
	return {
		...{ valid: false, reason, purchase_code: code },
		...{ license_type: null, price: null, currency: null },
		...{ supported_until: null, downloaded: null, date: null },
		...{ support_active: false, support_days_left: null, item: null },
	};
}

const DAY_MS = 86_400_000;

/**
 * Whether support is active, and how many days of it are left, rounded up; 0 without support.
 * @param until `supported_until`, left out by the store when support is disabled or not offered
 * @param at epoch milliseconds
 */
function support(until: unknown, at: number): IDataObject {
	const left = typeof until === 'string' ? Date.parse(until) - at : Number.NaN;
	const isActive = left > 0;
	return { support_active: isActive, support_days_left: isActive ? Math.ceil(left / DAY_MS) : 0 };
}
