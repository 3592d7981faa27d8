// Runs a poll, or a test in the editor, for n8n: credential, parameters, deadline, number of requests, errors. See `scheduledPoll.ts`
// for the state; what a poll does is in `trigger/events.ts` of each node.

import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { connect, type Connection } from '../http/connection';
import type { Send } from '../http/service';
import { interactiveOptions, createSend } from '../http/request';
import { nodeError } from '../http/nodeError';
import { parametersOf } from '../operations/parameters';
import { inputFailure, toFailure } from '../values/failure';
import { isBlank } from '../values/input';
import { mapIn } from '../values/json';
import { outOfRequests, type TriggerDefinition } from './poll';
import { type PreparedPoll, scheduledRecords } from './scheduledPoll';

/** Less than a minute, so that a poll has ended when the next one begins. One response may take this share of it. */
const LONGEST_POLL_MS = 55_000;
const RESPONSE_SHARE = 0.2;

/** No request goes out or is awaited after this share of it, so that the records are returned in time. */
const REQUESTS_SHARE = 0.9;

export async function runPoll(
	context: IPollFunctions,
	definition: TriggerDefinition,
): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	try {
		const prepared = await preparePoll(context, definition, isTest);
		const records = isTest
			? await testRecords(prepared, definition)
			: await scheduledRecords(context, definition, prepared);
		return records.length === 0 ? null : [records.map((json) => ({ json }))];
	} catch (error) {
		const failure = toFailure(error);
		// While it publishes a workflow, n8n shows only the message, so the advice is part of it.
		const shown = failure.with({ message: failure.explanation, advice: '' });
		throw nodeError(context.getNode(), isTest ? failure : shown);
	}
}

async function testRecords(
	{ poll }: PreparedPoll,
	definition: TriggerDefinition,
): Promise<IDataObject[]> {
	const { records, failure } = await definition.poll({ ...poll, state: undefined });
	// Rather one that would start the workflow than a sample.
	const shown = records.findLast((record) => record.is_sample !== true) ?? records.at(-1);
	if (shown) return [shown];
	if (failure) throw failure;
	throw inputFailure(
		'There is nothing to show yet',
		'Create a record first, or publish the workflow and wait',
	);
}

async function preparePoll(
	context: IPollFunctions,
	definition: TriggerDefinition,
	isTest: boolean,
): Promise<PreparedPoll> {
	const connection = await connect(context, definition.service);
	const parameters = parametersOf(context, definition.fields);
	const source = {
		watched: await digest(definition.watchKey(parameters)),
		connection: await digest([connection.baseUrl, connection.apiKey]),
	};
	const sendNow = createPollSend(context, connection, isTest);
	let requests = 0;
	const send: Send = async (request) => {
		if (requests >= (definition.requests ?? Infinity)) throw outOfRequests();
		requests += 1;
		return await sendNow(request);
	};
	const account = async (): Promise<string | undefined> => {
		const identity = await accountOf(sendNow, connection);
		return identity && (await digest(identity));
	};
	const emitsExisting = mapIn(parameters.options).emitExisting === true;
	return { source, poll: { isTest, parameters, emitsExisting, connection, send }, account };
}

/** Members of an account that do not change, in either service. */
const LASTING = ['id', 'username', 'registered'];

/** Kinds of failure that another request may not have, though this one has it again and again. */
const REFUSALS = ['forbidden', 'missing', 'otherRefusal', 'refused', 'unauthorized'];

/** What identifies the account; undefined if the key may not read it. @throws Failure if the service does not respond */
async function accountOf(send: Send, { service }: Connection): Promise<unknown[] | undefined> {
	try {
		const { body } = await send({ method: 'GET', path: service.testPath });
		const account = mapIn(body.data);
		const members = LASTING.map((name) => account[name]);
		const identity = members.every(isBlank) ? [account.email] : members;
		return identity.every(isBlank) ? undefined : identity;
	} catch (error) {
		const failure = toFailure(error);
		if (REFUSALS.includes(failure.kind)) return undefined;
		throw failure;
	}
}

function createPollSend(context: IPollFunctions, connection: Connection, isTest: boolean): Send {
	// n8n does not say when it gives a poll up; older versions have no limit.
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : LONGEST_POLL_MS;
	const pollMs = Math.min(LONGEST_POLL_MS, budgetMs);
	const timeoutMs = Math.ceil(pollMs * RESPONSE_SHARE);
	if (isTest) return createSend(connection, { ...interactiveOptions(connection), timeoutMs });
	const until = connection.clock.now() + pollMs * REQUESTS_SHARE;
	return createSend(connection, { isSafe: true, urgent: false, until, timeoutMs });
}

/** 96 bits of a hash, because n8n stores it and shows it to users. */
async function digest(value: unknown): Promise<string> {
	const text = new TextEncoder().encode(JSON.stringify(value));
	const hash = await crypto.subtle.digest('SHA-256', text);
	return Buffer.from(hash).toString('base64url').slice(0, 16);
}
