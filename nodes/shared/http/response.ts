// What a response means: its body if it is a success, else a failure with its message and advice.

import type { IDataObject } from 'n8n-workflow';

import { Failure, type FailureKind } from '../values/failure';
import { isRecord, mapIn, textIn } from '../values/json';
import { addressWithoutSecrets } from '../values/webAddress';
import { type Envelope, type HttpResponse, isRedirect, isSuccess, kindOf } from './responseKind';

export interface ResponseFormat {
	serviceName: string;
	/** A GET of the account, which takes nothing but the key. */
	testPath: string;
	envelopeOf(body: IDataObject): Envelope;
	/** Whether a refusal with this status is about the key, in whatever words. */
	isKeyRefusal?(httpCode: number, isAccount: boolean): boolean;
	keyAdvice: string;
	/** What to do if another program responds with a status 4xx, if not to check the address. */
	missingRouteAdvice?: string;
}

const CHECK_ADDRESS =
	"Check the base URL in the credential, as in https://www.example.com. A login, a check for bots or a proxy may respond there; 'Extra Header Name' and 'Extra Header Value' in the credential may pass it";
const TRY_LATER = 'Try again later; the service or a proxy in front of it is down';
export const USED_UP = 'Or the number of records in your plan is used up';

/** What to say after the service's name if it gives no message, and what the user can do. */
const DEFAULT_MESSAGES: Partial<Record<FailureKind, readonly [message: string, advice: string]>> = {
	forbidden: [
		'refused the request',
		'Check the ID, the API key and the permissions of its account',
	],
	missing: ['does not have it', 'It may have been deleted, or belong to another account'],
	noAccess: [
		'refused the account',
		'The API key is right. Check in the service that the account is active and its plan includes the API',
	],
	rateLimited: [
		'received too many requests',
		"Lower 'Requests per Minute' in the credential if other programs use the same key",
	],
	refused: ['refused the request without a reason', 'Check the values you entered'],
	serverError: ['failed', TRY_LATER],
	unauthorized: ['refused the API key', ''],
	unavailable: ['is not available', TRY_LATER],
};

export function classifyResponse(
	response: HttpResponse,
	format: ResponseFormat,
	request: { method: string; path: string },
): IDataObject | Failure {
	const envelope = isRecord(response.body) ? format.envelopeOf(response.body) : undefined;
	const kind = kindOf(response, envelope);
	if (kind === 'success') return mapIn(response.body);
	const failure = failureOf(kind, response, envelope, format);
	const isCreate = request.method === 'POST' && request.path.endsWith('/add');
	if (kind === 'serverError' && isCreate)
		return failure.with({ advice: `${TRY_LATER}. ${USED_UP}` });
	const keyAdvice =
		kind === 'forbidden' && isPage(response)
			? `${failure.advice}. Or the key is refused: ${format.keyAdvice}`
			: format.keyAdvice;
	return aboutKey(failure, { ...format, keyAdvice }, request.path === format.testPath);
}

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
	if (!known || (!envelope && isForeignKind)) return foreignFailure(kind, response, format);
	const [words, advice] = known;
	const said = envelope?.message;
	const message = said ?? `${subject(format)} ${words} (status ${httpCode})`;
	return new Failure({ kind, message, advice, httpCode, isQuoted: said !== undefined });
}

function foreignFailure(
	kind: FailureKind,
	response: HttpResponse,
	format: ResponseFormat,
): Failure {
	const httpCode = response.statusCode;
	return new Failure({
		kind,
		message: `Expected a response from ${format.serviceName}, but got ${describe(response)} (status ${httpCode})`,
		advice: httpCode >= 500 ? TRY_LATER : foreignAdvice(response, format.missingRouteAdvice),
		httpCode,
	});
}

/** A failure that may be about the key, with what to do then. The account takes nothing but the key. */
function aboutKey(failure: Failure, format: ResponseFormat, isAccount: boolean): Failure {
	const { kind, httpCode = 0, consequences } = failure;
	const { keyAdvice: advice } = format;
	if (kind === 'forbidden')
		return isAccount ? failure.with({ kind: 'unauthorized', advice }) : failure;
	const isKey = format.isKeyRefusal?.(httpCode, isAccount) === true;
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

/** What to do about a response that does not have the form of the service. @param missingRoute about a status 4xx */
function foreignAdvice({ statusCode, body }: HttpResponse, missingRoute = CHECK_ADDRESS): string {
	if (statusCode >= 400 && statusCode !== 403) return missingRoute;
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
