// Picks the state that a poll begins with, because n8n stores a state only after its poll. Skips a poll while another one of this
// trigger runs, or while n8n may still be storing what the last one returned.

import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../values/failure';

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
}

/** What is remembered of a trigger. */
interface TriggerPolls {
	/** What its polls that run now watch: n8n starts a poll even if the last one has not ended. */
	running: Set<string>;
	last?: LastPoll;
	/** Whether one of its polls has succeeded. */
	hasSucceeded: boolean;
	/** When the last one began, in milliseconds. */
	at: number;
}

/** A trigger that has not polled for so long is no longer active. */
const FORGOTTEN_AFTER_MS = 32 * 24 * 60 * 60 * 1000;

/** By workflow and node ID. */
const triggers = new Map<string, TriggerPolls>();

function pollsOf(trigger: string, now: number): TriggerPolls {
	for (const [key, { at }] of triggers) if (now - at > FORGOTTEN_AFTER_MS) triggers.delete(key);
	const polls = triggers.get(trigger) ?? { running: new Set(), hasSucceeded: false, at: now };
	polls.at = now;
	triggers.set(trigger, polls);
	return polls;
}

/**
 * n8n stores state and records after a poll, while the next one may begin, or drops both. So if it passes the same state twice:
 * - If the last poll returned no records, this one begins with the state that it left.
 * - If it returned records, n8n may be storing them, and this poll is skipped. At the third time, they are returned again.
 * @param now in milliseconds, on a clock that only goes forward
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
	const polls = pollsOf(trigger, now);
	if (polls.running.has(source)) return undefined;
	const from = JSON.stringify([source, passed]);
	const last = polls.last?.from === from ? polls.last : undefined;
	if (last?.isPending) {
		last.isPending = false;
		return undefined;
	}
	const state = last ? last.next : passed;
	polls.running.add(source);
	try {
		const result = await poll(state, !polls.hasSucceeded);
		const isPending = result.records.length > 0;
		const next = isPending ? state : result.state;
		polls.last = { from, next, isPending };
		polls.hasSucceeded ||= !result.failure;
		return result;
	} finally {
		polls.running.delete(source);
	}
}
