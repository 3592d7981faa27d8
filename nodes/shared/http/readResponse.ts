import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { Failure, failureIn } from '../values/failure';
import { isRecord, mapIn } from '../values/json';

export interface ReadLimits {
	/** What a message calls the response: `The response of the store`. */
	what: string;
	/** What the user can do if it is too large. */
	advice: string;
	/** The most bytes, after decompression. */
	maxBytes: number;
	/** For the whole response: n8n's HTTP client starts its timeout again with each byte that comes. */
	timeoutMs: number;
	/** Aborted if the execution is cancelled. */
	cancelled: AbortSignal | undefined;
}

export interface RawResponse {
	/** 0 if there is none. */
	statusCode: number;
	headers: IDataObject;
	bytes: Buffer;
}

/** Throws nothing because of a status, and hands over the body as it comes. */
const AS_STREAM = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

/**
 * Sends a request and reads its response: the only place that does. Whatever happens, its connection is closed then, and
 * nothing of it is left behind.
 * @param send one of n8n's HTTP helpers
 * @throws Failure if the response is too large; `ETIMEDOUT` or `ERR_BAD_RESPONSE` if it is late or breaks off
 */
export async function readResponse(
	send: (options: IHttpRequestOptions) => Promise<unknown>,
	options: IHttpRequestOptions,
	limits: ReadLimits,
): Promise<RawResponse> {
	const { cancelled, timeoutMs: timeout } = limits;
	const late = AbortSignal.timeout(timeout);
	const connection = new AbortController();
	let stop = (): void => undefined;
	const stopped = new Promise<never>((_resolve, reject) => {
		stop = () => {
			reject(new Error(late.aborted ? 'ETIMEDOUT' : 'cancelled'));
			connection.abort();
		};
	});
	const signals = cancelled ? [late, cancelled] : [late];
	for (const signal of signals) signal.addEventListener('abort', stop);
	if (cancelled?.aborted) stop();
	const request = withSignal({ ...options, ...AS_STREAM, timeout }, connection.signal);
	try {
		return await Promise.race([stopped, received(send(request), limits)]);
	} finally {
		for (const signal of signals) signal.removeEventListener('abort', stop);
		connection.abort();
	}
}

/** n8n would replace the signal by that of the execution, which knows neither the timeout nor the size. */
const withSignal = (request: IHttpRequestOptions, signal: AbortSignal): IHttpRequestOptions => ({
	...request,
	get abortSignal() {
		return signal;
	},
	set abortSignal(_signal) {
		// Stays as it is.
	},
});

async function received(sent: Promise<unknown>, limits: ReadLimits): Promise<RawResponse> {
	const response = await sent;
	const { statusCode, headers, body } = isRecord(response) ? response : {};
	return {
		statusCode: typeof statusCode === 'number' ? statusCode : 0,
		headers: mapIn(headers),
		bytes: isByteStream(body) ? await bytesIn(body, mapIn(headers), limits) : Buffer.alloc(0),
	};
}

const isByteStream = (value: unknown): value is AsyncIterable<Buffer> =>
	typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

async function bytesIn(
	body: AsyncIterable<Buffer>,
	headers: IDataObject,
	{ what, advice, maxBytes }: ReadLimits,
): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let size = 0;
	try {
		for await (const chunk of body) {
			chunks.push(chunk);
			size += chunk.length;
			if (size <= maxBytes && !(Number(headers['content-length']) > maxBytes)) continue;
			const message = `${what} is larger than ${maxBytes / 1024 / 1024} MiB`;
			throw new Failure({ kind: 'unreadable', message, advice, outcomeUnknown: true });
		}
	} catch (error) {
		throw failureIn(error) ?? new Error('ERR_BAD_RESPONSE', { cause: error });
	}
	return Buffer.concat(chunks);
}
