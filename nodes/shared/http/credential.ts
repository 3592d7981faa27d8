import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { normalizeBaseUrl } from './baseUrl';
import { inputFailure } from '../values/failure';
import { quoted } from '../values/path';
import { textIn } from '../values/json';

/** What both credential types have in common, checked and ready to use. */
export interface ServiceCredential {
	/** Without `/api` and without a slash at the end. */
	baseUrl: string;
	apiKey: string;
	/** 0 = not paced. */
	requestsPerMinute: number;
	/** IANA name of the zone in which the service reads times. */
	timezone: string;
}

/**
 * Reads a credential as n8n decrypts it.
 * @param documentedLimit the requests per minute of an empty field
 * @throws Failure that names the field
 */
export function readCredential(
	data: ICredentialDataDecryptedObject,
	documentedLimit = 0,
): ServiceCredential {
	return {
		baseUrl: normalizeBaseUrl(data.baseUrl),
		apiKey: readKey(data.apiKey),
		requestsPerMinute: readRequestsPerMinute(data.requestsPerMinute) ?? documentedLimit,
		timezone: textIn(data.timezone) ?? 'UTC',
	};
}

/** A key goes into a header, so what cannot stand there is refused here, where it can be said what is wrong. */
function readKey(value: unknown): string {
	const key = textIn(value);
	if (key === undefined) throw inputFailure('The API key is empty', 'Enter it in the credential');
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw inputFailure(
			'The API key has a blank, a line break or another character that no key has',
			'Copy it into the credential once more',
		);
	}
	return key;
}

/** Undefined if the field is empty. */
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
