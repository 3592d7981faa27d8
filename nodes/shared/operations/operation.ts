import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestMethods,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { deepCopy, isExpression, NodeApiError, NodeConnectionTypes } from 'n8n-workflow';

import type { ApiRequest, Connection, Service } from '../http/connection';
import { connect } from '../http/connection';
import type { ServiceResponse } from '../http/request';
import { sendRequest } from '../http/request';
import { LARGEST_PAGE, pagesOf, walkPages } from '../lists/pages';
import type { Failure } from '../values/failure';
import { failureOf, inputFailure } from '../values/failure';
import { integerIn, mapIn } from '../values/json';
import type { AllowedValues, FilledPath, ReadParameter } from '../values/path';
import { fillPath, quoted } from '../values/path';
import { isBlank } from '../values/text';
import type { PreparedItem } from './batchRun';
import { BatchRun } from './batchRun';
import { explainRefusal } from './refusal';
import { bodyOf, withoutEmpty } from './sentFields';

/** A request of an operation, filled from one item. */
export interface ItemRequest extends Required<ApiRequest> {
	/** The ids in the path, by the name of their parameter. */
	ids: FilledPath['ids'];
}

/** What an operation may look at while it checks and fills its request. */
export interface ItemContext {
	connection: Connection;
	/** A parameter of the node for this item, expressions evaluated, locators reduced to their value. */
	read: ReadParameter;
	/** Whether that parameter of the node holds an expression. */
	isExpression(name: string): boolean;
	/** Time zones, as IANA names: that in which the user's times are meant, and the service's. */
	zones: { from: string; to: string };
}

/** What else a response may be read with. */
export interface ResponseContext extends ItemContext {
	/** When the service answered, by its own clock where it says so; epoch milliseconds. */
	at: number;
}

/**
 * Sends a request of an item, and returns the successful response.
 * @throws Failure
 */
export type Send = (request: ApiRequest) => Promise<ServiceResponse>;

/** What tells one operation from another. */
export interface OperationPlan {
	/** Turns a response into the item's results. */
	results(body: IDataObject, request: ItemRequest, context: ResponseContext): IDataObject[];
	/** The fields whose values are sent in the body; see `bodyOf`. */
	fields?: readonly INodeProperties[];
	/** How the panel calls members of the body that no single field sends. */
	labels?: Readonly<Record<string, string>>;
	/**
	 * Completes the body that `fields` gave by what no single field holds.
	 * @throws Failure of the kind `input`
	 */
	body?(body: IDataObject, context: ItemContext): IDataObject;
	/** The same for the query, as the fields' routing composed it. */
	query?(query: IDataObject, context: ItemContext): IDataObject;
	/** What the segments of the path that are no ids may say. */
	allowedValues?: AllowedValues;
	/** Whether it changes nothing at the service although it is no GET. */
	isRead?: boolean;
	/** Sends more than the one request; takes the place of it and of `results`. */
	perform?(request: ItemRequest, send: Send, context: ItemContext): Promise<IDataObject[]>;
	/** Turns a failure into results, where it is an answer. */
	recover?(failure: Failure, request: ItemRequest, context: ItemContext): IDataObject[] | undefined;
}

/** n8n's hook through which a declarative operation sends its requests itself. */
export type Pagination = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/** The limit of a list operation whose field was left as it is. */
const DEFAULT_LIMIT = 50;

/** Runs one input item of an operation: checked with the others, in its turn, paired with its results. */
export function operation(service: Service, plan: OperationPlan): Pagination {
	return async function (this, requestData) {
		const item = this.getItemIndex();
		const run = batchRunOf(this);
		try {
			const prepared = await run.prepare(
				item,
				async () => await prepareItem(this, requestData, service, plan, run),
			);
			const results = prepared ? await run.inOrder(item, prepared) : [];
			return results.map((json) => ({ json, pairedItem: { item } }));
		} catch (error) {
			const failure = failureOf(error);
			if (!this.continueOnFail()) throw nodeError(this, failure);
			// n8n recognises an error item by its one member. In *Continue (using error output)* it puts the input row beside it.
			return [{ json: { error: failure.explanation }, pairedItem: { item } }];
		}
	};
}

