import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { parseCredential } from '../shared/http/credential';
import { keyedRequest } from '../shared/http/keyedRequest';
import { inputFailure } from '../shared/values/failure';
import { isBlank } from '../shared/values/input';
import { isRecord, textIn } from '../shared/values/json';
import type { KEY_PLACES } from './account';

/** The name that the store's document has for the key, wherever the key goes. */
const KEY_PARAMETER = 'api_key';

/**
 * Puts address and key into a request. The document does not say where the key goes, so the credential does. A GET has no
 * body, so there "body" means the query; a POST has the key in the query only if the credential says "query".
 * @throws Failure if a field of the credential is wrong, or someone else could read the key
 */
export async function authenticateStoreRequest(
	data: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const credential = parseCredential(data);
	const place = await Promise.resolve(placeOf(data.apiKeyLocation, request.method));
	const keyed: IDataObject = { [KEY_PARAMETER]: credential.apiKey };
	if (place === 'header') {
		const name = textIn(data.apiKeyHeader) ?? KEY_PARAMETER;
		return keyedRequest(credential, request, { headers: { [name]: credential.apiKey } });
	}
	if (place === 'query') return keyedRequest(credential, request, { qs: keyed });
	const { body } = request;
	if (!isBlank(body) && !isRecord(body)) {
		throw inputFailure(
			'The API key goes into the body, which has to be an object',
			'Change the body, or Send API Key In of the credential',
		);
	}
	return keyedRequest(credential, request, place === 'form' ? { form: keyed } : { body: keyed });
}

function placeOf(
	location: unknown,
	method: IHttpRequestOptions['method'] = 'GET',
): keyof typeof KEY_PLACES {
	if (location === 'header') return 'header';
	if (location === 'query' || method === 'GET') return 'query';
	return location === 'form' ? 'form' : 'body';
}
