import type {
	DeclarativeRestApiSettings,
	ICredentialsDecrypted,
	IDataObject,
	IExecuteData,
	IExecutePaginationFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError, sleep } from 'n8n-workflow';

import type { HttpResponse } from '../http/response';
import type { ServiceResponse } from '../http/request';
import { sendRequest } from '../http/request';
import type { Failure } from '../values/failure';
import { failureIn } from '../values/failure';
import type { ItemWork } from './batchRun';
import { BatchRun } from './batchRun';
import { integerIn, isRecord, mapIn } from '../values/json';
import { LARGEST_PAGE, readPage, walkPages } from '../lists/pages';
import type { FilledPath, AllowedValues, ReadParameter } from '../values/path';
import { fillPath } from '../values/path';
import type { Service } from '../http/connection';
import { connectionTo, readAnswer } from '../http/connection';

/** A request of an operation, filled from one item. */
export interface ItemRequest {
	method: IHttpRequestMethods;
	/** As in the API document, with the ids in it. */
	path: string;
	/** The ids in the path, by the name of their parameter. */
	ids: FilledPath['ids'];
	query: IDataObject;
	body: IDataObject;
}

/** What an operation may look at while it checks and fills its request. */
export interface ItemContext {
	/** A parameter of the node for this item, expressions evaluated, locators reduced to their value. */
	read: ReadParameter;
	/** Time zones, as IANA names: that in which the user's times are meant, and the service's. */
	zones: { from: string; to: string };
}

/** What else an answer may be read with. */
export interface Answered extends ItemContext {
	/** When the service answered, by its own clock where it says so; epoch milliseconds. */
	at: number;
}

/** What tells one operation from another. */
export interface OperationPlan {
	/** Turns an answer into the item's results. */
	results(body: IDataObject, request: ItemRequest, answered: Answered): IDataObject[];
	/**
	 * Checks what the user entered and turns it into what the API takes. It gets the body as the fields' routing
	 * composed it, and returns the one to send. Failure: input
	 */
	body?(body: IDataObject, context: ItemContext): IDataObject;
	/** The same for the query. */
	query?(query: IDataObject, context: ItemContext): IDataObject;
	/** Asks what must be known before the request can be sent, and returns the body to send. */
	complete?(request: ItemRequest, ask: Ask): Promise<IDataObject>;
	/** What the segments of the path that are no ids may say. */
	allowedValues?: AllowedValues;
	/** Whether it changes nothing at the service although it is no GET. */
	isRead?: boolean;
	/** Turns a failure into results, where it is an answer. */
	recover?(failure: Failure, request: ItemRequest, context: ItemContext): IDataObject[] | undefined;
}

/** Sends a request through the exchange, and returns the successful answer. Failure: see `exchange`. */
export type Ask = (request: SentRequest) => Promise<ServiceResponse>;

/** A credential as n8n decrypts it. */
type OpenCredential = Required<Pick<ICredentialsDecrypted, 'id' | 'name' | 'type' | 'data'>>;

type SentRequest = Pick<ItemRequest, 'method' | 'path' | 'query' | 'body'>;

/** Sends what an operation sends for one item. */
type Send = (request: ItemRequest, ask: Ask, context: ItemContext) => Promise<IDataObject[]>;

/** n8n's hook through which a declarative operation sends its requests itself. */
export type Pagination = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/** The limit of a list operation whose field was left as it is. */
const DEFAULT_LIMIT = 50;

/** An operation that sends one request for an item. */
export function oneRequest(service: Service, plan: OperationPlan): Pagination {
	return async function (this, requestData) {
		return await runItem(this, requestData, service, plan, async (request, ask, context) => {
			const { body, answeredAt } = await ask(request);
			return plan.results(body, request, { ...context, at: answeredAt });
		});
	};
}

/**
 * An operation that lists records: all, or as many as the node's `limit` says.
 * @param listName of the answer's array
 * @param record reads one of its records
 */
export function listOperation(
	service: Service,
	listName: string,
	record: (entry: IDataObject) => IDataObject,
): Pagination {
	return async function (this, requestData) {
		const plan: OperationPlan = { results: (body) => [body] };
		return await runItem(this, requestData, service, plan, async (request, ask, { read }) => {
			const wanted = limitOf(read);
			const found: IDataObject[] = [];
			const perPage = Math.min(wanted ?? LARGEST_PAGE, LARGEST_PAGE);
			const pages = walkPages(async (page, limit) => {
				const query = { ...request.query, limit, page };
				return readPage((await ask({ ...request, query })).body, listName, limit);
			}, perPage);
			for await (const records of pages) {
				found.push(...records.map(record));
				if (wanted !== undefined && found.length >= wanted) break;
			}
			return found.slice(0, wanted);
		});
	};
}

/** How many records the user wants; undefined for all. */
export function limitOf(read: ReadParameter): number | undefined {
	const returnAll = read('returnAll');
	// AI models give it as a text.
	return returnAll === true || returnAll === 'true'
		? undefined
		: Math.max(1, integerIn(read('limit')) ?? DEFAULT_LIMIT);
}

