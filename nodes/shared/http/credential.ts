// Reads and checks the fields of a credential. Only the store has an Invalid Code Message and a Known Valid Code. Also checks header
// names and time zones.

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type Failure, inputFailure, quoted } from '../values/failure';
import { textIn } from '../values/json';
import { urlIn, withoutTrailingSlashes } from '../values/webAddress';

/** A credential, checked by `parseCredential`. Its fields in n8n are in `credentials/fields.ts`. */
export interface ServiceCredential {
	baseUrl: string;
	apiKey: string;
	/** With 0, requests wait only after the service has refused one. */
	requestsPerMinute: number;
	/** As it was entered; `checkedTimeZone` checks it where a date is sent. */
	timezone: string;
	/** Whether *Allowed HTTP Request Domains* is *None*. */
	isForOwnNodes: boolean;
	invalidCodeMessage?: string | undefined;
	knownValidCode?: string | undefined;
	extraHeader: Readonly<Record<string, string>>;
	secrets: readonly string[];
}

/** Reads and checks the fields of a credential. @throws Failure that names the field, and contains no secret */
export function parseCredential(
	data: ICredentialDataDecryptedObject,
	documentedLimit = 0,
): ServiceCredential {
	const baseUrl = parseBaseUrl(textIn(data.baseUrl));
	refuseOtherDomain(baseUrl, data);
	const apiKey = parseKey(textIn(data.apiKey));
	const extraHeader = parseExtraHeader(data);
	return {
		baseUrl,
		apiKey,
		requestsPerMinute: parseRequestsPerMinute(data.requestsPerMinute, documentedLimit),
		timezone: textIn(data.timezone) ?? 'UTC',
		isForOwnNodes: data.allowedHttpRequestDomains === 'none',
		invalidCodeMessage: textIn(data.invalidCodeMessage),
		knownValidCode: textIn(data.knownValidCode),
		extraHeader,
		secrets: [apiKey, ...Object.values(extraHeader).flatMap(secretsOf)],
	};
}

const EXAMPLE = 'Enter it in the credential like https://www.example.com';

/** Without a slash at the end, and without `/api`, because every path begins with `/api`. */
function parseBaseUrl(text: string | undefined): string {
	if (text === undefined) throw inputFailure('The base URL is empty', EXAMPLE);
	const hasScheme = /^https?:\/\//i.test(text);
	const url = hasScheme && !/\p{Cc}/u.test(text) ? urlIn(text) : undefined;
	// The message below repeats the URL, so it must not hold a password.
	if (url ? url.username !== '' || url.password !== '' : text.includes('@')) {
		throw inputFailure('The base URL contains a user name or password', EXAMPLE);
	}
	if (!url) {
		const withoutQuery = text.replace(/[?#].*/s, '');
		const fault = hasScheme ? 'is not a web address' : 'has no http:// or https://';
		throw inputFailure(`The base URL "${withoutQuery}" ${fault}`, EXAMPLE);
	}
	const path = withoutTrailingSlashes(url.pathname);
	const root = path.toLowerCase().endsWith('/api') ? path.slice(0, -'/api'.length) : path;
	return `${url.origin}${withoutTrailingSlashes(root)}`;
}

/** n8n enforces *Allowed HTTP Request Domains* for its own nodes only. */
function refuseOtherDomain(baseUrl: string, data: ICredentialDataDecryptedObject): void {
	if (data.allowedHttpRequestDomains !== 'domains') return;
	const host = new URL(baseUrl).hostname;
	const allowed = (textIn(data.allowedDomains) ?? '').toLowerCase().split(',');
	if (allowed.some((pattern) => isAllowedBy(pattern.trim(), host))) return;
	throw inputFailure(
		`The Allowed Domains of the credential do not include ${host}, the host of its base URL`,
		'Add it there, or set Allowed HTTP Request Domains to All',
	);
}

/** As in n8n, `*.example.com` does not include `example.com`. */
const isAllowedBy = (pattern: string, host: string): boolean =>
	pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;

/** The value, and the part after its `Token ` or `name=`. Short ones are left out, because they may occur in any text. */
const secretsOf = (value: string): string[] =>
	[...new Set([value, value.replace(/^([\w-]+ +|[\w.-]+=)/, '')])].filter(
		({ length }) => length >= 16,
	);

const MAX_SECRET = 2000;

/** Whether a header can hold it. A backslash is not in any key, but often in a text that was pasted with its escapes. */
const isUsableSecret = (value: string): boolean =>
	value.length <= MAX_SECRET && /^[\x20-\x5b\x5d-\x7e]+$/.test(value);

const unusable = (what: string): Failure =>
	inputFailure(
		`${what} has a line break, a backslash or another character that is not allowed, or more than ${MAX_SECRET} characters`,
		'Copy it into the credential again',
	);

function parseExtraHeader(data: ICredentialDataDecryptedObject): Record<string, string> {
	const name = textIn(data.extraHeaderName);
	const value = textIn(data.extraHeaderValue);
	if (name === undefined && value === undefined) return {};
	if (name === undefined || value === undefined) {
		throw inputFailure(
			`Extra Header ${name === undefined ? 'Name' : 'Value'} is empty`,
			'Fill in both fields of the extra header in the credential, or neither',
		);
	}
	if (!isUsableSecret(value)) throw unusable('The value of the extra header');
	return { [headerName('extra header', name)]: value };
}

/** Names that would break the request, send it to another site, or set the prototype of an object. */
const RESERVED_HEADER =
	/^(__proto__|connection|content-length|expect|host|http2-settings|keep-alive|proxy-\w+|te|trailer|transfer-encoding|upgrade)$/i;

export function headerName(what: string, name: string): string {
	const isToken = /^[\w!#$%&'*+.^`|~-]+$/.test(name);
	if (isToken && !RESERVED_HEADER.test(name)) return name;
	throw inputFailure(
		`The ${what} cannot be named ${quoted(name)}`,
		isToken ? 'HTTP reserves that name; enter another one' : 'Use letters, digits, _ and -',
	);
}

function parseKey(key: string | undefined): string {
	if (key === undefined) throw inputFailure('The API key is empty', 'Enter it in the credential');
	if (!isUsableSecret(key) || key.includes(' ')) throw unusable('The API key');
	return key;
}

/** The IANA name of a time zone. It is typed by hand, so it may be wrong. Not checked for each request: that is slow. */
export function checkedTimeZone(name: string): string {
	try {
		new Intl.DateTimeFormat('en-US', { timeZone: name });
		return name;
	} catch {
		throw inputFailure(
			`Service Time Zone must be a time zone, but is ${quoted(name)}`,
			'Enter its IANA name in the credential, as in Europe/Berlin',
		);
	}
}

/** A fraction is rounded down, but not to 0, which would mean no limit. */
function parseRequestsPerMinute(value: unknown, documentedLimit: number): number {
	const entered = typeof value === 'string' ? textIn(value) : value;
	const number = Number(entered ?? documentedLimit);
	if (!Number.isFinite(number) || number < 0) {
		throw inputFailure(
			`Requests per Minute must be 0 or more, but is ${quoted(value)}`,
			'Enter a whole number in the credential, or 0 for no limit',
		);
	}
	return number > 0 ? Math.max(1, Math.floor(number)) : 0;
}
