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
 * @throws Failure that names the field
 */
export function readCredential(data: ICredentialDataDecryptedObject): ServiceCredential {
	return {
		baseUrl: normalizeBaseUrl(data.baseUrl),
		apiKey: readKey(data.apiKey),
		requestsPerMinute: readRequestsPerMinute(data.requestsPerMinute),
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

/** An expression may give a text. A field that was emptied is 0: no pacing. */
function readRequestsPerMinute(value: unknown): number {
	const text = typeof value === 'number' ? String(value) : (value ?? '');
	if (typeof text !== 'string' || !/^\s*(\d+(\.\d+)?)?\s*$/.test(text)) {
		throw inputFailure(
			`Requests per Minute must be a number from 0 up, but is ${quoted(value)}`,
			'Enter 0 in the credential for as fast as the service allows',
		);
	}
	const number = Number(text);
	return number > 0 ? Math.max(1, Math.floor(number)) : 0;
}
