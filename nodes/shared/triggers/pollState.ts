import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../values/failure';

// Runs a poll, or skips it, by what it remembers of the last one in memory: n8n may not have stored that one's state.

export interface PollResult {
	/** What starts the workflow, the oldest first. */
	records: IDataObject[];
	state: State;
	/** Why there are no records. n8n shows it, and the state is kept all the same. */
	failure?: Failure | undefined;
}

type State = IDataObject | undefined;

interface LastPoll {
	/** What is watched, and the state that n8n passed, as JSON. */
	from: string;
	/** The state to begin with if n8n passes the same one again. */
	next: State;
	/** Whether n8n may still be storing the records that the poll returned. */
	isPending: boolean;
	/** Whether this or an earlier poll succeeded. */
	hasSucceeded: boolean;
	/** In epoch milliseconds. */
	at: number;
}

/** A trigger that has not polled for so long is no longer active. */
const FORGOTTEN_AFTER_MS = 32 * 24 * 60 * 60 * 1000;

/** By workflow and node ID. An entry is removed when its trigger has not polled for a month. */
const lastPolls = new Map<string, LastPoll>();

/** n8n starts a poll even if the last one has not ended. */
const polling = new Set<string>();

/**
 * n8n stores state and records after a poll, while the next one may begin, or drops both. So if it passes the same state twice:
 * - If the last poll returned no records, this one begins with the state that it left.
 * - If it returned records, n8n may be storing them, and this poll is skipped. At the third time, they are returned again.
 * @param now in epoch milliseconds
 * @param poll gets the state to begin with, and whether no poll has succeeded since n8n started
 * @returns undefined if the poll is skipped
 */
export async function pollWithState(
	trigger: string,
	source: string,
	passed: State,
	now: number,
	poll: (state: State, isRestart: boolean) => Promise<PollResult>,
): Promise<PollResult | undefined> {
	const watched = `${trigger} ${source}`;
	if (polling.has(watched)) return undefined;
	for (const [key, { at }] of lastPolls) if (now - at > FORGOTTEN_AFTER_MS) lastPolls.delete(key);
	const from = JSON.stringify([source, passed]);
	const before = lastPolls.get(trigger);
	const last = before?.from === from ? before : undefined;
	if (last?.isPending) {
		last.isPending = false;
		return undefined;
	}
	const state = last ? last.next : passed;
	const isRestart = before?.hasSucceeded !== true;
	polling.add(watched);
	try {
		const result = await poll(state, isRestart);
		const isPending = result.records.length > 0;
		const next = isPending ? state : result.state;
		const hasSucceeded = !isRestart || !result.failure;
		lastPolls.set(trigger, { from, next, isPending, hasSucceeded, at: now });
		return result;
	} finally {
		polling.delete(watched);
	}
}
