import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { normalizeBaseUrl } from './baseUrl';
import { inputFailure } from '../values/failure';
import { integerIn, textIn } from '../values/json';

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
		requestsPerMinute: Math.max(0, integerIn(data.requestsPerMinute) ?? 0),
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