/** Runs one input item: checked, in its turn, paired with its results, its failure said once and in full. */
async function runItem(
	context: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	service: Service,
	plan: OperationPlan,
	send: Send,
): Promise<INodeExecutionData[]> {
	const item = context.getItemIndex();
	try {
		const results = await batchRunOf(context, item).item(
			item,
			async () => await checkItem(context, requestData, service, plan, send),
		);
		return results.map((json) => ({ json, pairedItem: { item } }));
	} catch (error) {
		const failure = failureIn(error);
		if (failure && context.continueOnFail()) return [errorItem(failure, item)];
		throw failure
			? nodeError(context, failure, item)
			: new NodeOperationError(context.getNode(), String(error));
	}
}

async function checkItem(
	context: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	service: Service,
	plan: OperationPlan,
	send: Send,
): Promise<ItemWork> {
	const credential = await credentialOf(context, service);
	const connection = connectionTo(service, credential.data);
	const itemContext: ItemContext = {
		read: (name) => context.getNodeParameter(name, null, { extractValue: true }),
		zones: { from: context.getTimezone(), to: timezoneOf(credential.data.timezone) },
	};
	const { options } = requestData;
	const method = options.method ?? 'GET';
	const { path, ids } = fillPath(options.url ?? '', itemContext.read, plan.allowedValues);
	const composed = isRecord(options.body) ? options.body : {};
	const body = plan.body?.(composed, itemContext) ?? composed;
	const query = plan.query?.(options.qs ?? {}, itemContext) ?? options.qs ?? {};
	const request: ItemRequest = { method, path, ids, query, body };
	const isWrite = method !== 'GET' && plan.isRead !== true;

	const ask: Ask = async (asked) => {
		const isSafe = asked.method === 'GET' || !isWrite;
		return await sendRequest(
			async () => await httpResponse(context, requestData, credential, asked),
			connection,
			{
				repeatable: isSafe,
				urgent: false,
				signal: context.getExecutionCancelSignal(),
			},
		);
	};
	const perform = async (): Promise<IDataObject[]> => {
		const complete = (await plan.complete?.(request, ask)) ?? request.body;
		return await send({ ...request, body: complete }, ask, itemContext).catch((error: unknown) => {
			const failure = failureIn(error);
			const results = failure && plan.recover?.(failure, request, itemContext);
			if (results) return results;
			throw failure ?? error;
		});
	};
	return {
		connectionKey: connection.connectionKey,
		isWrite,
		deduplicate: method !== 'GET' && !isWrite,
		requestKey: JSON.stringify([method, path, request.query, body]),
		perform,
	};
}

/** The credential for an item: n8n resolves expressions in it for each, so two items may have two keys. */
async function credentialOf(
	context: IExecutePaginationFunctions,
	{ credentialType: type }: Service,
): Promise<OpenCredential> {
	return { id: type, name: type, type, data: await context.getCredentials(type) };
}

function timezoneOf(value: unknown): string {
	return typeof value === 'string' && value !== '' ? value : 'UTC';
}

async function httpResponse(
	context: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	credential: OpenCredential,
	{ method, path, query, body }: SentRequest,
): Promise<HttpResponse> {
	// A credential can be restricted to domains, for nodes in which the user types an address. Here it is always the
	// credential's own, and redirects are not followed.
	const {
		allowedDomains: _restriction,
		skipSslCertificateValidation,
		...options
	} = requestData.options;
	const request: IHttpRequestOptions = {
		...options,
		skipSslCertificateValidation: skipSslCertificateValidation === true,
		method,
		url: path,
		qs: { ...query },
		body: { ...body },
		returnFullResponse: true,
	};
	const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
		context,
		credential.type,
		request,
		// Handed on, so that n8n does not read its database and decrypt once more.
		{ credentialsDecrypted: credential },
	);
	return readAnswer(response);
}

/** In *Continue* the message is what the user sees; in *Continue (using error output)* n8n puts the input row beside it. */
function errorItem(failure: Failure, item: number): INodeExecutionData {
	return { json: { error: failure.explanation }, pairedItem: { item } };
}

function nodeError(
	context: IExecutePaginationFunctions,
	failure: Failure,
	itemIndex: number,
): NodeApiError {
	const { message, advice: description, httpCode } = failure;
	return new NodeApiError(
		context.getNode(),
		{ message },
		{
			message,
			description,
			itemIndex,
			...(httpCode === undefined ? {} : { httpCode: String(httpCode) }),
		},
	);
}

const runs = new WeakMap<IExecuteData, BatchRun>();

/** The run that an item belongs to: n8n gives all items of one the same execution data. */
function batchRunOf(context: IExecutePaginationFunctions, itemIndex: number): BatchRun {
	const executeData = context.getExecuteData();
	const current = runs.get(executeData);
	if (current && !current.has(itemIndex)) return current;
	const run = new BatchRun({
		itemCount: itemCountOf(context, executeData),
		continueOnFail: context.continueOnFail(),
		allStarted: sleep(0),
		previous: current?.toRepeat,
	});
	runs.set(executeData, run);
	return run;
}

/** Items that n8n starts at once; unknown where it does not say, as for AI tools, or starts them in batches. */
function itemCountOf(
	context: IExecutePaginationFunctions,
	{ data }: IExecuteData,
): number | undefined {
	const items = data.main?.[0];
	const isThisInput = items?.[context.getItemIndex()] === context.getInputData();
	const inBatches = 'batching' in mapIn(context.getNodeParameter('requestOptions', {}));
	if (!items || !isThisInput || inBatches || context.getNode().executeOnce) return undefined;
	return items.length;
}
