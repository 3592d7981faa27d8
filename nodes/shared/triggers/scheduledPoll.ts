// A poll of an active workflow: begins with the stored state, and stores the next one at the end, so a poll that fails changes
// nothing. Remembers what n8n may not have stored yet.

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { type Failure, isOutOfTime, toFailure } from '../values/failure';
import { mapIn, textIn } from '../values/json';
import type { Poll, TriggerDefinition } from './poll';

/** The triggers of which a poll runs now: n8n may start one although the last one has not ended. */
const running = new Set<string>();

/** What a poll reads, in hashes. */
interface PollSource {
	watched: string;
	connection: string;
}

export interface PreparedPoll {
	poll: Omit<Poll, 'state'>;
	source: PollSource;
	/** Asks whose the key is, beside the requests that are counted. */
	account: () => Promise<string | undefined>;
}

/** What n8n stores between two polls; empty before the first one. */
interface Stored extends Partial<PollSource> {
	account?: string | undefined;
	state?: IDataObject | undefined;
}

interface LastPoll {
	/** What was watched, and what n8n passed. */
	passed: string;
	/** What to begin with if n8n passes the same again. */
	next: Stored;
	/** Whether n8n may still store what the poll returned. */
	isPending: boolean;
	endedAt: number;
}

/** After so long, n8n has stored what it was going to store. */
const FORGOTTEN_MS = 24 * 60 * 60_000;

const lastPolls = new Map<string, LastPoll>();

/**
 * With durable cursors, n8n stores a poll while the next one may begin, or drops it. So n8n may pass a state twice. If the last poll
 * returned nothing, this one begins where that ended. Else this one returns nothing, and the one after it returns the records again.
 */
export async function scheduledRecords(
	context: IPollFunctions,
	definition: TriggerDefinition,
	prepared: PreparedPoll,
): Promise<IDataObject[]> {
	const trigger = `${context.getWorkflow().id} ${context.getNode().id}`;
	if (running.has(trigger)) return [];
	running.add(trigger);
	return await nextRecords(trigger, context, definition, prepared).finally(() => {
		running.delete(trigger);
	});
}

async function nextRecords(
	trigger: string,
	context: IPollFunctions,
	definition: TriggerDefinition,
	prepared: PreparedPoll,
): Promise<IDataObject[]> {
	const data = context.getWorkflowStaticData('node');
	const stored = storedIn(data);
	const passed = JSON.stringify([prepared.source.watched, stored]);
	const last = lastPolls.get(trigger);
	const again = last?.passed === passed ? last : undefined;
	if (again?.isPending) {
		again.isPending = false;
		return [];
	}
	const before = again ? again.next : stored;
	const { records, next, failure } = await pollFrom(before, definition, prepared);
	const isPending = records.length > 0;
	remember(trigger, { passed, next: isPending ? before : next, isPending, endedAt: Date.now() });
	// n8n saves the state after any write to it, so only what has changed is written.
	if (JSON.stringify(next) !== JSON.stringify(stored)) Object.assign(data, next);
	if (failure && !isPending) throw failure;
	return records;
}

function remember(trigger: string, poll: LastPoll): void {
	for (const [each, { endedAt }] of lastPolls)
		if (poll.endedAt - endedAt > FORGOTTEN_MS) lastPolls.delete(each);
	lastPolls.set(trigger, poll);
}

const storedIn = ({ watched, connection, account, state }: IDataObject): Stored => ({
	watched: textIn(watched) ?? '',
	connection: textIn(connection) ?? '',
	account: textIn(account),
	state: state === undefined ? undefined : mapIn(state),
});

const isSameAccount = (account: string | undefined, before: Stored): boolean =>
	account !== undefined && account === before.account;

/** A poll of something else, or of another account, is a first one. */
async function pollFrom(
	before: Stored,
	definition: TriggerDefinition,
	{ poll, source, account: askAccount }: PreparedPoll,
): Promise<{ records: IDataObject[]; next: Stored; failure?: Failure | undefined }> {
	const isNewKey = before.connection !== source.connection;
	let { account } = before;
	let state = before.watched === source.watched ? before.state : undefined;
	try {
		if (isNewKey && state) {
			account = await askAccount();
			if (!isSameAccount(account, before)) state = undefined;
		}
		const result = await definition.poll({ ...poll, state });
		// The records are there, so they do not fail for this.
		if (isNewKey && !state) account = await askAccount().catch(() => undefined);
		return { ...result, next: { ...source, account, state: result.state } };
	} catch (error) {
		// The next poll goes on.
		if (isOutOfTime(error) && state) return { records: [], next: before };
		throw toFailure(error);
	}
}
