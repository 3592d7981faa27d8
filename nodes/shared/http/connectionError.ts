import { Failure, failureIn, failureOf } from '../values/failure';
import { cancelled } from './rateLimiter';
import { CHECK_ADDRESS } from './response';

const LOST = 'the connection was closed before the response';
const LATE = 'the request timed out';
const UNTRUSTED = 'its TLS certificate is signed by an unknown authority';
const SELF_SIGNED = 'its TLS certificate is self-signed';
const BLOCKED = "n8n's SSRF protection blocks that address; whoever runs n8n can allow it";

/** Codes of errors after which the service may have received the request, each with a message for users. */
const CONNECTION_LOST: Readonly<Record<string, string>> = {
	ECONNRESET: LOST,
	EPIPE: LOST,
	ECONNABORTED: LATE,
	ETIMEDOUT: LATE,
	ERR_BAD_RESPONSE: 'the response broke off',
};

/** Codes, names or texts of errors after which it cannot have received the request. */
const NOT_CONNECTED: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing is listening at that address and port',
	EHOSTUNREACH: 'the host cannot be reached',
	ENETUNREACH: 'the network cannot be reached',
	ENOTFOUND: 'no host has that name',
	EAI_AGAIN: 'the host name could not be resolved',
	CERT_HAS_EXPIRED: 'its TLS certificate has expired',
	DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
	SELF_SIGNED_CERT_IN_CHAIN: SELF_SIGNED,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
	ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host',
	EPROTO: 'it does not speak TLS; perhaps the address begins with http://',
	SsrfBlocked: BLOCKED,
	'The request was blocked because': BLOCKED,
};

/**
 * The failure for what n8n's HTTP client threw. An error that matches both tables counts as one of the first, because the
 * request may have been received.
 * @param signal of the execution: if it is aborted, the failure is the cancellation
 */
export function connectionFailure(
	error: unknown,
	serviceName: string,
	signal: AbortSignal | undefined,
): Failure {
	const own = failureIn(error);
	if (own) return own;
	if (signal?.aborted) return cancelled().with({ outcomeUnknown: true });
	const texts = textsOf(error).join(' ');
	const [code, words] =
		Object.entries({ ...CONNECTION_LOST, ...NOT_CONNECTED }).find(([known]) =>
			texts.includes(known),
		) ?? [];
	return new Failure({
		kind: 'unreachable',
		message: `No response from ${serviceName}: ${words ?? failureOf(error).message}`,
		advice: CHECK_ADDRESS,
		outcomeUnknown: code === undefined || code in CONNECTION_LOST,
	});
}

/** Names, codes and messages of an error and its causes: each version of n8n wraps its HTTP client's errors differently. */
function textsOf(error: unknown): unknown[] {
	if (!(error instanceof Error)) return [];
	const code = 'code' in error ? error.code : undefined;
	return [error.name, code, wrappedCode(error), error.message, ...textsOf(error.cause)];
}

/**
 * Before n8n 2.38 the wrapper has no cause, and `httpCode` holds the error's code. If it holds a status instead, a response
 * began and broke off.
 */
function wrappedCode(error: Error): string {
	if (!('httpCode' in error) || typeof error.httpCode !== 'string') return '';
	return /^\d/.test(error.httpCode) ? 'ERR_BAD_RESPONSE' : error.httpCode;
}
