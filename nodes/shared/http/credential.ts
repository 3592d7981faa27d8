// Reads the fields of a credential. Only the store has an Invalid Code Message and a Known Valid Code.

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { fieldFailure, inputFailure, quoted } from '../values/failure';
import { textIn } from '../values/json';
import { visibleText } from '../values/text';
import { urlIn, withoutTrailingSlashes } from '../values/webAddress';

/** A credential, as `credentialOf` reads it. Its fields in n8n are in `credentials/credentialFields.ts`. */
export interface ServiceCredential {
	baseUrl: string;
	apiKey: string;
	/** Undefined if it is not entered. With 0, requests wait only after the service has refused one. */
	requestsPerMinute: number | undefined;
	/** As it was entered; `checkedTimeZone` checks it where a date is sent. */
	timezone: string;
	invalidCodeMessages: readonly string[];
	knownValidCode?: string | undefined;
	extraHeader: Readonly<Record<string, string>>;
	secrets: readonly string[];
}

/** By the object of the fields, which n8n passes to `authenticate` with each request of a run. */
const parsed = new WeakMap<ICredentialDataDecryptedObject, ServiceCredential>();

/** @throws Failure that names the field, and contains no secret */
export function credentialOf(data: ICredentialDataDecryptedObject): ServiceCredential {
	const credential = parsed.get(data) ?? parseCredential(data);
	parsed.set(data, credential);
	return credential;
}

function parseCredential(data: ICredentialDataDecryptedObject): ServiceCredential {
	const apiKey = parseApiKey(textIn(data.apiKey) ?? '');
	const pace = Number(data.requestsPerMinute ?? Number.NaN);
	const extraHeader = parseExtraHeader(data);
	return {
		baseUrl: parseBaseUrl(textIn(data.baseUrl) ?? ''),
		apiKey,
		requestsPerMinute: pace >= 0 ? Math.ceil(pace) : undefined,
		timezone: textIn(data.timezone) ?? 'UTC',
		invalidCodeMessages: textIn(data.invalidCodeMessage)?.split(/[\r\n]+/) ?? [],
		knownValidCode: textIn(data.knownValidCode),
		extraHeader,
		// The header may hold the key.
		secrets: [...Object.values(extraHeader), apiKey],
	};
}

/** What stands around a key or an address where people copy it from: quotes, and the header that holds the key. */
const BEFORE =
	/^(?:[\s"'`“”„«»:=]|(?:-H|authorization|bearer|(?:x-)?api[ _-]?key)(?=[\s"'`“”:=]|$))+/i;
const BEHIND = /(?<![\s"'`“”«»])[\s"'`“”«»]+$/;

const bare = (text: string): string => visibleText(text).replace(BEFORE, '').replace(BEHIND, '');

function parseApiKey(text: string): string {
	const key = bare(text);
	if (key === '') throw inputFailure('The API key is empty', 'Enter it in the credential');
	return key;
}

function parseExtraHeader(data: ICredentialDataDecryptedObject): Record<string, string> {
	const name = parseHeaderName('Extra Header Name', data.extraHeaderName);
	const value = textIn(data.extraHeaderValue);
	return name === undefined || value === undefined ? {} : { [name]: value };
}

export function parseHeaderName(label: string, value: unknown): string | undefined {
	const name = textIn(value);
	if (name === undefined || /^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name;
	throw fieldFailure(
		label,
		`must be the name of a header, but is ${quoted(name)}`,
		'Enter it in the credential without a colon and without its value, as in Cookie',
	);
}

/** What people copy with an address, because it is open in their browser: a page of the service, or a path of its API. */
const PAGES =
	/\/(?:api(?:\/(?:account|campaigns?|channels?|domains?|items|overlay|pixels?|purchases|qr|splash|urls?)(?:\/.*)?)?|api-?docs|developers?|docs|documentation|login|dashboard|register|settings|user)$/i;

/** Without a slash at the end, and without `/api`, because every path begins with `/api`. */
function parseBaseUrl(text: string): string {
	const typed = bare(text).replace(/^(https?)(?::\/*|\/\/+)/i, '$1://');
	const address = typed.includes('://') ? typed : `https://${typed}`;
	const url = /^https?:\/\//i.test(address) ? urlIn(address) : undefined;
	// The message does not repeat it, because it may hold a password.
	if (!url || url.username !== '' || url.password !== '')
		throw inputFailure(
			'The base URL is not a web address',
			'Enter it in the credential like https://www.example.com, without a user name',
		);
	// One may be below another, as in `/user/login`.
	const path = withoutTrailingSlashes(url.pathname).replace(PAGES, '').replace(PAGES, '');
	return `${url.origin}${withoutTrailingSlashes(path)}`;
}

/** The IANA name of a time zone. It is typed by hand, so it may be wrong. Not checked for each request: that is slow. */
export function checkedTimeZone(name: string): string {
	try {
		new Intl.DateTimeFormat('en-US', { timeZone: name });
		return name;
	} catch {
		throw fieldFailure(
			'Service Time Zone',
			`must be a time zone, but is ${quoted(name)}`,
			'Enter its IANA name in the credential, as in Europe/Berlin',
		);
	}
}
