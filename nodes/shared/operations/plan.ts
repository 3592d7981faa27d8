import type {
	DeclarativeRestApiSettings,
	IBinaryData,
	IBinaryKeyData,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import type { ApiRequest, Connection } from '../http/connection';
import type { Send } from '../http/request';
import type { Failure } from '../values/failure';
import type { AllowedValues, ReadParameter } from '../values/path';
import type { IndexOf, NamedLists } from './references';

/** A request of an operation, filled from one item. */
export interface ItemRequest extends Required<ApiRequest> {
	/** The ids in the path, by the name of their parameter. */
	ids: Record<string, number>;
}

/** What an operation knows of an item and its run while it makes the request. */
export interface ItemContext {
	connection: Connection;
	/** A parameter of the node for this item: expressions are evaluated, of a locator there is only its value. */
	read: ReadParameter;
	/**
	 * The id that a locator picks.
	 * @param held what a collection holds of the locator; if left out, the parameter of that name
	 * @throws Failure if it picks none
	 */
	id: (name: string, held?: unknown) => number;
	/** The records of a list by their names; one index for all items of the run. */
	indexOf: IndexOf;
	web: WebClient;
	/** Whether that parameter of the node holds an expression. */
	isExpression(name: string): boolean;
	/** Time zones, as IANA names: the workflow's, in which users enter times, and the service's. */
	zones: { from: string; to: string };
}

/** What is also known once the service has answered. */
export interface ResponseContext extends ItemContext {
	/** See `ServiceResponse.answeredAt`. */
	at: number;
}

/** n8n's HTTP client without a credential. It refuses addresses that n8n's protection (SSRF) blocks. */
export interface WebClient {
	/** Sends a request, with the proxy and the TLS option that the user set on the node. */
	get: (request: IHttpRequestOptions) => Promise<unknown>;
	/** The *Timeout* that the user set, in milliseconds. */
	timeoutMs: number | undefined;
	/** Aborted when the execution is cancelled; n8n 1 gives none. */
	cancelled: AbortSignal | undefined;
	/** Makes n8n store a file, and returns the member for an item's `binary`. */
	file: (bytes: Buffer, name: string, mimeType: string) => Promise<IBinaryData>;
}

/** An item of the output, before it is paired. */
export type ItemResult = Pick<INodeExecutionData, 'json' | 'binary'>;

/** What an operation is made of; `operation` does the rest. */
export interface OperationPlan {
	/** Turns a response into the item's results. */
	results(body: IDataObject, request: ItemRequest, context: ResponseContext): IDataObject[];
	/** The fields whose values are sent in the body; see `bodyOf`. */
	fields?: readonly INodeProperties[];
	/** The labels for members of the body that no single field sends; for messages. */
	labels?: Readonly<Record<string, string>>;
	/**
	 * Adds to the body what no single field holds.
	 * @throws Failure of the kind `input`
	 */
	body?(body: IDataObject, context: ItemContext): IDataObject;
	/** The same for the query that n8n's routing made. */
	query?(query: IDataObject, context: ItemContext): IDataObject;
	/** The lists in which a locator's name is looked up. */
	lists?: NamedLists;
	/** The values that are allowed in segments of the path that are no ids. */
	allowedValues?: AllowedValues;
	/** Whether it changes nothing at the service, although it is no GET. */
	isRead?: boolean;
	/** Sends the requests itself, if there may be more than one; then `results` is not called. */
	perform?(request: ItemRequest, send: Send, context: ItemContext): Promise<IDataObject[]>;
	/** The files of a result. */
	binary?(result: IDataObject, context: ItemContext): Promise<IBinaryKeyData>;
	/** Turns a failure into results; undefined if it stays a failure. */
	recover?(failure: Failure, request: ItemRequest, context: ItemContext): IDataObject[] | undefined;
}

/** n8n's `operations.pagination`, a function: with it a declarative operation sends its requests itself. */
export type Pagination = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;
