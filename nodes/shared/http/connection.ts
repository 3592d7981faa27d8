// What a node declares about its service (`Service`), and `connect`: the credential, the shared rate limiter, and `sendOnce`,
// which limits a response's size and time and masks secrets.

import {
	type ICredentialDataDecryptedObject,
	type IExecutePaginationFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	jsonParse,
} from 'n8n-workflow';

import { Failure } from '../values/failure';
import { isUnwieldy, mapIn } from '../values/json';
import { NO_CACHE } from './cacheHeaders';
import { type Clock, systemClock } from './clock';
import { parseCredential, type ServiceCredential } from './credential';
import type { ApiRequest, HttpResponse, Send } from './exchange';
import { OWN_REQUEST, refuseReadableProxy } from './keyedRequest';
import { type Mask, maskOf, withoutSecrets } from './mask';
import { RateLimiter } from './rateLimiter';
import { readResponse } from './readResponse';
import { CHECK_ADDRESS, type ResponseFormat } from './classifyResponse';

/** What the nodes have to know of a service, for `connect`. */
export interface Service extends ResponseFormat {
	credentialType: string;
	authenticate(
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions>;
	/** In requests per minute; 0 if the API document states none. */
	documentedLimit: number;
	/** If the key is refused, where else to send it. */
	otherKeyPlace?(credential: ICredentialDataDecryptedObject): string;
	isList(request: ApiRequest): boolean;
	/** A GET of the account, which takes nothing but the key. */
	testPath: string;
	/**
	 * Tests a credential by more than a GET of the account.
	 * @param trial sends with the credential, some of its fields changed
	 * @throws Failure for users
	 */
	testKey?(trial: (changes: ICredentialDataDecryptedObject) => Trial): Promise<void>;
}

/** Succeeds only with the right key. */
export const proofRequest = ({ testPath }: Service): ApiRequest => ({
	method: 'GET',
	path: testPath,
	isProof: true,
});

/** A credential under test. */
export interface Trial {
	connection: Connection;
	send: Send;
}

/** One credential of one service, read and checked. Every request is sent with one, by `sendRequest`. */
export interface Connection extends ServiceCredential {
	service: Service;
	limiter: RateLimiter;
	clock: Clock;
	/** One attempt: limits size and time of the response, parses and masks it. `sendRequest` also waits and sends again. */
	sendOnce: (
		request: ApiRequest,
		timeoutMs: number,
		cancelled?: AbortSignal,
	) => Promise<HttpResponse>;
	mask: Mask;
	/** The whole credential and the user's options, as a key: no credential shows what another one read. Never stored or shown. */
	connectionKey: string;
}

/** One for each service and key: runs, dropdowns and triggers of this process share it. */
const limiters = new Map<string, RateLimiter>();

/** The limiter of a service and key. A new one removes those that nobody has used for so long that they know nothing. */
export function limiterFor(serviceAndKey: string, clock: Clock): RateLimiter {
	const limiter = limiters.get(serviceAndKey) ?? addLimiter(serviceAndKey, clock);
	limiter.noteUse();
	return limiter;
}

function addLimiter(serviceAndKey: string, clock: Clock): RateLimiter {
	for (const [key, { isForgotten }] of limiters) if (isForgotten) limiters.delete(key);
	const limiter = new RateLimiter(clock);
	limiters.set(serviceAndKey, limiter);
	return limiter;
}

export const JSON_REQUEST = {
	json: true,
	headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
} as const;

/**
 * Reads the credential once, so that n8n does not decrypt it for each request.
 * @param options that the user set on the node, such as a proxy
 * @param known connections by their keys, of whoever connects again and again: the same credential gives the same connection
 * @throws Failure if a field of it is wrong
 */
export async function connect(
	context: IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions,
	service: Service,
	options: Partial<IHttpRequestOptions> = {},
	known = new Map<string, Connection>(),
): Promise<Connection> {
	const type = service.credentialType;
	const data = await context.getCredentials(type);
	const connected = known.get(keyOf(data, options));
	if (connected) return connected;
	// n8n uses only `data` of it; the type wants an ID and a name.
	const credentialsDecrypted = { id: type, name: type, type, data };
	const send = async (request: IHttpRequestOptions): Promise<unknown> =>
		await context.helpers.httpRequestWithAuthentication.call(context, type, request, {
			credentialsDecrypted,
		});
	const connection = connectionWith(service, data, send, options);
	known.set(connection.connectionKey, connection);
	return connection;
}

const keyOf = (
	data: ICredentialDataDecryptedObject,
	options: Partial<IHttpRequestOptions>,
): string => JSON.stringify([data, options]);

export function connectionWith(
	service: Service,
	data: ICredentialDataDecryptedObject,
	send: (request: IHttpRequestOptions) => Promise<unknown>,
	options: Partial<IHttpRequestOptions> = {},
): Connection {
	const credential = parseCredential(data, service.documentedLimit);
	// Before any request, because n8n 1 wraps what is thrown later without its cause.
	refuseReadableProxy(credential.baseUrl, options);
	const { baseUrl, apiKey, secrets } = credential;
	const mask = maskOf(secrets);
	const everyRequest = { ...options, ...JSON_REQUEST, [OWN_REQUEST]: true };
	const failure = (fault: string): Failure =>
		new Failure({
			kind: 'unreadable',
			message: `The response of ${service.serviceName} ${fault}`,
			advice: CHECK_ADDRESS,
		});
	return {
		...credential,
		service,
		limiter: limiterFor(`${baseUrl} ${apiKey}`, systemClock),
		clock: systemClock,
		mask,
		connectionKey: keyOf(data, options),
		sendOnce: async (request, timeoutMs, cancelled) => {
			const { method, path, query, body: sent, isProof } = request;
			const maxBytes = service.isList(request) ? LARGEST_LIST : LARGEST_RESPONSE;
			const limits = { maxBytes, timeoutMs, cancelled, failure };
			const headers = { ...JSON_REQUEST.headers, ...(isProof && NO_CACHE) };
			const content = { method, url: path, headers, qs: { ...query }, ...(sent && { body: sent }) };
			const { bytes, ...response } = await readResponse(
				send,
				{ ...everyRequest, ...content },
				limits,
			);
			const text = new TextDecoder().decode(bytes);
			const body = jsonParse<unknown>(text, { fallbackValue: text });
			if (isUnwieldy(body)) throw failure('is nested too deeply, or has too many members');
			const holdsSecret = mask(text) !== text;
			return {
				...response,
				headers: mapIn(withoutSecrets(response.headers, mask)),
				body: holdsSecret ? withoutSecrets(body, mask) : body,
			};
		},
	};
}

/** Larger JSON, of the slowest kind, would block n8n for longer than a second. */
const LARGEST_LIST = 8 * 1024 * 1024;
const LARGEST_RESPONSE = 1024 * 1024;
