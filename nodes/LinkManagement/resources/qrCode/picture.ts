import { parsedResponse } from '../../../shared/http/connection';
import { connectionFailure } from '../../../shared/http/connectionError';
import { READ_TIMEOUT_MS } from '../../../shared/http/request';
import type { HttpResponse } from '../../../shared/http/response';
import { isRedirect, isSuccess } from '../../../shared/http/response';
import type { WebClient } from '../../../shared/operations/itemContext';
import { Failure } from '../../../shared/values/failure';
import { textIn } from '../../../shared/values/json';
import { quoted } from '../../../shared/values/path';
import { shownAddress, webAddressIn } from '../../../shared/values/webAddress';

interface Picture {
	bytes: Buffer;
	mimeType: string;
	/** Of its file, without the dot. */
	extension: string;
}

/** The first bytes of each format, as Latin-1. */
const FORMATS: ReadonlyArray<Omit<Picture, 'bytes'> & { isStart(text: string): boolean }> = [
	{ mimeType: 'image/png', extension: 'png', isStart: startsWith('\x89PNG\r\n') },
	{ mimeType: 'image/jpeg', extension: 'jpg', isStart: startsWith('\xff\xd8\xff') },
	{ mimeType: 'image/gif', extension: 'gif', isStart: startsWith('GIF87a', 'GIF89a') },
	{
		mimeType: 'image/webp',
		extension: 'webp',
		isStart: (text) => text.startsWith('RIFF') && text.startsWith('WEBP', 8),
	},
	{ mimeType: 'image/svg+xml', extension: 'svg', isStart: isSvgStart },
];

function startsWith(...starts: string[]): (text: string) => boolean {
	return (text) => starts.some((start) => text.startsWith(start));
}

/** Whether `<svg` follows on a declaration, comments and a document type, if there are any. */
function isSvgStart(text: string): boolean {
	let rest = text.replace('\xef\xbb\xbf', '').trimStart();
	while (!/^<svg[\s>]/i.test(rest)) {
		const isSkipped = /^<(?:\?xml|!--|!doctype svg)/i.test(rest);
		const end = rest.startsWith('<!--') ? '-->' : '>';
		const at = isSkipped ? rest.indexOf(end, '<!--'.length) : -1;
		if (at < 0) return false;
		rest = rest.slice(at + end.length).trimStart();
	}
	return true;
}

/** How many bytes are compared with these. */
const START = 1024;

const LARGEST_MIB = 10;

const MOST_REDIRECTS = 5;

/**
 * Gets a picture from the web. The API key is not sent, so redirects may be followed. The response must have an image type
 * and begin like a picture. All requests together may take as long as the node's *Timeout*, or `READ_TIMEOUT_MS`.
 * @param said the address as the service gives it: absolute, or relative to its base URL
 * @throws Failure that says what came instead
 */
export async function fetchPicture(
	said: unknown,
	baseUrl: string,
	{ get, timeoutMs: timeout = READ_TIMEOUT_MS, cancelled }: WebClient,
): Promise<Picture> {
	const late = AbortSignal.timeout(timeout);
	const abortSignal = cancelled ? AbortSignal.any([cancelled, late]) : late;
	let address = pictureAddress(said, `${baseUrl}/`);
	for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
		const place = shownAddress(address);
		try {
			const response = parsedResponse(
				await get({
					...{ method: 'GET', url: address, headers: { Accept: 'image/*' }, encoding: 'stream' },
					// Redirects are followed here, because in n8n 1 their number cannot be limited.
					...{
						disableFollowRedirect: true,
						ignoreHttpStatusErrors: true,
						returnFullResponse: true,
					},
					...{ timeout, abortSignal },
				}),
			);
			const bytes = await bytesIn(response, place);
			const target = redirectIn(response);
			if (target === undefined) return pictureIn(response, bytes, place);
			address = pictureAddress(target, address);
		} catch (error) {
			const cause = late.aborted ? new Error('ETIMEDOUT') : error;
			const failure = connectionFailure(cause, `the address of the picture, ${place}`, cancelled);
			if (failure.kind !== 'unreachable') throw failure;
			throw failure.with({ advice: LOOK, outcomeUnknown: false });
		}
	}
	throw new Failure({
		kind: 'unreadable',
		message: `The address of the picture leads on more than ${MOST_REDIRECTS} times`,
		advice: LOOK,
	});
}

const redirectIn = ({ statusCode, headers }: HttpResponse): string | undefined =>
	isRedirect(statusCode) ? textIn(headers.location) : undefined;

const LOOK = 'Open that address in a browser, to see whether the picture is there';

function pictureAddress(address: unknown, base: string): string {
	const found = webAddressIn(address, base);
	if (found !== undefined) return found;
	throw new Failure({
		kind: 'unreadable',
		message: `The service says no address of the picture, but ${quoted(address)}`,
		advice: 'Look in the service whether the record is complete',
	});
}

/** Reads the body. If it is too large, the error ends the loop, which closes the connection. */
async function bytesIn({ body, headers }: HttpResponse, place: string): Promise<Buffer> {
	const most = LARGEST_MIB * 1024 * 1024;
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of isByteStream(body) ? body : []) {
		chunks.push(chunk);
		size += chunk.length;
		if (size <= most && !(Number(headers['content-length']) > most)) continue;
		throw new Failure({
			kind: 'unreadable',
			message: `The picture at ${place} is larger than ${LARGEST_MIB} MiB`,
			advice: LOOK,
		});
	}
	return Buffer.concat(chunks);
}

const isByteStream = (value: unknown): value is AsyncIterable<Buffer> =>
	typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

function pictureIn({ statusCode, headers }: HttpResponse, bytes: Buffer, place: string): Picture {
	const start = bytes.subarray(0, START).toString('latin1');
	const format = FORMATS.find((each) => each.isStart(start));
	const type = textIn(headers['content-type'])?.split(';', 1)[0]?.toLowerCase() ?? 'nothing';
	if (isSuccess(statusCode) && format && type.startsWith('image/')) {
		return { bytes, mimeType: format.mimeType, extension: format.extension };
	}
	const what = format ? `a picture that calls itself ${type}` : whatBegins(start);
	throw new Failure({
		kind: 'unreadable',
		message: `A picture was expected from ${place}, but ${what} came (status ${statusCode})`,
		advice: LOOK,
		httpCode: statusCode,
	});
}

function whatBegins(start: string): string {
	if (start.trim() === '') return 'an empty answer';
	if (/^\s*</.test(start)) return 'a web page';
	return /^\s*[[{]/.test(start) ? 'JSON' : 'something else';
}
