// Types: a request, its response as it comes (`HttpResponse`) and as a success (`ServiceResponse`), and the functions that send
// it (`Send`, and within a time limit `SendWithin`).

import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { Failure } from '../values/failure';

export interface ApiRequest {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** Whether a read is sent only once, and waited for only briefly, because one like it was sent again and again. */
	once?: boolean;
	/** Whether the service itself has to respond, no cache in front of it: the response proves the key. */
	isProof?: boolean;
	/** Recognizes a refusal of this request alone, whatever its status: then neither the key nor the account is in doubt. */
	isOwnRefusal?: (failure: Failure) => boolean;
}

/** A response before `classifyResponse` decides, by status and message, whether it is a success or which `Failure`. */
export interface HttpResponse {
	statusCode: number;
	headers: IDataObject;
	/** Parsed JSON, or the text if it is not JSON. */
	body: unknown;
}

/** A response that is a success. */
export interface ServiceResponse {
	body: IDataObject;
	/** In epoch milliseconds, by the service's clock if it says so, else by this machine's. */
	answeredAt: number;
}

export type Send = (request: ApiRequest) => Promise<ServiceResponse>;

/** When a request is given up, on the connection's clock. */
export interface TimeLimit {
	/** Nothing is sent after this time. */
	until?: number;
	/** Whether a read in flight ends at that time, too. */
	endsReads?: boolean;
}

/** Sends a request within a limit of its own. */
export type SendWithin = (request: ApiRequest, limit?: TimeLimit) => Promise<ServiceResponse>;
