// Which kind of failure a response is, or a success: the first rule that matches.

import type { IDataObject } from 'n8n-workflow';

import type { FailureKind } from '../values/failure';
import { integerIn, mapIn } from '../values/json';

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

/** The words that services of this kind use, as whole messages: a part may be what the user entered, such as an alias. */
const MESSAGE_PATTERNS: ReadonlyArray<[FailureKind, RegExp]> = [
	['rateLimited', /^(api )?rate limit (was |has been )?(exceeded|reached)|^too many requests/],
	[
		'unauthorized',
		/^(invalid|missing|wrong|expired) (api key|token)$|^unauth(orized|orised|enticated)$/,
	],
	[
		'unauthorized',
		/^(valid )?api key (is |has )?(required|invalid|missing|expired)( to use this service)?$/,
	],
	['noAccess', /^you (do not|don t) have permission to use api$|^activate account$/],
	[
		'noAccess',
		/^(api( service| access)?|account) (is |has been )?(disabled|inactive|suspended|not enabled)$/,
	],
];

interface Facts {
	status: number;
	isGood: boolean;
	/** Whether it has the form of the service, not of a web server or a proxy. */
	isOwn: boolean;
	isSuccess: boolean;
	code: number | undefined;
	message: string;
}

/** The first rule that matches decides. Status and documented members come before words. */
const RULES: ReadonlyArray<readonly [FailureKind | 'success', (facts: Facts) => boolean]> = [
	['rateLimited', ({ status, code }) => status === 429 || (code === 429 && status < 500)],
	['success', ({ isGood, isSuccess }) => isGood && isSuccess],
	['unauthorized', ({ status }) => status === 401],
	['unreadable', ({ status }) => status === 303],
	['misrouted', ({ status }) => isRedirect(status)],
	...MESSAGE_PATTERNS.map(([kind, pattern]) => {
		const matches = ({ message, isOwn, isGood }: Facts): boolean =>
			(isOwn || !isGood) && pattern.test(message);
		return [kind, matches] as const;
	}),
	['forbidden', ({ status }) => status === 403],
	['unavailable', ({ status }) => [408, 502, 503, 504].includes(status)],
	['serverError', ({ status }) => status >= 500],
	['unreadable', ({ isOwn, isGood }) => !isOwn && isGood],
	['otherRefusal', ({ isOwn }) => !isOwn],
	['missing', ({ status }) => [404, 410].includes(status)],
];

export function kindOf(
	{ statusCode, body }: HttpResponse,
	envelope?: Envelope,
): FailureKind | 'success' {
	const { outcome = 'unknown', message } = envelope ?? {};
	const facts: Facts = {
		status: statusCode,
		isGood: isSuccess(statusCode),
		isOwn: outcome === 'failure' || (outcome === 'success' && message !== undefined),
		isSuccess: outcome === 'success',
		code: integerIn(mapIn(body).error),
		message: comparableMessage(envelope ? message : body),
	};
	const [kind] = RULES.find(([, matches]) => matches(facts)) ?? ['refused'];
	return kind;
}

const comparableMessage = (text: unknown): string =>
	typeof text !== 'string' || text.length > 200
		? ''
		: text
				.toLowerCase()
				.replace(/[^a-z]|\b(an?|the|your|please|first)\b/g, ' ')
				.replace(/ +/g, ' ')
				.trim();

export const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;
export const isRedirect = (statusCode: number): boolean => statusCode >= 300 && statusCode < 400;
