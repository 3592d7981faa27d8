// Explains why no response came, from the error of n8n's HTTP client.

import {
	cancelledFailure,
	Failure,
	type FailureKind,
	findFailure,
	toFailure,
} from '../values/failure';
import { mapIn } from '../values/json';

type ConnectionFailure = Extract<FailureKind, 'misrouted' | 'noResponse' | 'unreachable'>;

const SELF_SIGNED = 'its TLS certificate is self-signed';
const UNTRUSTED = 'its TLS certificate is signed by an unknown authority';
const BLOCKED =
	"n8n's SSRF protection blocks that address; your n8n administrator can allow it in N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES";

/** What error codes mean, and their words. If an error has two, the first of this list counts. */
const CODES: ReadonlyArray<[code: string, kind: ConnectionFailure, words: string]> = [
	['ECONNRESET', 'noResponse', 'the connection was closed before the response'],
	['EPIPE', 'noResponse', 'the connection was closed before the response'],
	['ECONNABORTED', 'noResponse', 'the request timed out'],
	['ETIMEDOUT', 'noResponse', 'the request timed out'],
	['ERR_BAD_RESPONSE', 'noResponse', 'the response broke off'],
	['ECONNREFUSED', 'unreachable', 'nothing is listening at that address and port'],
	['EHOSTUNREACH', 'unreachable', 'the host cannot be reached'],
	['ENETUNREACH', 'unreachable', 'the network cannot be reached'],
	['EAI_AGAIN', 'unreachable', 'the host name could not be resolved'],
	['ENOTFOUND', 'misrouted', 'no host has that name'],
	['CERT_HAS_EXPIRED', 'misrouted', 'its TLS certificate has expired'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'misrouted', SELF_SIGNED],
	['SELF_SIGNED_CERT_IN_CHAIN', 'misrouted', SELF_SIGNED],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'misrouted', UNTRUSTED],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'misrouted', UNTRUSTED],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'misrouted', 'its TLS certificate is for another host'],
	['EPROTO', 'misrouted', 'it does not use TLS; its address may begin with http://'],
	['SsrfBlocked', 'misrouted', BLOCKED],
	['The request was blocked because', 'misrouted', BLOCKED],
];

/** @param from what messages call the host */
export function connectionFailure(
	error: unknown,
	{ from, advice, signal }: { from: string; advice: string; signal: AbortSignal | undefined },
): Failure {
	const own = findFailure(error);
	if (own) return own;
	if (signal?.aborted) return cancelledFailure();
	const texts = textsOf(error).join(' ');
	const found = CODES.find(([code]) => texts.includes(code));
	// With an unknown code, the service may have received the request.
	const [, kind, words] = found ?? ['', 'noResponse' as const, toFailure(error).message];
	return new Failure({
		kind,
		message: `No response from ${from}: ${words}`,
		advice,
	});
}

/** Each version of n8n wraps its HTTP client's errors differently. */
function textsOf(error: unknown): unknown[] {
	if (!(error instanceof Error)) return [];
	const { code, httpCode } = mapIn(error);
	// Before n8n 2.38 there is no cause, and `httpCode` holds the code, or the status of a response that broke off.
	const isStatus = typeof httpCode === 'string' && /^\d/.test(httpCode);
	const wrapped = isStatus ? 'ERR_BAD_RESPONSE' : httpCode;
	return [error.name, code, wrapped, error.message, ...textsOf(error.cause)];
}
