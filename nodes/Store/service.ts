import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { keyedRequest, type KeyPlace, type ServiceCredential } from '../shared/http/credential';
import type { Envelope } from '../shared/http/response';
import type { Send, Service } from '../shared/http/service';
import { Failure, fieldFailure, toFailure } from '../shared/values/failure';
import { textIn } from '../shared/values/json';
import { checkCode } from './codeVerdict';
import { parsePurchaseCode } from './purchaseCode';
import { ACCOUNT, askForAccount } from './records';

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

/** Asks for the account, and for the known code, if there is one: the account may accept a key that a POST has in another place. */
export async function testKey(credential: ServiceCredential, send: Send): Promise<void> {
	await askForAccount(send);
	if (credential.knownValidCode === undefined) return;
	const code = knownCode(credential.knownValidCode);
	const verdict = await checkCode(code, send, credential).catch((error: unknown) => {
		const failure = toFailure(error);
		// The words of the store may repeat the code, which is kept secret.
		if (failure.mayBeRefusal || failure.kind === 'unauthorized') return undefined;
		throw failure;
	});
	if (verdict?.purchase) return;
	throw new Failure({
		kind: 'refused',
		message:
			"The store accepts the API key for its account, but refuses the 'Known Valid Code' of the credential",
		advice:
			"Try the other values of 'Send API Key In'. Or the code was refunded, or belongs to another account",
	});
}

/** @throws Failure that does not repeat what was entered */
function knownCode(entered: string): string {
	try {
		return parsePurchaseCode('Known Valid Code', entered);
	} catch {
		throw fieldFailure('Known Valid Code', 'must be one purchase code');
	}
}
