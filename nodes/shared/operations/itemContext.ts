import type {
	IBinaryData,
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { ApiRequest, Connection } from '../http/connection';
import type { Send } from '../http/request';
import type { AcceptedLimit } from '../lists/pages';
import type { ReadParameter } from '../values/input';
import type { AskForKey } from './keyProof';
import type { IndexOf } from './references';

/** What an operation can use while it handles one input item. `prepareItem` makes one for each item. */
export interface ItemContext {
	connection: Connection;
	read: ReadParameter;
	/** The id that the locator of that name picks. One in a collection is passed as `held`. */
	id: (name: string, held?: unknown) => number;
	indexOf: IndexOf;
	/** What the run knows of the limits that the service refuses for the list at a path. */
	acceptedLimit: (path: string) => AcceptedLimit;
	/** Sends a write, known by its name. If a later one fails, *Retry On Fail* does not send this one again. */
	step: (name: string, write: (send: Send) => Promise<IDataObject>) => Promise<IDataObject>;
	keyProof: {
		/** Call it before a request is sent, and what it returns if the response proves the key. */
		begin: () => () => void;
		/** Holds the results of the item back until the key was proved after now; see `KeyProof`. */
		await: (ask: AskForKey) => void;
	};
	web: WebClient;
	input: { item: IDataObject; items: readonly INodeExecutionData[] };
	isExpression(name: string): boolean;
	/** IANA names: the workflow's time zone, in which users enter times, and the service's. */
	zones: { from: string; to: string };
}

export interface ItemRequest extends ApiRequest {
	query: IDataObject;
	body: IDataObject;
	ids: Record<string, number>;
}

/** n8n's HTTP client without a credential. It refuses addresses that n8n's protection (SSRF) blocks. */
export interface WebClient {
	/** With the proxy and the TLS option that the user set on the node. */
	get: (request: IHttpRequestOptions) => Promise<unknown>;
	timeoutMs: number | undefined;
	/** Aborted when the execution is cancelled; n8n 1 gives none. */
	cancelled: AbortSignal | undefined;
	/** Stores a file. @returns the member for `binary` */
	file: (bytes: Buffer, name: string, mimeType: string) => Promise<IBinaryData>;
}
