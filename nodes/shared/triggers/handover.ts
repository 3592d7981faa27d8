import type { IDataObject } from 'n8n-workflow';

import type { PollResult } from './poll';

type State = IDataObject | undefined;

/** What a trigger's last poll began with, because n8n may hand it over once more. */
interface Handover {
	/** What is watched, and the state that n8n handed over. */
	from: string;
	/** Where to go on if n8n hands over the same again. */
	next: State;
	/** Whether records were given out, of which nothing tells yet whether n8n keeps or drops them. */
	isOpen: boolean;
}

/** By trigger, for as long as the process lives; the eldest go when there are too many. */
const handovers = new Map<string, Handover>();
const MOST_TRIGGERS = 1000;

/** Triggers whose poll is under way. n8n starts a poll at its time, also if the one before has not ended. */
const underWay = new Set<string>();

/**
 * Runs a poll from the state that the one before left. n8n hands over copies of what it has stored. It stores after a
 * poll has ended, waits for that with no other poll, and may drop what the poll gave out together with its state: when
 * the workflow was deactivated meanwhile, when its database fails. Of the first poll of an activation it keeps no state
 * at all if nothing was given out. So a poll may be handed the state of the poll before it once more:
 * - Nothing was given out then: it goes on from what that one left.
 * - Records were given out: it is left out, because n8n may be about to store them. If the next one is handed the same
 *   state again, n8n has dropped them, and they are given out again.
 *
 * @returns undefined if the poll has to be left out
 * @throws what the poll throws; then the next one begins where this one did
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
