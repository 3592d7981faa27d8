import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { readCredential } from '../shared/http/credential';
import { inputFailure } from '../shared/values/failure';
import { isRecord, textIn } from '../shared/values/json';
import { quoted } from '../shared/values/path';

/** The name that the store's document has for the key, wherever the key goes. */
const KEY_PARAMETER = 'api_key';

/**
 * Puts address and key into a request. The document does not say where the key goes, so the credential does. A GET has no
 * body, so there "body" means the query; a POST has the key in the query only if the credential says "query".
 * It returns a new request: n8n and errors may keep the given one, which must not hold the key.
 * @throws Failure if a field of the credential is wrong
 */
export async function authenticateStoreRequest(
	data: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const { baseUrl, apiKey } = readCredential(data);
	const place = await Promise.resolve(placeOf(data.apiKeyLocation, request.method));
	const keyed: IDataObject = { [KEY_PARAMETER]: apiKey };
	const at = { ...request, baseURL: baseUrl };
	if (place === 'header') {
		return { ...at, headers: { ...request.headers, [headerName(data.apiKeyHeader)]: apiKey } };
	}
	if (place === 'query') return { ...at, qs: { ...request.qs, ...keyed } };
	return { ...at, body: { ...(isRecord(request.body) ? request.body : {}), ...keyed } };
}

function placeOf(
	location: unknown,
	method: IHttpRequestOptions['method'] = 'GET',
): 'query' | 'header' | 'body' {
	if (location === 'header') return 'header';
	return location === 'query' || method === 'GET' ? 'query' : 'body';
}

/** @throws Failure if it is not a name that a header can have */
function headerName(value: unknown): string {
	const name = textIn(value) ?? KEY_PARAMETER;
	if (/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return name;
	throw inputFailure(
		`The header for the API key cannot be named ${quoted(name)}`,
		'Use letters, digits, _ and -',
	);
}
