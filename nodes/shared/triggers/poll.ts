import type {
	IDataObject,
	INodeExecutionData,
	INodeProperties,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Connection, Service } from '../http/connection';
import { connect } from '../http/connection';
import type { Send } from '../http/request';
import { forAPerson, senderOf } from '../http/request';
import { checkedValue } from '../operations/parameters';
import { digest } from '../values/digest';
import type { Failure } from '../values/failure';
import { failureIn, failureOf, inputFailure } from '../values/failure';
import { isRecord } from '../values/json';
import type { ReadParameter } from '../values/path';
import type { PollResult } from './pollState';
import { pollWithState } from './pollState';

export type { PollResult } from './pollState';

/** One poll, independent of n8n. */
export interface Poll {
	/** The state that the last poll left; undefined in the first one, and after a change of what is watched. */
	state: IDataObject | undefined;
	/** Whether a user tests the trigger: then one record is shown, and the state is not kept. */
	isTest: boolean;
	read: ReadParameter;
	connection: Connection;
	/**
	 * Sends a request. It must change nothing at the service, because it may be sent again.
	 * @throws Failure; `timeUp` if the poll has no time left
	 */
	send: Send;
	/** How many requests were sent so far; one that is sent again counts once. */
	requests(): number;
	/** Writes what a poll could not read, and leaves to the next one, into n8n's log. */
	warn(failure: Failure): void;
}

/** What a trigger node watches. */
export interface Watch {
	service: Service;
	/** The fields below the event. */
	fields: readonly INodeProperties[];
	/** Identifies what is watched; when it changes, the trigger starts again with a first poll. */
	source: (read: ReadParameter, parameters: IDataObject) => string;
	/** @throws Failure, which leaves the state as it is; after the first poll, `timeUp` is no error */
	poll(poll: Poll): Promise<PollResult>;
}

/** The most requests of one poll: two thirds of the service's 30 a minute, so that some are left for others. */
export const REQUESTS_PER_POLL = 20;

/** The most time of a poll, in milliseconds: enough to wait for a new window of the rate limit. */
const LONGEST_POLL_MS = 100_000;

/** How much of that time one response may take, so that there is time to send the request again. */
const ANSWER_SHARE = 0.2;

/**
 * Runs a poll for n8n. Its state is kept in `getWorkflowStaticData('node')`, and written once, at the end, so a poll that
 * fails changes nothing.
 * @throws NodeApiError that says what to do
 */
export async function runPoll(
	context: IPollFunctions,
	watch: Watch,
): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	try {
		return isTest ? await test(context, watch) : await pollOnce(context, watch);
	} catch (error) {
		throw pollError(context, failureOf(error), isTest);
	}
}

async function pollOnce(
	context: IPollFunctions,
	watch: Watch,
): Promise<INodeExecutionData[][] | null> {
	const stored = context.getWorkflowStaticData('node');
	const { source, ...poll } = await pollFor(context, watch);
	const trigger = `${context.getWorkflow().id} ${context.getNode().id}`;
	const passed = stored.source === source && isRecord(stored.state) ? stored.state : undefined;
	const result = await pollWithState(
		trigger,
		source,
		passed,
		async (state) =>
			await watch.poll({ ...poll, state }).catch((error: unknown) => {
				if (state && isTimeUp(error)) return { records: [], state };
				throw error;
			}),
	);
	if (!result) return null;
	const { records, state } = result;
	const next: IDataObject = { source, state };
	for (const [name, value] of Object.entries(next)) {
		// n8n saves the state after any write to it, so only what has changed is written.
		if (JSON.stringify(stored[name]) !== JSON.stringify(value)) stored[name] = value;
	}
	return records.length === 0 ? null : itemsOf(records);
}

async function test(context: IPollFunctions, watch: Watch): Promise<INodeExecutionData[][]> {
	const poll = await pollFor(context, watch);
	const { records } = await watch.poll({ ...poll, state: undefined });
	if (records.length === 0) {
		throw inputFailure(
			'There is nothing to show yet',
			'Create a record first, or publish the workflow and wait',
		);
	}
	return itemsOf(records.slice(-1));
}

async function pollFor(
	context: IPollFunctions,
	{ service, fields, source: sourceOf }: Watch,
): Promise<Omit<Poll, 'state'> & { source: string }> {
	const connection = await connect(context, service);
	const read: ReadParameter = (name) => {
		const value = context.getNodeParameter(name, null);
		const field = fields.find((each) => each.name === name);
		return field ? checkedValue(field, value) : value;
	};
	const { baseUrl, apiKey } = connection;
	const watched = [baseUrl, apiKey, sourceOf(read, context.getNode().parameters)];
	// 96 bits of a hash, because n8n stores it and shows it to users.
	const source = await digest(JSON.stringify(watched), 16);
	const isTest = context.getMode() === 'manual';
	const sending = sendWithin(pollBudgetMs(context), connection, isTest);
	const warn = ({ explanation }: Failure): void => {
		context.logger.warn(`${context.getNode().name}: ${explanation}`);
	};
	return { source, isTest, read, connection, warn, ...sending };
}

/** Whether the poll's time ended before a request could be sent. */
export const isTimeUp = (error: unknown): boolean => failureIn(error)?.kind === 'timeUp';

/** Sends requests while the poll has time. n8n does not say when it gives a poll up, so the poll measures its time itself. */
function sendWithin(
	budgetMs: number,
	connection: Connection,
	urgent: boolean,
): Pick<Poll, 'send' | 'requests'> {
	const timeoutMs = Math.ceil(budgetMs * ANSWER_SHARE);
	// What is sent last still has its whole timeout.
	const until = connection.time.now() + budgetMs - timeoutMs;
	const options = urgent
		? { ...forAPerson(connection), timeoutMs }
		: { repeatable: true, urgent, signal: undefined, timeoutMs, until };
	const send = senderOf(connection, options);
	let count = 0;
	return {
		requests: () => count,
		async send(request) {
			count += 1;
			return await send(request);
		},
	};
}

/** n8n's own limit, if it is shorter; older versions have none. */
function pollBudgetMs(context: IPollFunctions): number {
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : LONGEST_POLL_MS;
	return Math.min(LONGEST_POLL_MS, budgetMs);
}

function itemsOf(records: IDataObject[]): INodeExecutionData[][] {
	return [records.map((json) => ({ json }))];
}

/** When a workflow is activated, and in the list of executions, n8n shows only the message, so the advice is put into it. */
function pollError(context: IPollFunctions, failure: Failure, isTest: boolean): NodeApiError {
	const message = isTest ? failure.message : failure.explanation;
	const { httpCode } = failure;
	return new NodeApiError(
		context.getNode(),
		{ message },
		{
			message,
			...(isTest ? { description: failure.advice } : {}),
			...(httpCode === undefined ? {} : { httpCode: String(httpCode) }),
		},
	);
}
