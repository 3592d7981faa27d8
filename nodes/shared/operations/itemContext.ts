import type {
	IBinaryData,
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { ApiRequest, Connection } from '../http/connection';
import type { Send } from '../http/request';
import type { ReadParameter } from '../values/path';
import type { IndexOf } from './references';

/** A request of an operation, filled from one item. */
export interface ItemRequest extends ApiRequest {
	query: IDataObject;
	body: IDataObject;
	/** The ids in the path, by the name of their parameter. */
	ids: Record<string, number>;
}

/** What an operation knows of an item and its run while it makes the request. */
export interface ItemContext {
	connection: Connection;
	/** See `parameterReader`. */
	read: ReadParameter;
	/**
	 * The id that a locator picks.
	 * @param held what a collection holds of the locator; if left out, the parameter of that name
	 * @throws Failure if it picks none
	 */
	id: (name: string, held?: unknown) => number;
	/** The records of a list by their names; one index for all items of the run. */
	indexOf: IndexOf;
	/**
	 * Sends a write of the item. If a later step fails, *Retry On Fail* does not send it again: the result of the earlier
	 * try counts.
	 * @param name tells the item's writes apart
	 */
	step: (name: string, write: (send: Send) => Promise<IDataObject>) => Promise<IDataObject>;
	web: WebClient;
	/** The input item, and all of them. */
	input: { item: IDataObject; items: readonly INodeExecutionData[] };
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
