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

/** What an operation may look at while it checks and fills its request. */
export interface ItemContext {
	connection: Connection;
	/** A parameter of the node for this item, expressions evaluated, locators reduced to their value. */
	read: ReadParameter;
	/**
	 * The id that a locator picks: the parameter of that name, or what a collection holds of it.
	 * @throws Failure if it picks none
	 */
	id: (name: string, held?: unknown) => number;
	/** The records of a list by their names, as this run knows them. */
	indexOf: IndexOf;
	web: WebClient;
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

/** n8n's HTTP client without a credential. It refuses addresses that whoever runs n8n has blocked. */
export interface WebClient {
	/** Sends a request, with the options that the user set on the node. */
	get: (request: IHttpRequestOptions) => Promise<unknown>;
	/** Milliseconds that the user lets an answer take, if any. */
	timeoutMs: number | undefined;
	/** Aborts when the execution is cancelled. */
	cancelled: AbortSignal | undefined;
	/** Gives a file to n8n, as a member of an item's `binary`. */
	file: (bytes: Buffer, name: string, mimeType: string) => Promise<IBinaryData>;
}

/** An item of the output, but for what it is paired with. */
export type ItemResult = Pick<INodeExecutionData, 'json' | 'binary'>;

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
	/** The lists in which records are found that a locator names. */
	lists?: NamedLists;
	/** What the segments of the path that are no ids may say. */
	allowedValues?: AllowedValues;
	/** Whether it changes nothing at the service although it is no GET. */
	isRead?: boolean;
	/** Sends more than the one request; takes the place of it and of `results`. */
	perform?(request: ItemRequest, send: Send, context: ItemContext): Promise<IDataObject[]>;
	/** Files that come with a result. */
	binary?(result: IDataObject, context: ItemContext): Promise<IBinaryKeyData>;
	/** Turns a failure into results, where it is an answer. */
	recover?(failure: Failure, request: ItemRequest, context: ItemContext): IDataObject[] | undefined;
}

/** n8n's hook through which a declarative operation sends its requests itself. */
export type Pagination = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;
