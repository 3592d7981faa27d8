import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { HttpResponse, ResponseFormat } from './response';
import { readCredential } from './credential';
import type { Connection } from './request';
import { isRecord } from '../values/json';
import type { Time } from './rateLimiter';
import { RateLimiters } from './rateLimiter';

/** What the shared parts need to know of a service; the node's folder says it. */
export interface Service extends ResponseFormat {
	/** Name of its credential type. */
	credentialType: string;
	/** Puts address and key into a request, as the credential type does for n8n. */
	authenticate(
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions>;
	/** The GET that a credential test asks; its success means that the key is good. */
	testPath: string;
}

const time: Time = { now: () => Date.now(), sleep };

/** One set for the process: a bulk run, a dropdown and a trigger with the same key share its limit. */
const pacers = new RateLimiters(time);

/** The way to a service for a credential as n8n decrypts it. Failure: a field of it is wrong. */
export function connectionTo(service: Service, data: ICredentialDataDecryptedObject): Connection {
	const { baseUrl, apiKey, requestsPerMinute } = readCredential(data);
	const connectionKey = `${baseUrl} ${apiKey}`;
	return {
		reader: service,
		pacer: pacers.for(connectionKey, requestsPerMinute),
		time,
		connectionKey,
		apiKey,
		random: () => Math.random(),
	};
}

/** What every request says, besides its path and what it carries. */
export const REQUEST_DEFAULTS = {
	// A failing status comes with the service's own message, which the HTTP client would throw away.
	ignoreHttpStatusErrors: true,
	// Followed, a redirect turns a POST into a GET and ends on a login page.
	disableFollowRedirect: true,
	json: true,
	headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
} as const;

/** A full response of n8n's HTTP helpers, parsed. */
export function readAnswer(response: unknown): HttpResponse {
	const { statusCode, headers, body } = isRecord(response) ? response : {};
	return {
		statusCode: typeof statusCode === 'number' ? statusCode : 0,
		headers: isRecord(headers) ? headers : {},
		body,
	};
}
