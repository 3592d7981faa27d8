import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { isRecord, mapIn } from '../values/json';
import type { ServiceCredential } from './credential';
import { readCredential } from './credential';
import type { RateLimiter, Time } from './rateLimiter';
import { RateLimiters } from './rateLimiter';
import type { HttpResponse, ResponseFormat } from './response';

/** What the shared parts need to know of a service; see `service.ts` of each node. */
export interface Service extends ResponseFormat {
	/** Name of its credential type. */
	credentialType: string;
	/** Puts address and key into a request, as the credential type does for n8n. */
	authenticate(
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions>;
	/** The rate limit that its API document states, in requests per minute; 0 if it states none. */
	documentedLimit: number;
	/** Where else the key can go, if a credential test finds it refused. */
	otherKeyPlace?(credential: ICredentialDataDecryptedObject): string;
	/** The GET that a credential test sends; its success means that the key is good. */
	testPath: string;
}

/** A request to a service, without its address and key. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	/** As in the API document, with the ids in it. */
	path: string;
	query?: IDataObject;
	/** Not sent with a GET. */
	body?: IDataObject;
}

/** Sends one request with n8n's HTTP client. Rejects if no response came within `timeoutMs`. */
export type HttpSend = (request: ApiRequest, timeoutMs: number) => Promise<HttpResponse>;

/** Everything that a request needs to reach one service with one key. */
export interface Connection extends ServiceCredential {
	service: Service;
	limiter: RateLimiter;
	time: Time;
	send: HttpSend;
	/** Identifies this service and key. It contains the key, so it must not be stored or shown. */
	connectionKey: string;
	/** From 0 up to 1. Programs that failed together then do not repeat together. */
	random(): number;
}

/** n8n's contexts from which requests are sent: an operation, a dropdown, a trigger. */
export type RequestContext = IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * Waits are measured with `performance.now`, because the wall clock may be set at any time. It may stop while the machine
 * sleeps; then a wait gets longer, never shorter.
 */
const time: Time = { now: () => performance.now(), epoch: () => Date.now(), sleep };

/** One set for the process: a bulk run, a dropdown and a trigger with the same key share its limit. */
const limiters = new RateLimiters(time);

/** The options that all requests have in common. */
export const REQUEST_DEFAULTS = {
	// Else the HTTP client throws on a failing status, and drops the service's own message.
	ignoreHttpStatusErrors: true,
	// Followed, a redirect turns a POST into a GET and ends on a login page.
	disableFollowRedirect: true,
	json: true,
	headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
} as const;

/**
 * A connection with the credential of a node. The credential is read once and handed on, so that n8n does not load and
 * decrypt it again for each request.
 * @param options for n8n's HTTP client that the user set on the node, such as a proxy
 * @throws Failure if a field of the credential is wrong
 */
export async function connect(
	context: RequestContext,
	service: Service,
	options: Partial<IHttpRequestOptions> = {},
): Promise<Connection> {
	const type = service.credentialType;
	const data = await context.getCredentials(type);
	const credentialsDecrypted = { id: type, name: type, type, data };
	return connectionWith(service, data, async (request, timeout) =>
		parsedResponse(
			await context.helpers.httpRequestWithAuthentication.call(
				context,
				type,
				{ ...options, ...httpOptions(request, timeout) },
				{ credentialsDecrypted },
			),
		),
	);
}

/**
 * A connection with a decrypted credential.
 * @throws Failure if a field of the credential is wrong
 */
export function connectionWith(
	service: Service,
	data: ICredentialDataDecryptedObject,
	send: HttpSend,
): Connection {
	const credential = readCredential(data, service.documentedLimit);
	const connectionKey = `${credential.baseUrl} ${credential.apiKey}`;
	return {
		...credential,
		service,
		limiter: limiters.for(connectionKey),
		time,
		send: async (request, timeoutMs) => await within(timeoutMs, send(request, timeoutMs)),
		connectionKey,
		random: () => Math.random(),
	};
}

/** Limits the whole wait for a response: the timeout of n8n's HTTP client starts again with each byte that comes. */
async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
	const timeout = new Promise<never>((_, reject) => {
		const late = (): void => reject(new Error('ETIMEDOUT'));
		AbortSignal.timeout(timeoutMs).addEventListener('abort', late);
	});
	return await Promise.race([work, timeout]);
}

/** A request as n8n's HTTP client takes it. */
export function httpOptions(
	{ method, path, query, body }: ApiRequest,
	timeout: number,
): IHttpRequestOptions {
	return {
		...REQUEST_DEFAULTS,
		headers: { ...REQUEST_DEFAULTS.headers },
		method,
		url: path,
		qs: { ...query },
		...(body && { body: { ...body } }),
		timeout,
		returnFullResponse: true,
	};
}

/** A full response of n8n's HTTP helpers, parsed. */
export function parsedResponse(response: unknown): HttpResponse {
	const { statusCode, headers, body } = isRecord(response) ? response : {};
	return {
		statusCode: typeof statusCode === 'number' ? statusCode : 0,
		headers: mapIn(headers),
		body,
	};
}