/**
 * An operation that lists records: all, or as many as the node's `limit` says.
 * @param listName of the response's array
 * @param readRecord reads one of its records
 * @param query completes and checks the query
 */
export function listOperation(
	service: Service,
	listName: string,
	readRecord: (entry: IDataObject) => IDataObject,
	query: OperationPlan['query'] = (composed) => composed,
): Pagination {
	return operation(service, {
		results: (body) => [body],
		query(composed, context) {
			limitOf(context.read);
			return query(composed, context);
		},
		async perform({ path, query }, send, { connection, read }) {
			const wanted = limitOf(read) ?? Infinity;
			const requestPage = pagesOf(connection, { path, listName, query }, send);
			const found: IDataObject[] = [];
			const pages = walkPages(requestPage, Math.min(wanted, LARGEST_PAGE));
			for await (const records of pages) {
				for (const record of records) found.push(readRecord(record));
				if (found.length >= wanted) break;
			}
			return found.slice(0, wanted);
		},
	});
}

/**
 * How many records the user wants; undefined for all.
 * @throws Failure if the limit is no number of records
 */
export function limitOf(read: ReadParameter): number | undefined {
	const returnAll = read('returnAll');
	// AI models give it as a text.
	if (returnAll === true || returnAll === 'true') return undefined;
	const entered = read('limit');
	const limit = isBlank(entered) ? DEFAULT_LIMIT : integerIn(entered);
	if (limit !== undefined && limit > 0) return limit;
	throw inputFailure(
		`Limit must be a whole number from 1 on, but is ${quoted(entered)}`,
		'Switch Return All on to get all records',
	);
}

/**
 * Fills the request of an item, and checks all that can be checked without sending anything.
 * @throws Failure
 */
async function prepareItem(
	context: IExecutePaginationFunctions,
	{ options }: DeclarativeRestApiSettings.ResultOptions,
	service: Service,
	plan: OperationPlan,
	run: BatchRun,
): Promise<PreparedItem> {
	const { proxy, skipSslCertificateValidation, timeout } = options;
	// n8n resolves expressions in a credential for each item, so two items may have two keys.
	const connection = await connect(context, service, {
		...(proxy === undefined ? {} : { proxy }),
		skipSslCertificateValidation: skipSslCertificateValidation === true,
	});
	const { parameters } = context.getNode();
	const itemContext: ItemContext = {
		connection,
		// n8n drops what its panel does not show, and throws where that is asked for.
		read: (name) =>
			name in parameters ? context.getNodeParameter(name, null, { extractValue: true }) : null,
		isExpression: (name) => isExpression(parameters[name]),
		zones: { from: context.getTimezone(), to: connection.timezone },
	};
	const request = filledRequest(options, plan, itemContext);
	const isWrite = request.method !== 'GET' && plan.isRead !== true;

	const send: Send = async (asked) =>
		await sendRequest(connection, asked, {
			repeatable: !isWrite || asked.method === 'GET',
			urgent: false,
			signal: cancelSignal(context),
			...(timeout === undefined ? {} : { timeoutMs: timeout }),
		});
	// A check that is no GET may be asked for by many items, for instance with the same purchase code.
	const sendOnce: Send = async (asked) => {
		const key = JSON.stringify([connection.connectionKey, asked]);
		const { body, answeredAt } = await run.once(key, async () => await send(asked));
		return { body: deepCopy(body), answeredAt };
	};
	return {
		connectionKey: connection.connectionKey,
		isWrite,
		perform: async () => await perform(plan, request, plan.isRead ? sendOnce : send, itemContext),
	};
}

