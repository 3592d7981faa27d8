import type { IDataObject } from 'n8n-workflow';

import type { PollResult } from './poll';

type State = IDataObject | undefined;

/** A trigger's last poll, because n8n may pass the same state to the next one. */
interface Handover {
	/** What is watched, and the state that n8n passed, as JSON. */
	from: string;
	/** The state to go on with if n8n passes the same one again. */
	next: State;
	/** Whether the poll returned records, and it is not known yet whether n8n stored or dropped them. */
	isOpen: boolean;
}

/** By trigger, as long as the process lives; of too many the oldest are dropped. */
const handovers = new Map<string, Handover>();
const MOST_TRIGGERS = 1000;

/** The triggers that are polling now: n8n starts a poll even if the last one has not ended. */
const underWay = new Set<string>();

/**
 * Runs a poll with the state that the last one left. n8n passes a copy of the state that it has stored, and it stores after
 * a poll, while the next one may begin. If the workflow is deactivated meanwhile, or the database fails, it drops the
 * records of the poll together with its state. The state of an activation's first poll is not stored at all if it returned
 * no records. So a poll may get the same state as the last one:
 * - If the last one returned no records, this one goes on with the state that it left.
 * - If it returned records, n8n may be about to store them, so this poll is skipped. If the next one gets the same state,
 *   too, n8n has dropped the records, and they are returned again.
 *
 * @param trigger identifies the trigger
 * @param source identifies what it watches
 * @param handed the state that n8n passed
 * @returns undefined if the poll is skipped
 * @throws what the poll throws; then the next one begins with the same state
 */
export async function inTurn(
	trigger: string,
	source: string,
	handed: State,
	poll: (state: State) => Promise<PollResult>,
): Promise<PollResult | undefined> {
	const turn = `${trigger} ${source}`;
	if (underWay.has(turn)) return undefined;
	const from = JSON.stringify([source, handed]);
	const known = handovers.get(trigger);
	const last = known?.from === from ? known : undefined;
	if (last?.isOpen) {
		last.isOpen = false;
		return undefined;
	}
	const state = last ? last.next : handed;
	underWay.add(turn);
	try {
		const result = await poll(state);
		const isOpen = result.records.length > 0;
		remember(trigger, { from, next: isOpen ? state : result.state, isOpen });
		return result;
	} finally {
		underWay.delete(turn);
	}
}

function remember(trigger: string, handover: Handover): void {
	handovers.delete(trigger);
	handovers.set(trigger, handover);
	const [eldest] = handovers.keys();
	if (handovers.size > MOST_TRIGGERS && eldest !== undefined) handovers.delete(eldest);
}
