import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import type { Failure } from '../values/failure';
import { failureOf } from '../values/failure';
import type { Service } from './connection';
import { connectionWith, httpOptions, parsedResponse } from './connection';
import { FOR_A_PERSON, sendRequest } from './request';
import { NO_REASON_KNOWN } from './response';

/**
 * The credential test: one GET, sent like every other request, so that it fails on all that would make an operation fail,
 * and says the same about it.
 */
export function credentialTest(service: Service) {
	return async function (
		this: ICredentialTestFunctions,
		{ data = {} }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		try {
			const connection = connectionWith(service, data, async (request, timeout) =>
				parsedResponse(
					await sendTest(this, await service.authenticate(data, httpOptions(request, timeout))),
				),
			);
			// Values that may never be saved must not slow down what runs with the same key.
			const unpaced = { ...connection, requestsPerMinute: 0 };
			await sendRequest(unpaced, { method: 'GET', path: service.testPath }, FOR_A_PERSON);
			return { status: 'OK', message: 'Connection successful!' };
		} catch (error) {
			return { status: 'Error', message: testFailure(failureOf(error)).explanation };
		}
	};
}

/** A test sends no values, so a refusal is about the address or the key. */
function testFailure(failure: Failure): Failure {
	return failure.kind === 'refused' && failure.advice === NO_REASON_KNOWN
		? failure.with({
				advice: 'Check the base URL and the API key: another service may answer there',
			})
		: failure;
}

/** A credential test has only n8n's older HTTP helper, whose options have other names. */
async function sendTest(
	context: ICredentialTestFunctions,
	{ baseURL = '', url, qs, headers, timeout }: IHttpRequestOptions,
): Promise<unknown> {
	return await context.helpers.request({
		method: 'GET',
		uri: `${baseURL}${url}`,
		qs,
		headers,
		json: true,
		simple: false,
		followRedirect: false,
		resolveWithFullResponse: true,
		timeout,
	});
}
