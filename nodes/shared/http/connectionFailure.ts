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

const DEFAULT_ADVICE = 'Check the address, and that the service is up';
const LOCAL = /^https?:\/\/(?:localhost|127\.|\[::1\])/;
const LOCAL_ADVICE =
	'If n8n runs in a container, that address is the container itself: enter the address of the machine, such as host.docker.internal';

const TIMEOUT_ADVICE = "Raise 'Timeout' under 'Request Options' if the service needs longer";
const CERTIFICATE_ADVICE =
	"If it is your company's own, set NODE_EXTRA_CA_CERTS where n8n runs, or turn on 'Ignore SSL Issues' under 'More Settings' of the credential";
const NO_TLS = 'it does not use TLS; its address may begin with http://';
const BLOCKED =
	"n8n's SSRF protection blocks that address, unless N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES has it";

type Cause = readonly [kind: FailureKind, signs: string, words: string, advice?: string];

/** By what the errors of n8n's HTTP client hold, separated by bars; the first that matches. */
const CAUSES: readonly Cause[] = [
	['noResponse', 'ECONNRESET|EPIPE|aborted', CLOSED],
	['noResponse', 'ECONNABORTED|ETIMEDOUT|timed out', 'the request timed out', TIMEOUT_ADVICE],
	['unreachable', 'ECONNREFUSED|EHOSTUNREACH|ENETUNREACH', 'nothing is listening there'],
	['unreachable', 'EAI_AGAIN', 'the host name could not be resolved'],
	['misrouted', 'ENOTFOUND', 'no host has that name'],
	['misrouted', 'CERT|SIGNATURE', 'its TLS certificate is not valid', CERTIFICATE_ADVICE],
	['misrouted', 'EPROTO', NO_TLS],
	['misrouted', 'SsrfBlocked|was blocked', BLOCKED],
];

const ANY: Cause = ['noResponse', '', CLOSED];

/** An error that no network has is one of this machine; even so, the request may have been sent. */
export function connectionFailure(
	error: unknown,
	{ serviceName, baseUrl }: { serviceName: string; baseUrl: string },
	signal: AbortSignal | undefined,
): Failure {
	const own = findFailure(error);
	if (own) return own;
	if (signal?.aborted) return cancelledFailure();
	const texts = textsOf(error).join(' ');
	const isOfNetwork = /\bE[A-Z]{3,}\b|ERR_NETWORK|HPE_|[Ss]ocket/.test(texts);
	const found = CAUSES.find(([, signs]) => signs.split('|').some((sign) => texts.includes(sign)));
	if (!found && !isOfNetwork) {
		const message = `The request could not be sent, or its response could not be read: ${toFailure(error).message}`;
		return new Failure({ kind: 'unexpected', message });
	}
	const [kind, , words, advised = DEFAULT_ADVICE] = found ?? ANY;
	const isOwnMachine = texts.includes('ECONNREFUSED') && LOCAL.test(baseUrl);
	const advice = isOwnMachine ? LOCAL_ADVICE : advised;
	return new Failure({ kind, message: `No response from ${serviceName}: ${words}`, advice });
}

/** Each version of n8n wraps its HTTP client's errors differently: before 2.38, `httpCode` holds the code. */
function textsOf(error: unknown): unknown[] {
	if (!(error instanceof Error)) return [];
	const { code, httpCode } = mapIn(error);
	return [error.name, code, httpCode, error.message, ...textsOf(error.cause)];
}
