// Runs a poll, or a test in the editor, for n8n: credential, stored state, deadline, errors. What a trigger declares (`Watch`)
// and gets (`Poll`), and how many requests a poll may take.

import type {
	IDataObject,
	INodeExecutionData,
	INodeProperties,
	IPollFunctions,
} from 'n8n-workflow';

import { connect, type Connection, type Service } from '../http/connection';
import type { Send } from '../http/connection';
import { interactiveOptions, senderOf } from '../http/request';
import { nodeError } from '../operations/runOperation';
import { checkedFields, parameterGetter } from '../operations/parameters';
import { digest } from '../values/digest';
import { Failure, inputFailure, isOutOfTime, toFailure } from '../values/failure';
import { isRecord } from '../values/json';
import type { GetParameter } from '../values/input';

/** One poll. `runPoll` does n8n's part and sets the deadline; `Watch.poll` finds the records. */
export interface Poll {
	/** The state that the last poll left; undefined in the first one, and after a change of what is watched. */
	state: IDataObject | undefined;
	isTest: boolean;
	parameter: GetParameter;
	connection: Connection;
	/** Sends a read, which may be sent again. @throws Failure; `outOfTime` if the poll has no time or requests left */
	send: Send;
	warn(failure: Failure): void;
}

export interface PollResult {
	/** What starts the workflow, the oldest first. */
	records: IDataObject[];
	state: IDataObject | undefined;
}

export interface Watch {
	service: Service;
	fields: readonly INodeProperties[];
	/** Identifies what is watched; when it changes, the trigger starts again with a first poll. */
	source: (parameter: GetParameter, parameters: IDataObject) => string;
	/** Most requests of a poll; one that is sent again counts once. */
	requests?: number;
	/** @throws Failure, which leaves the state as it is; after the first poll, `outOfTime` is not an error */
	poll(poll: Poll): Promise<PollResult>;
}

/** Two thirds of the service's 30 requests a minute, so that some are left for others. */
export const REQUESTS_PER_POLL = 20;

/** Less than a minute, so that a poll has ended when the next one begins. One response may take this share of it. */
const LONGEST_POLL_MS = 55_000;
const ANSWER_SHARE = 0.2;

/** Runs a poll for n8n. Its state is written once, at the end, so a poll that fails changes nothing. */
export async function runPoll(
	context: IPollFunctions,
	watch: Watch,
): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	try {
		const { source, ...poll } = await pollFor(context, watch, isTest);
		const records = isTest
			? await testRecords(poll, watch)
			: await scheduledRecords(context, watch, source, poll);
		return records.length === 0 ? null : [records.map((json) => ({ json }))];
	} catch (error) {
		const failure = toFailure(error);
		// While it publishes a workflow, n8n shows only the message, so the advice is part of it.
		const shown = failure.with({ message: failure.explanation, advice: '' });
		throw nodeError(context.getNode(), isTest ? failure : shown);
	}
}

/** The triggers of which a poll runs now: n8n may start one although the last one has not ended. */
const running = new Set<string>();

/** Of each trigger, the state that n8n passed last, and the one to begin with if it passes that again. */
const lastPolls = new Map<
	string,
	{ passed: string; next: IDataObject | undefined; isPending: boolean }
>();

/**
 * With durable cursors, n8n stores a poll while the next one may begin, or drops it. So if it passes a state twice, that of the last
 * poll counts if it returned nothing; else this poll is skipped, and the next one returns the records again.
 */
async function scheduledRecords(
	context: IPollFunctions,
	watch: Watch,
	source: string,
	poll: Omit<Poll, 'state'>,
): Promise<IDataObject[]> {
	const trigger = `${context.getWorkflow().id} ${context.getNode().id}`;
	if (running.has(trigger)) return [];
	running.add(trigger);
	try {
		const stored = context.getWorkflowStaticData('node');
		const kept = stored.source === source && isRecord(stored.state) ? stored.state : undefined;
		const passed = JSON.stringify([source, kept]);
		const last = lastPolls.get(trigger);
		const isAgain = last?.passed === passed;
		const before = isAgain ? last.next : kept;
		if (isAgain && last.isPending) {
			last.isPending = false;
			return [];
		}
		const { records, state } = await watch
			.poll({ ...poll, state: before })
			.catch((error: unknown): PollResult => {
				const failure = toFailure(error);
				// The next poll goes on.
				if (isOutOfTime(failure) && before) return { records: [], state: before };
				throw failure;
			});
		const isPending = records.length > 0;
		lastPolls.set(trigger, { passed, next: isPending ? before : state, isPending });
		// n8n saves the state after any write to it, so only what has changed is written.
		if (JSON.stringify(state) !== JSON.stringify(kept)) Object.assign(stored, { source, state });
		return records;
	} finally {
		running.delete(trigger);
	}
}

async function testRecords(poll: Omit<Poll, 'state'>, watch: Watch): Promise<IDataObject[]> {
	const { records } = await watch.poll({ ...poll, state: undefined });
	if (records.length > 0) return records.slice(-1);
	throw inputFailure(
		'There is nothing to show yet',
		'Create a record first, or publish the workflow and wait',
	);
}

async function pollFor(
	context: IPollFunctions,
	watch: Watch,
	isTest: boolean,
): Promise<Omit<Poll, 'state'> & { source: string }> {
	const connection = await connect(context, watch.service);
	const node = context.getNode();
	const get: GetParameter = (name) => context.getNodeParameter(name, null);
	const parameter = parameterGetter(node.parameters, checkedFields(watch.fields), get);
	const { baseUrl, apiKey } = connection;
	const watched = [baseUrl, apiKey, watch.source(parameter, node.parameters)];
	// 96 bits of a hash, because n8n stores it and shows it to users.
	const source = await digest(JSON.stringify(watched), 16);
	// n8n does not say when it gives a poll up; older versions have no limit.
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : LONGEST_POLL_MS;
	const pollMs = Math.min(LONGEST_POLL_MS, budgetMs);
	const timeoutMs = Math.ceil(pollMs * ANSWER_SHARE);
	const until = connection.clock.now() + pollMs;
	const options = isTest ? interactiveOptions(connection) : { isRead: true, urgent: false, until };
	const sendNow = senderOf(connection, { ...options, timeoutMs });
	const warn = ({ explanation }: Failure): void => {
		context.logger.warn(`${node.name}: ${explanation}`);
	};
	let requests = 0;
	const send: Send = async (request) => {
		if (requests >= (watch.requests ?? Infinity)) throw outOfRequests();
		requests += 1;
		try {
			return await sendNow(request);
		} catch (error) {
			const failure = toFailure(error);
			// What is left to the next poll is no error, but a rate limit that is always used up must not go unnoticed.
			if (requests === 1 && !isTest && isOutOfTime(failure)) warn(failure);
			throw failure;
		}
	};
	return { source, isTest, parameter, connection, send, warn };
}

export const outOfRequests = (): Failure =>
	new Failure({
		kind: 'outOfTime',
		message: 'The list could not be read within one poll',
		advice: 'Try again later, or pick the record by its ID',
	});
