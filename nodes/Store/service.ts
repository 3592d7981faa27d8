import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Service } from '../shared/http/service';
import { keyedRequest, type KeyPlace } from '../shared/http/credential';
import type { Envelope } from '../shared/http/response';
import { textIn } from '../shared/values/json';
import { testKey } from './credentialTest';
import { ACCOUNT } from './records';

/** The name that the store's document has for the key, wherever the key goes. */
const KEY_PARAMETER = 'api_key';

/** Members of successful responses, by endpoint. Some stores have a purchase at the top. */
const SUCCESS_MEMBERS = ['data', 'items', 'item', 'purchase'] as const;

/** The store service: its API document under "Response envelope" and "Authentication". */
export const storeService: Service = {
	serviceName: 'the store',
	credentialType: 'storeApi',
	documentedLimit: 0,
	testPath: ACCOUNT.path,
	testKey,
	isLimitedByAddress: true,
	/** A missing parameter. The node always sends the others. */
	keyRefusal: 400,
	keyAdvice:
		"Check the API key in the credential, and 'Send API Key In' under 'More Settings': with a 'Known Valid Code', the credential test finds the place",
	missingRouteAdvice:
		'The store may have switched its API off, or another program responds. Check the base URL in the credential',
	/** Members decide: a store may translate both `status` and `msg`. */
	envelopeOf(body: IDataObject): Envelope {
		const message = textIn(body.msg);
		if (body.status === 'success') return { outcome: 'success', message };
		// Another program has one of the two at most.
		if (message !== undefined && 'status' in body) return { outcome: 'failure', message };
		const isAnswer = SUCCESS_MEMBERS.some((name) => typeof body[name] === 'object' && body[name]);
		return { outcome: isAnswer ? 'success' : 'unknown', message };
	},
	/** The document does not say where the key goes, so the credential does. */
	async authenticate(data, request) {
		return await Promise.resolve(keyedRequest(data, request, keyPlace(data, request.method)));
	},
};

/** A GET has no body, so there "body" means the query; a POST has the key in the query only if the credential says "query". */
function keyPlace(
	{ apiKeyHeader, apiKeyLocation }: IDataObject,
	method: IHttpRequestOptions['method'] = 'GET',
): KeyPlace {
	const name = KEY_PARAMETER;
	if (apiKeyLocation === 'header') return { to: 'headers', name: textIn(apiKeyHeader) ?? name };
	if (apiKeyLocation === 'query' || method === 'GET') return { to: 'qs', name };
	return { to: apiKeyLocation === 'form' ? 'form' : 'body', name };
}
