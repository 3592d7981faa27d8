import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { parseCredential } from '../shared/http/credential';
import { keyedRequest } from '../shared/http/keyedRequest';

/**
 * Puts address and key into a request (document: "Authentication"). An extra header named Authorization replaces the key's.
 * @throws Failure if a field of the credential is wrong, or someone else could read the key
 */
export async function authenticateLinkRequest(
	data: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const credential = parseCredential(data);
	const headers = { Authorization: `Bearer ${credential.apiKey}` };
	return await Promise.resolve(keyedRequest(credential, request, { headers }));
}
