// A poll of an active workflow: begins with the stored state, and stores the next one at the end, so a poll that fails changes
// nothing. Remembers what n8n may not have stored yet.

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { isOutOfTime, toFailure } from '../values/failure';
import { isRecord } from '../values/json';
import type { Poll, PollResult, TriggerDefinition } from './poll';

/** The triggers of which a poll runs now: n8n may start one although the last one has not ended. */
const running = new Set<string>();

interface LastPoll {
	/** The state that n8n passed. */
	passed: string;
	/** The state to begin with if n8n passes the same one again. */
	next: IDataObject | undefined;
	/** Whether n8n may still store what the poll returned. */
	isPending: boolean;
}

const lastPolls = new Map<string, LastPoll>();

export type StatelessPoll = Omit<Poll, 'state'>;

/**
 * With durable cursors, n8n stores a poll while the next one may begin, or drops it. So if it passes a state twice, that of the last
 * poll counts if it returned nothing; else this poll is skipped, and the next one returns the records again.
 */
export async function scheduledRecords(
	context: IPollFunctions,
	watch: TriggerDefinition,
	source: string,
	poll: StatelessPoll,
): Promise<IDataObject[]> {
	const trigger = `${context.getWorkflow().id} ${context.getNode().id}`;
	if (running.has(trigger)) return [];
	running.add(trigger);
	try {
		const stored = context.getWorkflowStaticData('node');
		const kept = stored.source === source && isRecord(stored.state) ? stored.state : undefined;
		const passed = JSON.stringify([source, kept]);
		const last = lastPolls.get(trigger);
		const again = last?.passed === passed ? last : undefined;
		if (again?.isPending) {
			again.isPending = false;
			return [];
		}
		const before = again ? again.next : kept;
		const { records, state, failure } = await pollFrom(before, watch, poll);
		const isPending = records.length > 0;
		lastPolls.set(trigger, { passed, next: isPending ? before : state, isPending });
		// n8n saves the state after any write to it, so only what has changed is written.
		if (JSON.stringify(state) !== JSON.stringify(kept)) Object.assign(stored, { source, state });
		if (failure && !isPending) throw failure;
		return records;
	} finally {
		running.delete(trigger);
	}
}

async function pollFrom(
	state: IDataObject | undefined,
	watch: TriggerDefinition,
	poll: StatelessPoll,
): Promise<PollResult> {
	try {
		return await watch.poll({ ...poll, state });
	} catch (error) {
		// The next poll goes on.
		if (isOutOfTime(error) && state) return { records: [], state };
		throw toFailure(error);
	}
}
