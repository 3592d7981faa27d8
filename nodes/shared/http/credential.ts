// Reads the fields of a credential. Only the store has an Invalid Code Message and a Known Valid Code.

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { inputFailure, quoted } from '../values/failure';
import { textIn } from '../values/json';
import { urlIn, withoutTrailingSlashes } from '../values/webAddress';

/** A credential, as `parseCredential` reads it. Its fields in n8n are in `credentials/credentialFields.ts`. */
export interface ServiceCredential {
	baseUrl: string;
	apiKey: string;
	/** With 0, requests wait only after the service has refused one. */
	requestsPerMinute: number;
	/** As it was entered; `checkedTimeZone` checks it where a date is sent. */
	timezone: string;
	invalidCodeMessages: readonly string[];
	knownValidCode?: string | undefined;
	extraHeader: Readonly<Record<string, string>>;
	secrets: readonly string[];
}

/** @throws Failure that names the field, and contains no secret */
export function parseCredential(
	data: ICredentialDataDecryptedObject,
	documentedLimit = 0,
): ServiceCredential {
	const apiKey = textIn(data.apiKey);
	if (apiKey === undefined)
		throw inputFailure('The API key is empty', 'Enter it in the credential');
	const pace = Number(data.requestsPerMinute ?? documentedLimit);
	const [name, value] = [textIn(data.extraHeaderName), textIn(data.extraHeaderValue)];
	const extraHeader = name !== undefined && value !== undefined ? { [name]: value } : {};
	return {
		baseUrl: parseBaseUrl(textIn(data.baseUrl) ?? ''),
		apiKey,
		requestsPerMinute: pace >= 0 ? Math.ceil(pace) : documentedLimit,
		timezone: textIn(data.timezone) ?? 'UTC',
		invalidCodeMessages: textIn(data.invalidCodeMessage)?.split(/[\r\n]+/) ?? [],
		knownValidCode: textIn(data.knownValidCode),
		extraHeader,
		// The header may hold the key.
		secrets: [...Object.values(extraHeader), apiKey],
	};
}

/** Without a slash at the end, and without `/api`, because every path begins with `/api`. */
function parseBaseUrl(text: string): string {
	const url = /^https?:\/\//i.test(text) ? urlIn(text) : undefined;
	// The message does not repeat it, because it may hold a password.
	if (!url || url.username !== '' || url.password !== '')
		throw inputFailure(
			'The base URL is not a web address',
			'Enter it in the credential like https://www.example.com, without a user name',
		);
	const path = withoutTrailingSlashes(url.pathname).replace(/\/api$/i, '');
	return `${url.origin}${withoutTrailingSlashes(path)}`;
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
