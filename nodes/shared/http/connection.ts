// `connect`: the credential, the shared rate limiter, and `sendOnce`, whose responses have no secret in them.

import type {
	ICredentialDataDecryptedObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	Logger,
} from 'n8n-workflow';

import { mapIn } from '../values/json';
import { type Redact, redactDeep, redactorFor } from '../values/redaction';
import { type Clock, systemClock } from './clock';
import { credentialOf, type ServiceCredential } from './credential';
import { type Pace, RateLimiter } from './rateLimiter';
import type { HttpResponse } from './response';
import type { ApiRequest, Service } from './service';

export interface Connection extends ServiceCredential {
	service: Service;
	limiter: RateLimiter;
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

function limiterOf(key: string): RateLimiter {
	for (const [each, { isForgotten }] of limiters) if (isForgotten) limiters.delete(each);
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
	const { baseUrl, apiKey, acceptsAnyCertificate } = credential;
	const { requestsPerMinute = documentedLimit } = credential;
	const redact = redactorFor(credential.secrets);
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
		pace: { requestsPerMinute, isDefault: requestsPerMinute === documentedLimit },
		clock: systemClock,
		redact,
		connectionKey: digestOf(data),
		limiter: limiterOf(digestOf(service.isLimitedByAddress ? [baseUrl] : [baseUrl, apiKey])),
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

/** For the whole response: n8n's HTTP client starts its timeout again with each byte that comes. */
export async function inTime<T>(response: Promise<T>, timeoutMs: number): Promise<T> {
	const late = AbortSignal.timeout(timeoutMs);
	let stop = (): void => undefined;
	const stopped = new Promise<never>((_resolve, reject) => {
		stop = () => reject(new Error('the request timed out'));
	});
	late.addEventListener('abort', stop);
	const first = Promise.race([response, stopped]);
	return await first.finally(() => late.removeEventListener('abort', stop));
}

/** Names what is remembered of a credential, so that no memory keeps its text: 64 bits, enough to tell those of one process apart. */
export function digestOf(value: unknown): string {
	const text = JSON.stringify(value);
	let first = 0;
	let second = 0x9e3779b9;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		first = Math.imul(first ^ code, 0x85ebca6b);
		first ^= first >>> 13;
		second = Math.imul(second ^ code, 0xc2b2ae35);
		second ^= second >>> 16;
	}
	return `${first >>> 0}-${second >>> 0}`;
}
