// What a node declares about its service (`Service`), and `connect`: the credential, the shared rate limiter, and `sendOnce`.

import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	Logger,
} from 'n8n-workflow';

import type { Failure } from '../values/failure';
import { mapIn } from '../values/json';
import { type Clock, systemClock } from './clock';
import { credentialOf, type ServiceCredential } from './credential';
import { digestOf } from './digest';
import { inTime } from './inTime';
import { type Pace, RateLimiter } from './rateLimiter';
import { type Redact, redactDeep, redactorFor } from './redaction';
import type { ResponseFormat } from './response';
import type { HttpResponse } from './responseKind';

export interface ApiRequest {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** Whether it is sent only once, unless the rate limit refuses it. */
	noRetry?: boolean;
	/** Recognizes a refusal of this request alone, whatever its status: then neither the key nor the account is in doubt. */
	isOwnRefusal?: (failure: Failure) => boolean;
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
	testKey(trial: CredentialTrial): Promise<void>;
}

export interface CredentialTrial {
	connection: Connection;
	send: Send;
}

export interface Connection extends ServiceCredential {
	service: Service;
	/** The present one: it is forgotten when its window has ended. */
	readonly limiter: RateLimiter;
	pace: Pace;
	clock: Clock;
	sendOnce: (request: ApiRequest, timeoutMs: number) => Promise<HttpResponse>;
	redact: Redact;
	/** A digest of the whole credential: no credential shows what another one read. */
	connectionKey: string;
	/** n8n's log. */
	logger?: Pick<Logger, 'info'> | undefined;
}

/** One for each key of a service, or for each service: runs, dropdowns and triggers of this process share it. */
const limiters = new Map<string, RateLimiter>();

const limiterKeyOf = (service: Service, { baseUrl, apiKey }: ServiceCredential): string =>
	digestOf(service.isLimitedByAddress ? [baseUrl] : [baseUrl, apiKey]);

/** Of one that nobody uses, nothing is left to know. */
function limiterOf(key: string): RateLimiter {
	for (const [each, { isIdle }] of limiters) if (isIdle) limiters.delete(each);
	const limiter = limiters.get(key) ?? new RateLimiter(systemClock);
	limiters.set(key, limiter);
	return limiter;
}

export const JSON_REQUEST = {
	json: true,
	headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
} as const;

type Context = IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions;

/** For a dropdown or a poll. @throws Failure if a field of the credential is wrong */
export async function connect(context: Context, service: Service): Promise<Connection> {
	return connectionFor(context, service, await context.getCredentials(service.credentialType));
}

/**
 * With a credential that was read once, so that n8n does not decrypt it for each request. @throws Failure if a field of it is wrong
 * @param options that the user set on the node, such as a proxy
 */
export function connectionFor(
	context: Context,
	service: Service,
	data: ICredentialDataDecryptedObject,
	options: Partial<IHttpRequestOptions> = {},
): Connection {
	const type = service.credentialType;
	// n8n uses only `data` of it; the type wants an ID and a name.
	const credentialsDecrypted = { id: type, name: type, type, data };
	const send = async (request: IHttpRequestOptions): Promise<unknown> =>
		await context.helpers.httpRequestWithAuthentication.call(context, type, request, {
			credentialsDecrypted,
		});
	return connectionWith(service, data, send, options, context.logger);
}

export function connectionWith(
	service: Service,
	data: ICredentialDataDecryptedObject,
	send: (request: IHttpRequestOptions) => Promise<unknown>,
	options: Partial<IHttpRequestOptions> = {},
	logger?: Connection['logger'],
): Connection {
	const credential = credentialOf(data);
	const { documentedLimit } = service;
	const { requestsPerMinute = documentedLimit, acceptsAnyCertificate } = credential;
	const redact = redactorFor(credential.secrets);
	const limiterKey = limiterKeyOf(service, credential);
	const everyRequest = {
		...options,
		...JSON_REQUEST,
		...OWN_TRANSPORT,
		...(acceptsAnyCertificate && ANY_CERTIFICATE),
	};
	return {
		...credential,
		service,
		logger,
		get limiter() {
			return limiterOf(limiterKey);
		},
		pace: { requestsPerMinute, isDefault: requestsPerMinute === documentedLimit },
		clock: systemClock,
		redact,
		connectionKey: digestOf(data),
		sendOnce: async (request, timeoutMs) => {
			const options = { ...everyRequest, ...contentOf(request), timeout: timeoutMs };
			const response = mapIn(await inTime(send(options), timeoutMs));
			return {
				statusCode: Number(response.statusCode),
				headers: mapIn(redactDeep(response.headers, redact)),
				body: redactDeep(response.body, redact),
			};
		},
	};
}

const contentOf = ({ method, path, query, body }: ApiRequest) => ({
	method,
	url: path,
	qs: { ...query },
	...(body && { body }),
});

const ANY_CERTIFICATE = { skipSslCertificateValidation: true } as const;

/** Failing statuses come as responses, too: they hold the service's own message. */
const OWN_TRANSPORT = {
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
} as const;
