import type { IDataObject } from 'n8n-workflow';

import { textIn } from '../../shared/values/json';
import type { Known } from './codeLedger';
import { OPEN, WAITING } from './codeLedger';

/** What a check showed: the purchase of a valid code; undefined for an invalid one. */
export type Purchase = IDataObject | undefined;

export interface Check {
	purchase: Purchase;
	/** What was known of the code before; undefined if it is new to the list. */
	known: Known | undefined;
	/** When the workflow was activated, and when the store answered, by its clock; epoch milliseconds. */
	since: number;
	at: number;
	/** Days before its end at which support is said to end. */
	daysBefore: number;
}

/** What follows from a check: what is known now, and whether the purchase is given out. */
export interface Finding {
	known: Known;
	isNews: boolean;
}

export interface CodeEvent {
	/** Whether a code of which this is known need not be checked again. */
	isDone(known: Known): boolean;
	judge(check: Check): Finding;
	/** Of several purchases, the one to show when a user tries the trigger has the greatest of these. */
	rank(purchase: IDataObject, at: number): number;
}

const DAY_MS = 86_400_000;

/** How a code that is valid, and told, is written. */
const VALID = '!';

/** Written before the end of the support period that was told; in base 36, to be short. */
const PERIOD = '.';

/** A code is told once: when it is valid for the first time since the workflow was activated. */
export const newPurchase: CodeEvent = {
	isDone: (known) => known === VALID,
	judge({ purchase, known, since }) {
		if (!purchase) return { known: OPEN, isNews: false };
		// Bought before the activation, and only now checked for the first time: that is no news.
		const isOld = known === WAITING && !(moment(purchase.date) > since);
		return { known: VALID, isNews: !isOld };
	},
	rank: ({ date }) => moment(date) || 0,
};

/** A purchase is told once for every period of support: when that ends within the days given. */
export const supportEnding: CodeEvent = {
	isDone: () => false,
	judge({ purchase, known, since, at, daysBefore }) {
		const told = known === undefined || known === WAITING ? OPEN : known;
		const end = moment(purchase?.supported_until);
		const isEnding = end > at && end - at <= daysBefore * DAY_MS;
		if (!isEnding) return { known: told, isNews: false };
		const period = `${PERIOD}${Math.floor(end / 1000).toString(36)}`;
		// It was ending when the workflow was activated.
		const isOld = known === WAITING && end - since <= daysBefore * DAY_MS;
		return { known: period, isNews: told !== period && !isOld };
	},
	// The one that ends next; those that have ended come last.
	rank({ supported_until }, at) {
		const end = moment(supported_until);
		return end > at ? -(end - at) : Number.NEGATIVE_INFINITY;
	},
};

/** Epoch milliseconds of a timestamp of the store; NaN, which is less and greater than nothing, if there is none. */
function moment(value: unknown): number {
	return Date.parse(textIn(value) ?? '');
}
