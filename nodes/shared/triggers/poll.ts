import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { ApiRequest, Connection, Service } from '../http/connection';
import { connect } from '../http/connection';
import type { ServiceResponse } from '../http/request';
import { sendRequest } from '../http/request';
import { CHECK_ADDRESS } from '../http/response';
import { digest } from '../values/digest';
import { Failure, failureIn, failureOf, inputFailure } from '../values/failure';
import { isRecord } from '../values/json';
import type { ReadParameter } from '../values/path';
import { inTurn } from './handover';

/** One poll, without n8n. */
export interface Poll {
	/** What the poll before left; undefined in the first one, and when something else is watched from now on. */
	state: IDataObject | undefined;
	/** Whether a user tries the trigger: it shows one record, and what it leaves as state is not kept. */
	isTest: boolean;
	read: ReadParameter;
	connection: Connection;
	/**
	 * Sends a request; one that is no GET must change nothing, because it may be sent again.
	 * @returns undefined when the poll's time is up
	 * @throws Failure
	 */
	send(request: ApiRequest): Promise<ServiceResponse | undefined>;
	/** Requests sent so far. */
	requests(): number;
}

/** What a poll gives out, the oldest first, and what it leaves for the next one. */
export interface PollResult {
	records: IDataObject[];
	state: IDataObject | undefined;
}

/** What a trigger node watches. */
export interface Watch {
	service: Service;
	/** Tells what is watched from anything else; when it changes, the trigger starts anew. */
	source: (read: ReadParameter, parameters: IDataObject) => string;
	/** @throws Failure; then the state stays as it is */
	poll(poll: Poll): Promise<PollResult>;
}

/**
 * The most requests of a poll of the link service: two thirds of the documented 30 a minute, so that a trigger that
 * catches up leaves some to others. A poll that finds nothing new needs one.
 */
export const REQUESTS_PER_POLL = 20;

/** The longest a poll takes, in milliseconds: long enough to wait for a new window of the rate limit. */
const LONGEST_POLL_MS = 100_000;

/** The share of that time after which an answer is not waited for: it leaves room to send the request again. */
const ANSWER_SHARE = 0.2;

/**
 * Runs a poll for n8n. The state is written once, at the end, and only where n8n keeps it (`getWorkflowStaticData`):
 * a poll that fails changes nothing.
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
	const handed = stored.source === source && isRecord(stored.state) ? stored.state : undefined;
	const result = await inTurn(
		trigger,
		source,
		handed,
		async (state) => await watch.poll({ ...poll, state }),
	);
	if (!result) return null;
	const { records, state } = result;
	const next: IDataObject = { source, state };
	for (const [name, value] of Object.entries(next)) {
		// n8n saves what was written to, so nothing is written that is there already.
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
	{ service, source: sourceOf }: Watch,
): Promise<Omit<Poll, 'state'> & { source: string }> {
	const connection = await connect(context, service);
	const read: ReadParameter = (name) => context.getNodeParameter(name, null);
	const { baseUrl, apiKey } = connection;
	const watched = [baseUrl, apiKey, sourceOf(read, context.getNode().parameters)];
	// 96 bits of a hash, because n8n stores it and shows it to users. It is the same as 1.0.0 stored.
	const source = await digest(JSON.stringify(watched), 16);
	const isTest = context.getMode() === 'manual';
	const sending = sendWithin(pollBudgetMs(context), connection, isTest);
	return { source, isTest, read, connection, ...sending };
}

/** Sends requests as long as a poll has time; n8n has no signal for a poll that it gives up, so it ends before that. */
function sendWithin(
	budgetMs: number,
	connection: Connection,
	urgent: boolean,
): Pick<Poll, 'send' | 'requests'> {
	const signal = AbortSignal.timeout(budgetMs);
	const timeoutMs = Math.ceil(budgetMs * ANSWER_SHARE);
	let count = 0;
	let isSilent = false;
	const watched: Connection = {
		...connection,
		async send(request, timeout) {
			isSilent = true;
			const response = await connection.send(request, timeout);
			isSilent = false;
			return response;
		},
	};
	return {
		requests: () => count,
		async send(request) {
			count += 1;
			const options = { repeatable: true, urgent, signal, timeoutMs };
			return await sendRequest(watched, request, options).catch((error: unknown) => {
				if (failureIn(error)?.kind !== 'cancelled' || !signal.aborted) throw error;
				if (isSilent) throw noAnswer(connection.service);
				return undefined;
			});
		},
	};
}

function noAnswer({ serviceName }: Service): Failure {
	return new Failure({
		kind: 'unreachable',
		message: `No answer from ${serviceName}: none came in time`,
		advice: CHECK_ADDRESS,
	});
}

/** Older versions of n8n give a poll no limit. */
function pollBudgetMs(context: IPollFunctions): number {
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : LONGEST_POLL_MS;
	return Math.min(LONGEST_POLL_MS, budgetMs);
}

/** A poll that could not even note what exists has nothing to go on with. */
export function tooLittleTime(): Failure {
	return new Failure({
		kind: 'rateLimited',
		message:
			'There was no time to note what exists already, because other requests use up the rate limit',
		advice: 'Try again when other executions with this credential have ended',
	});
}

function itemsOf(records: IDataObject[]): INodeExecutionData[][] {
	return [records.map((json) => ({ json }))];
}

/** Where a workflow is activated, and in the list of executions, people get to read the message only. */
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
