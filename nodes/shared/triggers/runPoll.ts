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
import { type Failure, inputFailure, isOutOfTime, toFailure } from '../values/failure';
import { isRecord } from '../values/json';
import type { GetParameter } from '../values/input';
import { type PollResult, pollWithState } from './pollState';

/** One poll. `runPoll` does n8n's part and sets the deadline; `Watch.poll` finds the records and limits its requests. */
export interface Poll {
	/** The state that the last poll left; undefined in the first one, and after a change of what is watched. */
	state: IDataObject | undefined;
	/** Whether no poll of the trigger has succeeded since n8n started: the state may be older than the last poll. */
	isRestart: boolean;
	isTest: boolean;
	parameter: GetParameter;
	connection: Connection;
	/** Sends a read, which may be sent again. @throws Failure; `outOfTime` if the poll has no time left */
	send: Send;
	/** How many requests were sent so far; one that is sent again counts once. */
	requests(): number;
	warn(failure: Failure): void;
}

export interface Watch {
	service: Service;
	fields: readonly INodeProperties[];
	/** Identifies what is watched; when it changes, the trigger starts again with a first poll. */
	source: (parameter: GetParameter, parameters: IDataObject) => string;
	/** @throws Failure, which leaves the state as it is; after the first poll, `outOfTime` is not an error */
	poll(poll: Poll): Promise<PollResult>;
}

/** Two thirds of the service's 30 requests a minute, so that some are left for others. */
export const REQUESTS_PER_POLL = 20;

/** Long enough for the next window of the rate limit. One response may take this share of it. */
const LONGEST_POLL_MS = 100_000;
const ANSWER_SHARE = 0.2;

/** Runs a poll for n8n. Its state is written once, at the end, so a poll that fails changes nothing. */
export async function runPoll(
	context: IPollFunctions,
	watch: Watch,
): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	try {
		const records = isTest
			? await testRecords(context, watch)
			: await scheduledRecords(context, watch);
		return records.length === 0 ? null : [records.map((json) => ({ json }))];
	} catch (error) {
		const failure = toFailure(error);
		// While it publishes a workflow, n8n shows only the message, so the advice is part of it.
		const shown = failure.with({ message: failure.explanation, advice: '' });
		throw nodeError(context.getNode(), isTest ? failure : shown);
	}
}

async function scheduledRecords(context: IPollFunctions, watch: Watch): Promise<IDataObject[]> {
	const stored = context.getWorkflowStaticData('node');
	const { source, ...poll } = await pollFor(context, watch);
	const trigger = `${context.getWorkflow().id} ${context.getNode().id}`;
	const passed = stored.source === source && isRecord(stored.state) ? stored.state : undefined;
	const pollFrom = async (
		state: IDataObject | undefined,
		isRestart: boolean,
	): Promise<PollResult> => {
		const result = await watch
			.poll({ ...poll, state, isRestart })
			.catch((error: unknown) => ({ records: [], state, failure: toFailure(error) }));
		const { failure } = result;
		// A first poll that fails leaves no state.
		if (failure && !state) throw failure;
		return isOutOfTime(failure) ? { ...result, failure: undefined } : result;
	};
	// Not the wall clock, which may be set forward by more than a month.
	const now = poll.connection.clock.now();
	const result = await pollWithState(trigger, source, passed, now, pollFrom);
	if (!result) return [];
	const next: IDataObject = { source, state: result.state };
	for (const [name, value] of Object.entries(next)) {
		// n8n saves the state after any write to it, so only what has changed is written.
		if (JSON.stringify(stored[name]) !== JSON.stringify(value)) stored[name] = value;
	}
	if (result.failure) throw result.failure;
	return result.records;
}

async function testRecords(context: IPollFunctions, watch: Watch): Promise<IDataObject[]> {
	const poll = await pollFor(context, watch);
	const { records, failure } = await watch.poll({ ...poll, state: undefined, isRestart: false });
	if (failure) throw failure;
	if (records.length > 0) return records.slice(-1);
	throw inputFailure(
		'There is nothing to show yet',
		'Create a record first, or publish the workflow and wait',
	);
}

async function pollFor(
	context: IPollFunctions,
	watch: Watch,
): Promise<Omit<Poll, 'isRestart' | 'state'> & { source: string }> {
	const connection = await connect(context, watch.service);
	const node = context.getNode();
	const get: GetParameter = (name) => context.getNodeParameter(name, null);
	const parameter = parameterGetter(node.parameters, checkedFields(watch.fields), get);
	const { baseUrl, apiKey } = connection;
	const watched = [baseUrl, apiKey, watch.source(parameter, node.parameters)];
	// 96 bits of a hash, because n8n stores it and shows it to users.
	const source = await digest(JSON.stringify(watched), 16);
	const isTest = context.getMode() === 'manual';
	// n8n does not say when it gives a poll up; older versions have no limit.
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : LONGEST_POLL_MS;
	const pollMs = Math.min(LONGEST_POLL_MS, budgetMs);
	const timeoutMs = Math.ceil(pollMs * ANSWER_SHARE);
	const until = connection.clock.now() + pollMs;
	const options = isTest ? interactiveOptions(connection) : { isRead: true, urgent: false, until };
	const send = senderOf(connection, { ...options, timeoutMs });
	const warn = ({ explanation }: Failure): void => {
		context.logger.warn(`${node.name}: ${explanation}`);
	};
	let requests = 0;
	return {
		source,
		isTest,
		parameter,
		connection,
		async send(request) {
			requests += 1;
			try {
				return await send(request);
			} catch (error) {
				const failure = toFailure(error);
				// What is left to the next poll is no error, but a rate limit that is always used up must not go unnoticed.
				if (requests === 1 && !isTest && isOutOfTime(failure)) warn(failure);
				throw failure;
			}
		},
		requests: () => requests,
		warn,
	};
}
