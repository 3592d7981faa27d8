// What a node declares about its service, and the requests and responses of it.

import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
} from 'n8n-workflow';

import type { Failure } from '../values/failure';
import type { ServiceCredential } from './credential';
import type { ResponseFormat } from './response';

export interface ApiRequest {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** Whether it is sent only once, unless the rate limit refuses it. */
	noRetry?: boolean;
	/** Recognizes that the service has none of what is asked for, whatever its status: then the failure is of the kind `none`. */
	isNone?: (failure: Failure) => boolean;
}

export interface ServiceResponse {
	body: IDataObject;
	/** In epoch milliseconds, by the service's clock if it says so, else by this machine's. */
	answeredAt: number;
}

export type Send = (request: ApiRequest) => Promise<ServiceResponse>;

export interface Service extends ResponseFormat {
	credentialType: string;
	/** Puts address and key into a request. @throws Failure if a field is wrong, or someone else could read the key */
	authenticate: (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	) => Promise<IHttpRequestOptions>;
	/** In requests per minute; 0 if the API document states none. */
	documentedLimit: number;
	/** Whether the requests of all keys that come from one address count together. */
	isLimitedByAddress?: boolean;
	/** Tests a credential; n8n shows nothing of a test that succeeds. @throws Failure */
	testKey(credential: ServiceCredential, send: Send): Promise<void>;
}
