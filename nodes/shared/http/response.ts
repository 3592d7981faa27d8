// What a response means: its body if it is a success, else a failure with its message and advice. Status and documented members
// decide, never words: services translate them.

import type { IDataObject } from 'n8n-workflow';

import { Failure, type FailureKind } from '../values/failure';
import { integerIn, isRecord, mapIn, textIn } from '../values/json';
import { addressWithoutSecrets } from '../values/webAddress';

export interface HttpResponse {
	statusCode: number;
	headers: IDataObject;
	/** Parsed JSON, or the text if it is not JSON. */
	body: unknown;
}

export interface Envelope {
	/** `unknown` if the response is JSON, but not from this API. */
	outcome: 'success' | 'failure' | 'unknown';
	message: string | undefined;
}

export interface ResponseFormat {
	serviceName: string;
	/** A GET of the account, which takes nothing but the key. */
	testPath: string;
	envelopeOf(body: IDataObject): Envelope;
	/** The status of a refusal that is about the key, as any refusal of the account then is, in whatever words. */
	keyRefusal?: number;
	keyAdvice: string;
	/** What to do if another program responds with a status 4xx, if not to check the address. */
	missingRouteAdvice?: string;
}

const CHECK_ADDRESS =
	"Check the base URL in the credential, as in https://www.example.com. A login, a check for bots or a proxy may respond there; 'Extra Header Name' and 'Extra Header Value' in the credential may pass it";
const TRY_LATER = 'Try again later; the service or a proxy in front of it is down';
export const USED_UP = 'Or the number of records in your plan is used up';
const CHECK_VALUES = 'Check the values you entered';
export const CREATE_REFUSED = `${CHECK_VALUES}. ${USED_UP}`;

/** What to say after the service's name if it gives no message, and what the user can do. */
const DEFAULT_MESSAGES: Partial<Record<FailureKind, readonly [message: string, advice: string]>> = {
	forbidden: [
		'refused the request',
		'Check the API key in the credential, what its account and plan may do, and the ID',
	],
	missing: ['does not have it', 'It may have been deleted, or belong to another account'],
	rateLimited: [
		'received too many requests',
		"Lower 'Requests per Minute' in the credential if other programs use the same key",
	],
	refused: ['refused the request without a reason', CHECK_VALUES],
	serverError: ['failed', TRY_LATER],
	unauthorized: ['refused the API key', ''],
	unavailable: ['is not available', TRY_LATER],
};

/** What a create may fail with if the plan is used up. */
const MAY_BE_USED_UP: readonly string[] = ['rateLimited', 'refused', 'serverError'];

export const isCreate = ({ method, path }: { method: string; path: string }): boolean =>
	method === 'POST' && path.endsWith('/add');

export function classifyResponse(
	response: HttpResponse,
	format: ResponseFormat,
	request: { method: string; path: string },
): IDataObject | Failure {
	const envelope = isRecord(response.body) ? format.envelopeOf(response.body) : undefined;
	const kind = kindOf(response, envelope);
	if (kind === 'success') return mapIn(response.body);
	const failure = failureOf(kind, response, envelope, format);
	if (MAY_BE_USED_UP.includes(kind) && isCreate(request))
		return failure.with({ advice: `${failure.advice}. ${USED_UP}` });
	return aboutKey(failure, format, request.path === format.testPath);
}

interface Facts {
	status: number;
	isGood: boolean;
	/** Whether it has the form of the service, not of a web server or a proxy. */
	isOwn: boolean;
	isSuccess: boolean;
	code: number | undefined;
}

/** The first rule that matches decides. */
const RULES: ReadonlyArray<readonly [FailureKind | 'success', (facts: Facts) => boolean]> = [
	['rateLimited', ({ status, code }) => status === 429 || (code === 429 && status < 500)],
	['success', ({ isGood, isSuccess }) => isGood && isSuccess],
	['unauthorized', ({ status }) => status === 401],
	['unreadable', ({ status }) => status === 303],
	['misrouted', ({ status }) => isRedirect(status)],
	['forbidden', ({ status }) => status === 403],
	['unavailable', ({ status }) => [408, 502, 503, 504].includes(status)],
	['serverError', ({ status }) => status >= 500],
	['unreadable', ({ isOwn, isGood }) => !isOwn && isGood],
	['otherRefusal', ({ isOwn }) => !isOwn],
	['missing', ({ status }) => [404, 410].includes(status)],
];

