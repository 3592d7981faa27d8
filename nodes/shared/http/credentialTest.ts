// The credential test, which n8n runs when a credential is saved.

import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { toFailure, isRefusal } from '../values/failure';
import { checkedTimeZone } from './credential';
import { connectionWith, proofRequest, type Service, type Trial } from './connection';
import type { Send } from './exchange';
import { interactiveOptions, sendRequest } from './request';

/** Sends its request like any other, so a wrong credential gives the same message as in an operation. */
export function credentialTest(service: Service) {
	return async function (
		this: ICredentialTestFunctions,
		{ data = {} }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		const { helpers } = this;
		const trial = (changes: ICredentialDataDecryptedObject): Trial => {
			const changed = { ...data, ...changes };
			const connection = connectionWith(service, changed, async (request) => {
				const authenticated = await service.authenticate(changed, request);
				const response: unknown = await helpers.request(testOptions(authenticated));
				return response;
			});
			checkedTimeZone(connection.timezone);
			// The limit under test may never be saved, and must not slow down what runs with the same key.
			const unpaced = { ...connection, requestsPerMinute: 0 };
			const send: Send = async (request) =>
				await sendRequest(unpaced, request, interactiveOptions(unpaced));
			return { connection, send };
		};
		try {
			if (service.testKey) await service.testKey(trial);
			else await trial({}).send(proofRequest(service));
			return { status: 'OK', message: 'Connection successful!' };
		} catch (error) {
			const failure = toFailure(error);
			const otherPlace = failure.kind === 'unauthorized' && service.otherKeyPlace?.(data);
			const ownAdvice = isRefusal(failure) ? '' : failure.advice;
			const advice = otherPlace ? `Check the API key. ${otherPlace}` : ownAdvice || CHECK_BOTH;
			return { status: 'Error', message: failure.with({ advice }).explanation };
		}
	};
}

const CHECK_BOTH = 'Check the base URL and the API key: the address may belong to another service';

/** n8n gives a credential test only its older HTTP helper, whose options have other names. */
const testOptions = ({
	url,
	method,
	qs,
	body,
	headers,
	timeout,
	abortSignal,
}: IHttpRequestOptions) => ({
	uri: url,
	method,
	qs,
	body,
	headers,
	json: true,
	useStream: true,
	// The only way to end a request whose response has not begun.
	agentOptions: { signal: abortSignal },
	simple: false,
	followRedirect: false,
	resolveWithFullResponse: true,
	timeout,
});
