import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { readCredential } from '../shared/http/credential';

/**
 * Puts address and key into a request (document: "Authentication"). It returns a new request: n8n and errors may keep the
 * given one, which must not hold the key.
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