function filledRequest(
	options: DeclarativeRestApiSettings.ResultOptions['options'],
	plan: OperationPlan,
	context: ItemContext,
): ItemRequest {
	const method: IHttpRequestMethods = options.method ?? 'GET';
	const { path, ids } = fillPath(options.url ?? '', context.read, plan.allowedValues);
	const query = withoutEmpty(options.qs ?? {});
	return {
		method,
		path,
		ids,
		body: bodyToSend(plan, method, mapIn(options.body), context),
		query: plan.query?.(query, context) ?? query,
	};
}

/** @throws Failure if a value cannot be sent, or an update changes nothing */
function bodyToSend(
	plan: OperationPlan,
	method: IHttpRequestMethods,
	entered: IDataObject,
	context: ItemContext,
): IDataObject {
	const isUpdate = method === 'PUT';
	const read = bodyOf(plan.fields ?? [], entered, isUpdate, context);
	const body = plan.body?.(read, context) ?? read;
	if (!isUpdate) return withoutEmpty(body);
	if (Object.keys(body).length > 0) return body;
	throw inputFailure(
		'There is nothing to update',
		'Add at least one field under Update Fields, or check the expressions in them',
	);
}

async function perform(
	plan: OperationPlan,
	request: ItemRequest,
	send: Send,
	context: ItemContext,
): Promise<IDataObject[]> {
	try {
		if (plan.perform) return await plan.perform(request, send, context);
		const response = await send(request);
		return plan.results(response.body, request, { ...context, at: response.answeredAt });
	} catch (error) {
		const failure = failureOf(error);
		const results = plan.recover?.(failure, request, context);
		if (results) return results;
		throw explainRefusal(failure, plan);
	}
}

/** n8n 1 gives a declarative node no word of a cancelled execution. */
function cancelSignal(context: IExecutePaginationFunctions): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

function nodeError(context: IExecutePaginationFunctions, failure: Failure): NodeApiError {
	const { message, advice: description, httpCode, cause } = failure;
	const status = httpCode === undefined ? {} : { httpCode: String(httpCode) };
	const error = new NodeApiError(
		context.getNode(),
		{ message },
		{ message, description, ...status },
	);
	if (cause instanceof Error) error.cause = cause;
	// n8n counts items from 0, and its editor would write that number behind a message that counts rows from 1.
	Object.defineProperty(error.context, 'itemIndex', { get: () => undefined, set: () => undefined });
	return error;
}

/** The runs, by what n8n keeps over all tries of one: its execution data, or the arguments of an AI tool call. */
const runs = new WeakMap<object, BatchRun>();

function batchRunOf(context: IExecutePaginationFunctions): BatchRun {
	const item = context.getItemIndex();
	const executeData = context.getExecuteData();
	const items = executeData.data.main?.[0] ?? [];
	// A call of an AI tool is a run of its own, but n8n gives it the execution data of the agent.
	const isToolCall = items[item] !== context.getInputData();
	const key = isToolCall ? context.getInputData(0, NodeConnectionTypes.AiTool).json : executeData;
	const current = runs.get(key);
	if (current && !current.isPast(item)) return current;
	const itemCount = isToolCall || context.getNode().executeOnce ? 1 : items.length;
	const run = new BatchRun(
		{
			itemCount,
			batchSize: batchSizeOf(context) ?? itemCount,
			continueOnFail: context.continueOnFail(),
		},
		current,
	);
	runs.set(key, run);
	return run;
}

/** Items that n8n starts before it pauses; undefined if it starts all at once (its *Batching* under *Request Options*). */
function batchSizeOf(context: IExecutePaginationFunctions): number | undefined {
	const { batch } = mapIn(mapIn(context.getNodeParameter('requestOptions', {})).batching);
	const { batchSize, batchInterval } = mapIn(batch);
	if (!(Number(batchInterval) > 0)) return undefined;
	return Math.max(1, Number(batchSize) || 1);
}
