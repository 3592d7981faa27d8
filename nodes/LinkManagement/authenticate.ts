import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { readCredential } from '../shared/http/credential';

/**
 * Puts address and key into a request (document: "Authentication"). Returns a new request, so that the key is in none
 * that anything else keeps.
 * @throws Failure if a field of the credential is wrong
 */
export async function authenticateLinkRequest(
	data: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const { baseUrl, apiKey } = readCredential(data);
	return await Promise.resolve({
		...request,
		baseURL: baseUrl,
		headers: { ...request.headers, Authorization: `Bearer ${apiKey}` },
	});
}
