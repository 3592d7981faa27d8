import type { IDataObject } from 'n8n-workflow';

export interface PollResult {
	/** What starts the workflow, the oldest first. */
	records: IDataObject[];
	/** What the next poll needs to know. */
	state: State;
}

type State = IDataObject | undefined;

/** The last poll of a trigger. */
interface LastPoll {
	/** What is watched, and the state that n8n passed, as JSON. */
	from: string;
	/** The state to begin with if n8n passes the same one again. */
	next: State;
	/** Whether n8n may still be storing the records that the poll returned. */
	isPending: boolean;
}

/** By trigger, as long as the process lives; of too many the oldest are dropped. */
const lastPolls = new Map<string, LastPoll>();
const MOST_TRIGGERS = 1000;

/** The triggers that are polling now: n8n starts a poll even if the last one has not ended. */
const polling = new Set<string>();

/**
 * Runs a poll with the state that the last one left. n8n stores state and records after a poll, while the next one may
 * begin, or drops both. After an activation's first poll without records it stores nothing. So if n8n passes the same state
 * twice:
 * - If the last poll returned no records, this one begins with the state that it left.
 * - If it returned records, n8n may be storing them, and this poll is skipped. If the poll after it gets the same state, too,
 *   n8n has dropped the records, and they are returned again.
 *
 * @param trigger identifies the trigger
 * @param source identifies what it watches
 * @param passed the state that n8n passed
 * @returns undefined if the poll is skipped
 * @throws what the poll throws; then the next one begins with the same state
 */
export async function pollWithState(
	trigger: string,
	source: string,
	passed: State,
	poll: (state: State) => Promise<PollResult>,
): Promise<PollResult | undefined> {
	const watched = `${trigger} ${source}`;
	if (polling.has(watched)) return undefined;
	const from = JSON.stringify([source, passed]);
	const known = lastPolls.get(trigger);
	const last = known?.from === from ? known : undefined;
	if (last?.isPending) {
		last.isPending = false;
		return undefined;
	}
	const state = last ? last.next : passed;
	polling.add(watched);
	try {
		const result = await poll(state);
		const isPending = result.records.length > 0;
		remember(trigger, { from, next: isPending ? state : result.state, isPending });
		return result;
	} finally {
		polling.delete(watched);
	}
}

function remember(trigger: string, poll: LastPoll): void {
	lastPolls.delete(trigger);
	lastPolls.set(trigger, poll);
	const [eldest] = lastPolls.keys();
	if (lastPolls.size > MOST_TRIGGERS && eldest !== undefined) lastPolls.delete(eldest);
}
