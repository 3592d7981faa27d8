// What n8n calls for each row of an operation: finds the try and the session of the row, and outputs its items or its error.

import {
	type DeclarativeRestApiSettings,
	type IExecutePaginationFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	NodeConnectionTypes,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { connect, type Connection, type Service } from '../http/connection';
import { nodeError } from '../http/nodeError';
import { createSend, PATIENCE_MS, PERSON_MS } from '../http/request';
import { Failure } from '../values/failure';
import { Batch, type BatchOptions, type CheckRow, rowLabel } from './batch';
import type { Operation } from './operation';
import { mergeIntoRow } from './output';
import { optionsOf } from './panelFields';
import { operationFields } from './requestFields';
import { checkRow } from './rowContext';
import { EnteredRow } from './rowInput';
import { Session } from './session';

/** n8n's `operations.pagination`, called for each input item. */
export type Pagination = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

export function executeOperation(service: Service, operation: Operation): Pagination {
	const { request, isSafe, failed, output } = operation;
	const fields = operationFields(operation);
	const hasDryRun = operation.fields.flatMap(optionsOf).some(({ name }) => name === 'dryRun');
	const showsAll = hasDryRun ? "'Dry Run'" : "'On Error: Continue'";
	const isWrite = request.method !== 'GET' && isSafe !== true;
	return async function (this, { options }) {
		// With *Dry Run*, a row that cannot be sent stops no other, whatever *On Error* says.
		const isDryRun = this.getNodeParameter('options.dryRun', false) === true;
		const continues = this.continueOnFail() || isDryRun;
		const current = tryOf(this, { isWrite, continues, showsAll });
		const { batch, isToolCall, rowCount } = current;
		const item = this.getItemIndex();
		const { json: columns } = this.getInputData();
		const label = rowLabel(columns, item);
		const connect = async (): Promise<CheckRow> => {
			const session = await sessionOf(this, options, service, isSafe, current);
			return () => {
				const input = new EnteredRow(this, fields, session.connection, isToolCall);
				const place = { label: label.text, rowsLeft: rowCount - item };
				return checkRow(input, fields, session, place);
			};
		};
		const outcome = await batch.run({ index: item, label, connect });
		if (!(outcome instanceof Failure)) return outcome;
		const node = this.getNode();
		const error = outcome.explanation;
		// A model may get to read only the message.
		const shown = isToolCall ? outcome.with({ message: error, advice: '' }) : outcome;
		if (!continues) throw nodeError(node, shown);
		// n8n recognizes an item for the error output by its only member, `error`, and adds the input row itself.
		const isAlone = node.onError === 'continueErrorOutput' && !isDryRun;
		const result = { ...failed, ...outcome.written, error };
		const json = isAlone ? { error } : mergeIntoRow(columns, result, output);
		return [{ json, pairedItem: { item } }];
	};
}

/** One try of a run, with what its rows share. n8n resolves expressions in a credential for each item, so two rows may have two keys. */
interface Try {
	batch: Batch;
	rowCount: number;
	/** Whether an AI agent calls the node as a tool. */
	isToolCall: boolean;
	connections: Map<string, Connection>;
	sessions: Map<Connection, Session>;
	/** By the credential, one for all tries of the run. */
	runs: Map<string, object>;
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
	// From version 3 on, an agent lets n8n run its tools like other nodes.
	const isToolCall = isInAgent || context.getNode().type.endsWith('Tool');
	const rowCount = isInAgent || context.getNode().executeOnce === true ? 1 : items.length;
	const last = lastTries.get(key);
	if (last && !last.batch.isPast(item)) return last;
	const batch = new Batch({ rowCount, ...options }, last?.batch);
	const next: Try = {
		batch,
		rowCount,
		isToolCall,
		connections: new Map(),
		sessions: new Map(),
		runs: last?.runs ?? new Map<string, object>(),
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
	isSafe: boolean | undefined,
	{ rowCount, connections, sessions, runs }: Try,
): Promise<Session> {
	const requestOptions = requestOptionsOf(node, routed);
	const connection = await connect(node, service, requestOptions, connections);
	const known = sessions.get(connection);
	if (known) return known;
	const mode = node.getMode();
	const isWatched = mode === 'manual';
	const isAwaited = rowCount === 1 && AWAITED_MODES.includes(mode);
	const send = createSend(connection, {
		isSafe,
		urgent: isAwaited,
		// n8n 1 gives declarative nodes none.
		signal: 'getExecutionCancelSignal' in node ? node.getExecutionCancelSignal() : undefined,
		timeoutMs: requestOptions.timeout ?? (isWatched ? PERSON_MS : undefined),
		retryMs: isWatched || isAwaited ? PERSON_MS : undefined,
		until: isAwaited ? connection.clock.now() + PATIENCE_MS : undefined,
	});
	const run = runs.get(connection.connectionKey) ?? {};
	runs.set(connection.connectionKey, run);
	const session = new Session(connection, requestOptions, send, run);
	sessions.set(connection, session);
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
		skipSslCertificateValidation: skipSslCertificateValidation === true,
	};
}
