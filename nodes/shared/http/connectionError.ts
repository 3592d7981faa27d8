import { cancelledFailure, Failure, findFailure, toFailure } from '../values/failure';
import { mapIn } from '../values/json';
import { CHECK_ADDRESS } from './response';

const LOST = 'the connection was closed before the response';
const LATE = 'the request timed out';
const SELF_SIGNED = 'its TLS certificate is self-signed';
const UNTRUSTED = 'its TLS certificate is signed by an unknown authority';
const BLOCKED =
	"n8n's SSRF protection blocks that address; your n8n administrator can allow it in N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES";

/** What error codes mean. After these, the service may have received the request. */
const CONNECTION_LOST: Readonly<Record<string, string>> = {
	...{ ECONNRESET: LOST, EPIPE: LOST, ECONNABORTED: LATE, ETIMEDOUT: LATE },
	ERR_BAD_RESPONSE: 'the response broke off',
};

/** After these, it cannot have received the request. */
const NOT_CONNECTED: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing is listening at that address and port',
	EHOSTUNREACH: 'the host cannot be reached',
	ENETUNREACH: 'the network cannot be reached',
	ENOTFOUND: 'no host has that name',
	EAI_AGAIN: 'the host name could not be resolved',
	CERT_HAS_EXPIRED: 'its TLS certificate has expired',
	...{ DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED, SELF_SIGNED_CERT_IN_CHAIN: SELF_SIGNED },
	...{ UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED, UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED },
	ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host',
	EPROTO: 'it does not use TLS; its address may begin with http://',
	...{ SsrfBlocked: BLOCKED, 'The request was blocked because': BLOCKED },
};

export function connectionFailure(error: unknown, from: string, signal?: AbortSignal): Failure {
	const own = findFailure(error);
	if (own) return own;
	if (signal?.aborted) return cancelledFailure().with({ outcomeUnknown: true });
	const texts = textsOf(error).join(' ');
	const [code, words] =
		Object.entries({ ...CONNECTION_LOST, ...NOT_CONNECTED }).find(([known]) =>
			texts.includes(known),
		) ?? [];
	return new Failure({
		kind: 'unreachable',
		message: `No response from ${from}: ${words ?? toFailure(error).message}`,
		advice: CHECK_ADDRESS,
		outcomeUnknown: code === undefined || code in CONNECTION_LOST,
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
