import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Connection, RequestOptions } from './request';
import { sendRequest } from './request';
import type { Failure } from '../values/failure';
import { failureIn, unforeseenFailure } from '../values/failure';
import type { Service } from './connection';
import { connectionTo, readAnswer, REQUEST_DEFAULTS } from './connection';

/** A person waits for the answer: such requests go first, and may use the slots kept for them. */
const FOR_A_PERSON: RequestOptions = { repeatable: true, urgent: true, signal: undefined };

/** Longest wait for an answer to a credential test, in milliseconds. */
const TEST_TIMEOUT_MS = 30_000;

/** A GET of a dropdown: the body of the successful answer. Failure: see `exchange`. */
export type Get = (path: string, query: IDataObject) => Promise<IDataObject>;

/** How a dropdown asks the service, and the way there. Failure: a field of the credential is wrong. */
export async function lookupFor(
	context: ILoadOptionsFunctions,
	service: Service,
): Promise<{ get: Get; connection: Connection }> {
	const connection = connectionTo(service, await context.getCredentials(service.credentialType));
	const send = async (url: string, qs: IDataObject): Promise<unknown> =>
		await context.helpers.httpRequestWithAuthentication.call(
			context,
			service.credentialType,
			getRequest(url, qs),
		);
	const get: Get = async (path, query) =>
		(await sendRequest(async () => readAnswer(await send(path, query)), connection, FOR_A_PERSON))
			.body;
	return { get, connection };
}

/** What a dropdown shows when it fails: why, and what to do. */
export async function orNodeError<T>(
	context: ILoadOptionsFunctions,
	work: () => Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		const { message, advice } = failureIn(error) ?? unforeseenFailure(error);
		throw new NodeApiError(context.getNode(), { message }, { message, description: advice });
	}
}

/**
 * The credential test: one GET through the exchange, so that it fails on all that would make an operation fail, and
 * says the same about it.
 */
export function credentialTest(service: Service) {
	return async function (
		this: ICredentialTestFunctions,
		{ data = {} }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		try {
			const connection = connectionTo(service, data);
			const request = await service.authenticate(data, getRequest(service.testPath, {}));
			await sendRequest(
				async () => readAnswer(await sendTest(this, request)),
				connection,
				FOR_A_PERSON,
			);
			return { status: 'OK', message: 'Connection successful!' };
		} catch (error) {
			return { status: 'Error', message: testFailure(error).explanation };
		}
	};
}

/** A test sends no values, so a refusal is about the address or the key. */
function testFailure(error: unknown): Failure {
	const failure = failureIn(error) ?? unforeseenFailure(error);
	return failure.kind === 'refused'
		? failure.with({
				advice: 'Check the base URL and the API key: another service may answer there',
			})
		: failure;
}

/** A credential test has only n8n's older HTTP helper, whose options have other names. */
async function sendTest(
	context: ICredentialTestFunctions,
	{ baseURL = '', url, qs, headers }: IHttpRequestOptions,
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
		timeout: TEST_TIMEOUT_MS,
	});
}

/** A GET as n8n's HTTP helper takes it. */
export function getRequest(url: string, qs: IDataObject): IHttpRequestOptions {
	return {
		...REQUEST_DEFAULTS,
		headers: { ...REQUEST_DEFAULTS.headers },
		method: 'GET',
		url,
		qs,
		returnFullResponse: true,
	};
}
