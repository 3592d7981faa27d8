// What n8n calls for each row of an operation: finds the try and the session of the row, and outputs its items or its error.

import {
	type DeclarativeRestApiSettings,
	type IExecutePaginationFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	NodeConnectionTypes,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { connectionFor, digestOf } from '../http/connection';
import type { Service } from '../http/service';
import { nodeError } from '../http/nodeError';
import { createSend, PATIENCE_MS, PERSON_MS } from '../http/request';
import { Failure } from '../values/failure';
import { Batch, type BatchOptions, rowLabel, WriteLog } from './batch';
import type { Operation } from './operation';
import { mergeIntoRow } from './output';
import { operationFields } from './requestFields';
import { OperationRow } from './row';
import { Session } from './session';

/** n8n's `operations.pagination`, called for each input item. */
export type Pagination = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

export function executeOperation(service: Service, operation: Operation): Pagination {
	const { request, isSafe = request.method === 'GET' } = operation;
	const plan = operationFields(operation);
	return async function (this, { options }) {
		// With *Dry Run*, a row that cannot be sent stops no other, whatever *On Error* says.
		const isDryRun = this.getNodeParameter('options.dryRun', false) === true;
		const continues = this.continueOnFail() || isDryRun;
		const current = tryOf(this, { isWrite: !isSafe, continues });
		const { batch, isToolCall, rowCount } = current;
		const index = this.getItemIndex();
		const label = rowLabel(this.getInputData().json, index);
		const writes = (isSafe ? undefined : current.writeLogs.get(index)) ?? new WriteLog();
		current.writeLogs.set(index, writes);
		const rowsLeft = rowCount - index;
		let session: Session;
		const outcome = await batch.run({
			index,
			label,
			writes,
			connect: async () => {
				session = await sessionOf(this, options, service, operation, current);
			},
			check: () => new OperationRow(this, plan, session, isToolCall, label, rowsLeft, writes),
		});
		if (!(outcome instanceof Failure)) return outcome;
		// A model may get to read only the message.
		const shown = isToolCall ? outcome.with({ message: outcome.explanation, advice: '' }) : outcome;
		if (!continues) throw nodeError(this.getNode(), shown);
		return [failedItem(this, operation, outcome, isDryRun)];
	};
}

function failedItem(
	context: IExecutePaginationFunctions,
	{ failed, output }: Operation,
	{ explanation: error, written }: Failure,
	isDryRun: boolean,
): INodeExecutionData {
	// n8n recognizes an item for the error output by its only member, `error`, and adds the input row itself.
	const isAlone = context.getNode().onError === 'continueErrorOutput' && !isDryRun;
	const { json: columns } = context.getInputData();
	const json = isAlone
		? { error }
		: mergeIntoRow(columns, { ...failed, ...written, error }, output);
	return { json, pairedItem: { item: context.getItemIndex() } };
}

/** One try of a run, with what its rows share. */
interface Try {
	batch: Batch;
	rowCount: number;
	/** Whether an AI agent calls the node as a tool. */
	isToolCall: boolean;
	/** By the credential: n8n resolves expressions in it for each item, so two rows may have two keys. */
	sessions: Map<string, Session>;
	/** What all tries of a run share: an object for each credential, and what was written, by row. */
	runs: Map<string, object>;
	writeLogs: Map<number, WriteLog>;
}

/** The last try of each run, by an object that n8n keeps over all tries: execution data, or arguments of an AI tool call. */
const lastTries = new WeakMap<object, Try>();

function tryOf(context: IExecutePaginationFunctions, options: Omit<BatchOptions, 'rowCount'>): Try {
	const item = context.getItemIndex();
	const executeData = context.getExecuteData();
	const items = executeData.data.main?.[0] ?? [];
	// Each call of an AI tool is a run of its own, but n8n gives all of them the execution data of the agent.
	const isInAgent = items[item] !== context.getInputData();
	const key = isInAgent ? context.getInputData(0, NodeConnectionTypes.AiTool).json : executeData;
	const last = lastTries.get(key);
	if (last && !last.batch.isPast(item)) return last;
	const { type, executeOnce } = context.getNode();
	const rowCount = isInAgent || executeOnce === true ? 1 : items.length;
	const next: Try = {
		...(last ?? { runs: new Map<string, object>(), writeLogs: new Map<number, WriteLog>() }),
		batch: new Batch({ rowCount, ...options }),
		rowCount,
		// From version 3 on, an agent lets n8n run its tools like other nodes.
		isToolCall: isInAgent || type.endsWith('Tool'),
		sessions: new Map(),
	};
	lastTries.set(key, next);
	return next;
}

/** A form, a chat or the caller of a webhook waits for the run. */
const AWAITED_MODES: readonly WorkflowExecuteMode[] = ['chat', 'webhook'];

type RoutedOptions = DeclarativeRestApiSettings.ResultOptions['options'];

/** The session of a row, which all rows of the try with the same credential share. */
async function sessionOf(
	node: IExecutePaginationFunctions,
	routed: RoutedOptions,
	service: Service,
	{ isSafe }: Operation,
	{ rowCount, sessions, runs }: Try,
): Promise<Session> {
	const data = await node.getCredentials(service.credentialType);
	const key = digestOf(data);
	const known = sessions.get(key);
	if (known) return known;
	const requestOptions = requestOptionsOf(node, routed);
	const connection = connectionFor(node, service, data, requestOptions);
	const mode = node.getMode();
	const isWatched = mode === 'manual';
	const isAwaited = rowCount === 1 && AWAITED_MODES.includes(mode);
	const send = createSend(connection, {
		isSafe,
		isWatched,
		urgent: isAwaited,
		// n8n 1 gives declarative nodes none.
		signal: 'getExecutionCancelSignal' in node ? node.getExecutionCancelSignal() : undefined,
		timeoutMs: requestOptions.timeout,
		retryMs: isWatched || isAwaited ? PERSON_MS : undefined,
		until: isAwaited ? connection.clock.now() + PATIENCE_MS : undefined,
	});
	const run = runs.get(key) ?? {};
	runs.set(key, run);
	const session = new Session(connection, requestOptions, send, run);
	sessions.set(key, session);
	return session;
}

/** The longest wait that a timer holds; beyond it, a timer ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function requestOptionsOf(
	node: IExecutePaginationFunctions,
	{ proxy, skipSslCertificateValidation }: RoutedOptions,
): Partial<IHttpRequestOptions> {
	// What n8n routes is five minutes by default, even for reads.
	const timeout = Number(node.getNodeParameter('requestOptions.timeout', 0));
	return {
		...(proxy && { proxy }),
		...(timeout > 0 && { timeout: Math.min(timeout, LONGEST_TIMER_MS) }),
		...(skipSslCertificateValidation === true && { skipSslCertificateValidation }),
	};
}
