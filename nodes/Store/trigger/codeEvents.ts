import type { IDataObject } from 'n8n-workflow';

import { DAY_MS, momentIn } from '../../shared/values/moment';
import { type CodeState, OPEN, type Turns, WAITING } from './codeStates';

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
	/** Whether it starts the workflow. */
	isNew: boolean;
}

/** The output for a code that was checked, for a user who tries the trigger. */
export interface Sample {
	record: IDataObject;
	isValid: boolean;
	/** When the store answered, in epoch milliseconds by its clock. */
	at: number;
}

export interface CodeEvent extends Turns {
	/** Whether purchases from before the activation do not start the workflow. */
	ignoresExisting: boolean;
	/** What counts as known of a code that could not be checked in the poll in which it was given; undefined for nothing. */
	unchecked: CodeState | undefined;
	finding(check: Check): Finding;
	/** What is known of a code after a check that said neither valid nor invalid. */
	afterFailure(before: CodeState | undefined): CodeState;
	/** What a test of the trigger shows: one of these, or nothing. */
	sample(checked: Sample[]): IDataObject[];
}

/** What is known of a code that was valid, and needs no further check. */
const VALID = '!';

/** What is known of a code whose support is ending: this, then the end of the period in seconds since 1970, in base 36. */
const PERIOD = '.';

/** A code starts the workflow once: when it is valid for the first time since the activation. */
export const newPurchase: CodeEvent = {
	ignoresExisting: true,
	unchecked: undefined,
	isDone: (state) => state === VALID,
	isUrgent: () => false,
	afterFailure: (before = OPEN) => before,
	finding({ purchase, before, since }) {
		if (!purchase) return { state: OPEN, isNew: false };
		// A purchase from before the activation is not new, even if its code is checked only now.
		const isOld = before === WAITING && !(moment(purchase.date) > since);
		return { state: VALID, isNew: !isOld };
	},
	sample: (checked) => best(checked, ({ record: { date } }) => moment(date) || 0),
};

/** A purchase starts the workflow once for each period of support: when it ends within `daysBefore`. */
export const supportEnding: CodeEvent = {
	ignoresExisting: true,
	unchecked: undefined,
	isDone: () => false,
	isUrgent: () => false,
	afterFailure: (before = OPEN) => before,
	finding({ purchase, before = OPEN, since, at, daysBefore }) {
		const end = moment(purchase?.supported_until);
		const isEnding = end > at && end - at <= daysBefore * DAY_MS;
		if (!isEnding) return { state: before === WAITING ? OPEN : before, isNew: false };
		const period = `${PERIOD}${Math.floor(end / 1000).toString(36)}`;
		// Support that was already ending at the activation is not new.
		const isOld = before === WAITING && end - since <= daysBefore * DAY_MS;
		return { state: period, isNew: before !== period && !isOld };
	},
	// The support that ends next; ended ones come last.
	sample: (checked) =>
		best(checked, ({ record: { supported_until }, at }) => {
			const end = moment(supported_until);
			return end > at ? -(end - at) : Number.NEGATIVE_INFINITY;
		}),
};

/** What is known of a code that was valid, and was invalid in its last check. */
const SUSPECT = '~';

/**
 * A code starts the workflow when it was valid, and was then invalid in two checks in a row. It counts as valid when it is given,
 * unless the same poll finds it invalid: n8n may not store what later polls find, so a refund could not be told from a code that
 * never was valid.
 */
export const becameInvalid: CodeEvent = {
	ignoresExisting: false,
	unchecked: VALID,
	isDone: () => false,
	isUrgent: (state) => state === SUSPECT,
	// Not urgent any more: codes that cannot be checked do not keep the others waiting.
	afterFailure: (before) => (before === OPEN ? OPEN : VALID),
	finding({ purchase, before }) {
		if (purchase) return { state: VALID, isNew: false };
		if (before === VALID) return { state: SUSPECT, isNew: false };
		return { state: OPEN, isNew: before === SUSPECT };
	},
	// Whether an invalid code was valid before is not known, so nothing that a test shows has happened.
	sample: (checked) =>
		checked
			.toSorted((a, b) => Number(a.isValid) - Number(b.isValid))
			.slice(0, 1)
			.map(({ record }) => ({ ...record, is_sample: true })),
};

/** The purchase with the greatest rank. */
function best(checked: Sample[], rank: (sample: Sample) => number): IDataObject[] {
	const [first] = checked.filter(({ isValid }) => isValid).toSorted((a, b) => rank(b) - rank(a));
	return first ? [first.record] : [];
}

/** Epoch milliseconds of a timestamp of the store; NaN, with which every comparison is false, if there is none. */
const moment = (value: unknown): number => momentIn(value) ?? Number.NaN;
