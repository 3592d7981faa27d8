import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Service } from '../shared/http/connection';
import { parseCredential } from '../shared/http/credential';
import { keyedRequest } from '../shared/http/keyedRequest';
import type { Envelope } from '../shared/http/response';
import { inputFailure } from '../shared/values/failure';
import { isBlank } from '../shared/values/input';
import { isRecord, textIn } from '../shared/values/json';
import { ACCOUNT, type KEY_LOCATIONS } from './accountRequest';
import { testKey } from './credentialTest';

/** The name that the store's document has for the key, wherever the key goes. */
const KEY_PARAMETER = 'api_key';

/** The members that hold what was asked for. Some stores have a purchase in a member of its own. */
const CONTENT = ['data', 'items', 'item', 'purchase'];

/** The store service: its API document under "Response envelope" and "Authentication". */
export const storeService: Service = {
	serviceName: 'the store',
	credentialType: 'storeApi',
	documentedLimit: 0,
	testPath: ACCOUNT.path,
	testKey,
	/** The only failure of the account details, which take nothing but the key. */
	keyMessage: /^invalid request\W*$/i,
	keyAdvice:
		'Check the API key in the credential. The store may expect it in another place: with a Known Valid Code, the credential test finds it',
	/** `status` may be translated, so the members decide. */
	envelopeOf(body: IDataObject): Envelope {
		const said = textIn(body.msg);
		const hasContent = CONTENT.some((name) => typeof (body[name] ?? '') === 'object');
		const isContent = hasContent && said === undefined && body.status !== 'error';
		if (body.status === 'success' || isContent) return { outcome: 'success', message: undefined };
		const isRefusal = said !== undefined && textIn(body.status) !== undefined;
		return { outcome: isRefusal ? 'failure' : 'unknown', message: said ?? textIn(body.message) };
	},
	/** The document does not say where the key goes, so the credential does. */
	async authenticate(data, request) {
		const credential = parseCredential(data);
		const place = await Promise.resolve(keyLocation(data.apiKeyLocation, request.method));
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
	},
};

/** A GET has no body, so there "body" means the query; a POST has the key in the query only if the credential says "query". */
function keyLocation(
	location: unknown,
	method: IHttpRequestOptions['method'] = 'GET',
): keyof typeof KEY_LOCATIONS {
	if (location === 'header') return 'header';
	if (location === 'query' || method === 'GET') return 'query';
	return location === 'form' ? 'form' : 'body';
}
