import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { inputFailure } from '../values/failure';
import { textIn } from '../values/json';
import { quoted } from '../values/path';

/** What both credential types have in common, checked and ready to use. */
export interface ServiceCredential {
	/** Without `/api` and without a slash at the end. */
	baseUrl: string;
	apiKey: string;
	/** 0 = no limit of this node's: it waits only after the service has refused a request. */
	requestsPerMinute: number;
	/** IANA name of the zone in which the service reads times. */
	timezone: string;
	/** The store's own words for an invalid purchase code, if they are not the documented ones. */
	invalidCodeMessage?: string | undefined;
}

/**
 * Reads a credential as n8n decrypts it.
 * @param documentedLimit what an empty Requests per Minute means
 * @throws Failure that names the field; its message contains no secret
 */
export function readCredential(
	data: ICredentialDataDecryptedObject,
	documentedLimit = 0,
): ServiceCredential {
	return {
		baseUrl: readBaseUrl(textIn(data.baseUrl)),
		apiKey: readKey(textIn(data.apiKey)),
		requestsPerMinute: readRequestsPerMinute(data.requestsPerMinute) ?? documentedLimit,
		timezone: textIn(data.timezone) ?? 'UTC',
		invalidCodeMessage: textIn(data.invalidCodeMessage),
	};
}

const EXAMPLE = 'Enter it in the credential as in https://www.example.com';

/** The address that the API documents call {base_url}, without `/api`, because every path begins with it. */
function readBaseUrl(text: string | undefined): string {
	if (text === undefined) throw inputFailure('The base URL is empty', EXAMPLE);
	const hasScheme = /^https?:\/\//i.test(text);
	const url = hasScheme && URL.canParse(text) ? new URL(text) : undefined;
	// The message below repeats the URL. In one that does not parse, a password cannot be cut out, so it is not repeated.
	if (url ? url.username !== '' || url.password !== '' : text.includes('@')) {
		throw inputFailure('The base URL holds a user name or a password', EXAMPLE);
	}
	if (!url) {
		const withoutQuery = text.replace(/[?#].*/s, '');
		const fault = hasScheme ? 'is no web address' : 'has no http:// or https://';
		throw inputFailure(`The base URL "${withoutQuery}" ${fault}`, EXAMPLE);
	}
	return `${url.origin}${url.pathname}`.replace(/\/*(\/api)?\/*$/i, '');
}

/** Refuses what cannot stand in a header: the HTTP client's own error would not say what is wrong. */
function readKey(key: string | undefined): string {
	if (key === undefined) throw inputFailure('The API key is empty', 'Enter it in the credential');
	if (/^[\x21-\x7e]+$/.test(key)) return key;
	throw inputFailure(
		'The API key has a blank, a line break or another character that no key has',
		'Copy it into the credential once more',
	);
}

/** Undefined if the field is empty. A fraction is rounded down, but not to 0, which would mean no limit. */
function readRequestsPerMinute(value: unknown): number | undefined {
	const text = typeof value === 'number' ? String(value) : (value ?? '');
	if (typeof text === 'string' && text.trim() === '') return undefined;
	if (typeof text !== 'string' || !/^\s*\d+(\.\d+)?\s*$/.test(text)) {
		throw inputFailure(
			`Requests per Minute must be a number from 0 up, but is ${quoted(value)}`,
			'Enter a whole number in the credential, or 0 for as fast as possible',
		);
	}
	const number = Number(text);
	return number > 0 ? Math.max(1, Math.floor(number)) : 0;
}
