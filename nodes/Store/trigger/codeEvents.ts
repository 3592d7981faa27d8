// The events of purchase codes as data: what is known of a code, and when it starts the workflow.

import type { IDataObject } from 'n8n-workflow';

import { DAY_MS, momentIn } from '../../shared/values/moment';

export interface CodeEvent {
	/** What is known of a code that is given in the first poll, and not checked in it. */
	given: string;
	/** The same, if that poll checks it. */
	first: string;
	/** What is known of a code that is given later. */
	added: string;
	/** Whether a code that is valid need not be checked again. */
	isOnce: boolean;
	/**
	 * @param purchase undefined if the code is invalid
	 * @param before what was known of the code
	 * @param at when the store answered, in epoch milliseconds by its clock
	 * @param daysBefore how many days before its end support counts as ending
	 * @returns what is known of the code now, and whether it starts the workflow
	 */
	finding(
		purchase: IDataObject | undefined,
		before: string,
		at: number,
		daysBefore: number,
	): { state: string; isNew: boolean };
}

/** The code was given in the first poll: what was so before does not start the workflow. */
const WAITING = '?';
/** The code was checked, and did not start the workflow. */
const OPEN = '';
export const VALID = '!';
/** The code was valid, and invalid in its last check. */
const SUSPECT = '~';

/** A code starts the workflow once: when it is valid for the first time. */
export const newPurchase: CodeEvent = {
	given: WAITING,
	first: WAITING,
	added: OPEN,
	isOnce: true,
	finding: (purchase, before) =>
		purchase ? { state: VALID, isNew: before === OPEN } : { state: OPEN, isNew: false },
};

/** A purchase starts the workflow once for each period of support: when it ends within `daysBefore`. */
export const supportEnding: CodeEvent = {
	given: WAITING,
	first: WAITING,
	added: OPEN,
	isOnce: false,
	finding(purchase, before, at, daysBefore) {
		const end = momentIn(purchase?.supported_until) ?? 0;
		const isEnding = end > at && end - at <= daysBefore * DAY_MS;
		if (!isEnding) return { state: before === WAITING ? OPEN : before, isNew: false };
		const period = Math.floor(end / 1000).toString(36);
		return { state: period, isNew: before !== WAITING && before !== period };
	},
};

/**
 * A code starts the workflow when it was valid, and then invalid in two checks in a row. It counts as valid when it is given, unless
 * the first poll finds it invalid: n8n may not store what later polls find, so a refund could not be told from a code that never
 * was valid.
 */
export const becameInvalid: CodeEvent = {
	given: VALID,
	first: OPEN,
	added: VALID,
	isOnce: false,
	finding(purchase, before) {
		if (purchase) return { state: VALID, isNew: false };
		return before === VALID
			? { state: SUSPECT, isNew: false }
			: { state: OPEN, isNew: before === SUSPECT };
	},
};
