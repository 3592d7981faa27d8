// The events of purchase codes as data: what is known of a code, and when it starts the workflow.

import type { IDataObject } from 'n8n-workflow';

import { DAY_MS, momentIn } from '../../shared/values/moment';
import type { CodeVerdict } from '../codeVerdict';

/** `new`: what was so before does not start the workflow; `suspect`: it was valid, and invalid in its last check. */
export type CodeState = 'new' | 'open' | 'valid' | 'suspect';

export interface KnownCode {
	state: CodeState;
	/** The last end of support that was reported, or that is not to be. */
	notifiedUntil?: string | undefined;
	/** What it was for when it was valid. */
	before?: IDataObject | undefined;
}

export interface CodeEvent {
	/** Whether a code that is valid need not be checked again. */
	isOnce?: true;
	/** Whether a code that is invalid now is a sample of what starts the workflow. */
	isOfInvalid?: true;
	/** @param daysBefore its end support counts as ending; 0: when it has ended */
	transition(
		known: KnownCode,
		verdict: CodeVerdict,
		daysBefore: number,
	): { next: KnownCode; starts: boolean };
}

/** A code starts the workflow once: when it is valid for the first time. */
export const newPurchase: CodeEvent = {
	isOnce: true,
	transition: ({ state }, { purchase }) =>
		purchase
			? { next: { state: 'valid' }, starts: state === 'open' }
			: { next: { state: 'open' }, starts: false },
};

/** A purchase starts the workflow once for each period of support: when it ends within `daysBefore`, or has ended. */
export const supportEnding: CodeEvent = {
	transition({ state, notifiedUntil }, { purchase, at }, daysBefore) {
		// Support that never ends is always active.
		const end = momentIn(purchase?.supported_until) ?? Infinity;
		const isEnding = end > at && end - at <= daysBefore * DAY_MS;
		const isDue = daysBefore === 0 ? end <= at : isEnding;
		if (!isDue) return { next: { state: 'open', notifiedUntil }, starts: false };
		const until = new Date(end).toISOString();
		const starts = state !== 'new' && until !== notifiedUntil;
		return { next: { state: 'open', notifiedUntil: until }, starts };
	},
};

/** A code starts the workflow when a check found it valid, and the last two found it invalid. */
export const becameInvalid: CodeEvent = {
	isOfInvalid: true,
	transition({ state, before }, { purchase }) {
		if (purchase) return { next: { state: 'valid', before: lastKnown(purchase) }, starts: false };
		if (state === 'valid') return { next: { state: 'suspect', before }, starts: false };
		return { next: { state: 'open' }, starts: state === 'suspect' };
	},
};

/** Little enough to be stored for a thousand codes. */
const lastKnown = ({ item_id, item_name, license_type, date }: IDataObject): IDataObject => ({
	item_id,
	item_name,
	license_type,
	date,
});
