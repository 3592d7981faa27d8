import type { IDataObject } from 'n8n-workflow';

import { textIn } from '../../shared/values/json';
import { type CodeState, OPEN, WAITING } from './codeStates';

interface Check {
	/** Undefined if the code is invalid. */
	purchase: IDataObject | undefined;
	/** What was known of the code; undefined if the code is new. */
	before: CodeState | undefined;
	/** When the workflow was activated, and when the store answered; epoch milliseconds, by the store's clock. */
	since: number;
	at: number;
	/** How many days before its end support counts as ending. */
	daysBefore: number;
}

interface Finding {
	/** What is known of the code after the check. */
	state: CodeState;
	/** Whether its purchase starts the workflow. */
	isNew: boolean;
}

export interface CodeEvent {
	/** Whether a code need not be checked again. */
	isDone: (state: CodeState) => boolean;
	finding(check: Check): Finding;
	/** A test of the trigger shows the purchase with the greatest rank. */
	rank(purchase: IDataObject, at: number): number;
}

const DAY_MS = 86_400_000;

/** What is known of a code that was valid, and needs no further check. */
const VALID = '!';

/** What is known of a code whose support is ending: this, then the end of the period in seconds since 1970, in base 36. */
const PERIOD = '.';

/** A code starts the workflow once: when it is valid for the first time since the activation. */
export const newPurchase: CodeEvent = {
	isDone: (state) => state === VALID,
	finding({ purchase, before, since }) {
		if (!purchase) return { state: OPEN, isNew: false };
		// A purchase from before the activation is not new, even if its code is checked only now.
		const isOld = before === WAITING && !(moment(purchase.date) > since);
		return { state: VALID, isNew: !isOld };
	},
	rank: ({ date }) => moment(date) || 0,
};

/** A purchase starts the workflow once for each period of support: when it ends within `daysBefore`. */
export const supportEnding: CodeEvent = {
	isDone: () => false,
	finding({ purchase, before = OPEN, since, at, daysBefore }) {
		const end = moment(purchase?.supported_until);
		const isEnding = end > at && end - at <= daysBefore * DAY_MS;
		if (!isEnding) return { state: before === WAITING ? OPEN : before, isNew: false };
		const period = `${PERIOD}${Math.floor(end / 1000).toString(36)}`;
		// Support that was already ending at the activation is not new.
		const isOld = before === WAITING && end - since <= daysBefore * DAY_MS;
		return { state: period, isNew: before !== period && !isOld };
	},
	// The support that ends next has the greatest rank; ended ones come last.
	rank({ supported_until }, at) {
		const end = moment(supported_until);
		return end > at ? -(end - at) : Number.NEGATIVE_INFINITY;
	},
};

/** Epoch milliseconds of a timestamp of the store; NaN, with which every comparison is false, if there is none. */
function moment(value: unknown): number {
	return Date.parse(textIn(value) ?? '');
}
