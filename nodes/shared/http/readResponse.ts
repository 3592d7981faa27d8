// Sends a request once and reads its response as a stream, limited in size and time.

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { type Failure, findFailure } from '../values/failure';
import { mapIn } from '../values/json';

/** How much of a response is read, and for how long. */
interface ReadLimits {
	maxBytes: number;
	/** @param fault such as `is larger than 1 MiB` */
	failure: (fault: string) => Failure;
	/** For the whole response: n8n's HTTP client starts its timeout again with each byte that comes. */
	timeoutMs: number;
	cancelled: AbortSignal | undefined;
}

/** A response as it came, decompressed. */
export interface RawResponse {
	statusCode: number;
	headers: IDataObject;
	bytes: Buffer;
}

const AS_STREAM = {
	encoding: 'stream',
	returnFullResponse: true,
	// Else the HTTP client throws on a failing status, and drops the service's own message.
	ignoreHttpStatusErrors: true,
	// Followed, a redirect turns a POST into a GET and ends on a login page.
	disableFollowRedirect: true,
} as const;

/**
 * Sends a request with one of n8n's HTTP helpers, reads the response up to a size and a time, and closes the connection.
 * @throws Failure if the response is too large; `ETIMEDOUT` or `ERR_BAD_RESPONSE` if it is late or breaks off
 */
export async function readResponse(
	send: (options: IHttpRequestOptions) => Promise<unknown>,
	options: IHttpRequestOptions,
	limits: ReadLimits,
): Promise<RawResponse> {
	const { cancelled, timeoutMs: timeout } = limits;
	const late = AbortSignal.timeout(timeout);
	const controller = new AbortController();
	let stop = (): void => undefined;
	const stopped = new Promise<never>((_resolve, reject) => {
		stop = () => {
			controller.abort();
			reject(new Error(late.aborted ? 'ETIMEDOUT' : 'cancelled'));
		};
	});
	const signals = cancelled ? [late, cancelled] : [late];
	for (const signal of signals) signal.addEventListener('abort', stop);
	if (cancelled?.aborted) stop();
	const request = { ...options, ...AS_STREAM, timeout };
	// n8n would replace the signal by that of the execution, which knows neither the timeout nor the size.
	Object.defineProperty(request, 'abortSignal', {
		enumerable: true,
		get: () => controller.signal,
		set: () => undefined,
	});
	let response: RawResponse | undefined;
	try {
		response = await Promise.race([stopped, received(send(request), limits)]);
		return response;
	} finally {
		for (const signal of signals) signal.removeEventListener('abort', stop);
		if (!response) stop();
	}
}

async function received(
	sent: Promise<unknown>,
	{ maxBytes, failure }: ReadLimits,
): Promise<RawResponse> {
	const { statusCode, headers, body } = mapIn(await sent);
	const chunks: Buffer[] = [];
	let size = 0;
	try {
		for await (const chunk of isByteStream(body) ? body : []) {
			chunks.push(chunk);
			size += chunk.length;
			if (size > maxBytes) throw failure(`is larger than ${maxBytes / 1024 / 1024} MiB`);
		}
	} catch (error) {
		throw findFailure(error) ?? new Error('ERR_BAD_RESPONSE', { cause: error });
	}
	return { statusCode: Number(statusCode), headers: mapIn(headers), bytes: Buffer.concat(chunks) };
}

const isByteStream = (value: unknown): value is AsyncIterable<Buffer> =>
	Symbol.asyncIterator in Object(value);
