import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

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
		const { helpers } = this;
		try {
			const connection = connectionWith(service, data, async (request, timeout) => {
				const authenticated = await service.authenticate(data, httpOptions(request, timeout));
				return parsedResponse(await helpers.request(testOptions(authenticated)));
			});
			// Values that may never be saved must not slow down what runs with the same key.
			const unpaced = { ...connection, requestsPerMinute: 0 };
			await sendRequest(unpaced, { method: 'GET', path: service.testPath }, FOR_A_PERSON);
			return { status: 'OK', message: 'Connection successful!' };
		} catch (error) {
			const failure = failureOf(error);
			// A test sends no values that could be checked.
			const isUnexplained = failure.advice === NO_REASON_KNOWN;
			const advice = 'Check the base URL and the API key: another service may answer there';
			const { explanation } = isUnexplained ? failure.with({ advice }) : failure;
			return { status: 'Error', message: explanation };
		}
	};
}

/** A credential test has only n8n's older HTTP helper, whose options have other names. */
const testOptions = ({ baseURL = '', url, qs, headers, timeout }: IHttpRequestOptions) => ({
	uri: `${baseURL}${url}`,
	qs,
	headers,
	json: true,
	simple: false,
	followRedirect: false,
	resolveWithFullResponse: true,
	timeout,
});