function kindOf({ statusCode, body }: HttpResponse, envelope?: Envelope): FailureKind | 'success' {
	const { outcome = 'unknown', message } = envelope ?? {};
	const facts: Facts = {
		status: statusCode,
		isGood: isSuccess(statusCode),
		isOwn: outcome === 'failure' || (outcome === 'success' && message !== undefined),
		isSuccess: outcome === 'success',
		code: integerIn(mapIn(body).error),
	};
	const [kind] = RULES.find(([, matches]) => matches(facts)) ?? ['refused'];
	return kind;
}

export const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;
const isRedirect = (statusCode: number): boolean => statusCode >= 300 && statusCode < 400;

function failureOf(
	kind: FailureKind,
	response: HttpResponse,
	envelope: Envelope | undefined,
	format: ResponseFormat,
): Failure {
	const httpCode = response.statusCode;
	const known = DEFAULT_MESSAGES[kind];
	// As a page, 403 is rather that of a check for bots.
	const isForeignKind = kind === 'serverError' || (kind === 'forbidden' && isPage(response));
	if (!known || (!envelope && isForeignKind)) {
		const message = `Expected a response from ${format.serviceName}, but got ${describe(response)} (status ${httpCode})`;
		return new Failure({ kind, message, advice: foreignAdvice(response, format), httpCode });
	}
	const [words, advice] = known;
	const said = envelope?.message;
	const message = said ?? `${subject(format)} ${words} (status ${httpCode})`;
	return new Failure({ kind, message, advice, httpCode, isQuoted: said !== undefined });
}

/** A failure that may be about the key, with what to do then. The account takes nothing but the key. */
function aboutKey(failure: Failure, format: ResponseFormat, isAccount: boolean): Failure {
	const { kind, httpCode, consequences } = failure;
	const { keyAdvice: advice } = format;
	if (kind === 'forbidden' && isAccount)
		return failure.with({ kind: 'unauthorized', advice: `${failure.advice}. ${advice}` });
	const isKey = format.keyRefusal !== undefined && (isAccount || httpCode === format.keyRefusal);
	if (kind !== 'unauthorized' && !(isKey && consequences.isRefusal)) return failure;
	return isKey && isAccount ? keyRefused(failure, format) : failure.with({ advice });
}

/** The words of the service may be about anything, and in any language. */
function keyRefused(failure: Failure, format: ResponseFormat): Failure {
	const refused = `${subject(format)} refused the API key`;
	const words = failure.message.replace(/\.$/, '');
	const message = words.startsWith(refused) ? failure.message : `${refused} (${words})`;
	return failure.with({ kind: 'unauthorized', message, advice: format.keyAdvice });
}

const subject = ({ serviceName }: ResponseFormat): string => serviceName.replace('the', 'The');

/** What to do about a response that does not have the form of the service. */
function foreignAdvice({ statusCode, body }: HttpResponse, format: ResponseFormat): string {
	if (statusCode >= 500) return TRY_LATER;
	if (statusCode >= 400 && statusCode !== 403) return format.missingRouteAdvice ?? CHECK_ADDRESS;
	return isEmpty(body) && isSuccess(statusCode)
		? `The record may not exist. If all requests fail so: ${CHECK_ADDRESS}`
		: CHECK_ADDRESS;
}

/** Without the content, which may be secret. */
function describe({ body, statusCode, headers }: HttpResponse): string {
	const location = isRedirect(statusCode) ? textIn(headers.location) : undefined;
	if (location !== undefined) return `a redirect to ${addressWithoutSecrets(location)}`;
	if (isEmpty(body)) return 'an empty response';
	if (typeof body !== 'string') return 'unexpected JSON';
	return isPage({ body }) ? 'a web page' : 'plain text';
}

const isPage = ({ body }: Pick<HttpResponse, 'body'>): boolean =>
	typeof body === 'string' && /^\s*</.test(body);

const isEmpty = (body: unknown): boolean => body === undefined || body === '';
