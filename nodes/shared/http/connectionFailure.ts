// Why no response came.

import {
	cancelledFailure,
	Failure,
	type FailureKind,
	findFailure,
	toFailure,
} from '../values/failure';
import { mapIn } from '../values/json';

const CLOSED = 'the connection was closed before the response';

/** By what the errors of n8n's HTTP client hold; the first that matches. */
const CAUSES: ReadonlyArray<[kind: FailureKind, codes: RegExp, words: string]> = [
	['noResponse', /ECONNRESET|EPIPE|aborted/, CLOSED],
	['noResponse', /ECONNABORTED|ETIMEDOUT|timed out/, 'the request timed out'],
	['unreachable', /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/, 'nothing is listening there'],
	['unreachable', /EAI_AGAIN/, 'the host name could not be resolved'],
	['misrouted', /ENOTFOUND/, 'no host has that name'],
	['misrouted', /CERT|SIGNATURE/, 'its TLS certificate is not valid'],
	['misrouted', /EPROTO/, 'it does not use TLS; its address may begin with http://'],
	[
		'misrouted',
		/SsrfBlocked|was blocked/,
		"n8n's SSRF protection blocks that address, unless N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES has it",
	],
	['noResponse', /\bE[A-Z]{3,}\b|ERR_NETWORK|HPE_|[Ss]ocket/, CLOSED],
];

/** An error that no network has is one of this machine; even so, the request may have been sent. */
export function connectionFailure(
	error: unknown,
	serviceName: string,
	signal: AbortSignal | undefined,
): Failure {
	const own = findFailure(error);
	if (own) return own;
	if (signal?.aborted) return cancelledFailure();
	const texts = textsOf(error).join(' ');
	const found = CAUSES.find(([, codes]) => codes.test(texts));
	if (!found) {
		const message = `The request could not be sent, or its response not be read: ${toFailure(error).message}`;
		return new Failure({ kind: 'unexpected', message });
	}
	const [kind, , words] = found;
	const message = `No response from ${serviceName}: ${words}`;
	return new Failure({ kind, message, advice: 'Check the address, and that the service is up' });
}

/** Each version of n8n wraps its HTTP client's errors differently: before 2.38, `httpCode` holds the code. */
function textsOf(error: unknown): unknown[] {
	if (!(error instanceof Error)) return [];
	const { code, httpCode } = mapIn(error);
	return [error.name, code, httpCode, error.message, ...textsOf(error.cause)];
}
