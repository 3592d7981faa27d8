import type { Connection } from '../../../shared/http/connection';
import { connectionFailure } from '../../../shared/http/connectionFailure';
import type { Mask } from '../../../shared/http/mask';
import { READ_TIMEOUT_MS } from '../../../shared/http/request';
import { type RawResponse, readResponse } from '../../../shared/http/readResponse';
import { isRedirect, isSuccess } from '../../../shared/http/classifyResponse';
import type { WebClient } from '../../../shared/operations/webClient';
import { Failure, quoted } from '../../../shared/values/failure';
import { textIn } from '../../../shared/values/json';
import { addressWithoutSecrets, webAddressIn } from '../../../shared/values/webAddress';

interface Picture {
	bytes: Buffer;
	mimeType: string;
	/** Of its file, without the dot. */
	extension: string;
}

/** `<svg`, after a declaration, comments and a document type if there are any. */
const SVG_START =
	/^(?:\xef\xbb\xbf)?(?:\s|<\?xml[^>]*>|<!doctype svg[^>]*>|<!--(?:(?!-->)[^])*-->)*<svg[\s>]/i;

/** How each format begins, as Latin-1. */
const FORMATS = [
	{ mimeType: 'image/png', extension: 'png', start: /^\x89PNG\r\n/ },
	{ mimeType: 'image/jpeg', extension: 'jpg', start: /^\xff\xd8\xff/ },
	{ mimeType: 'image/gif', extension: 'gif', start: /^GIF8[79]a/ },
	{ mimeType: 'image/webp', extension: 'webp', start: /^RIFF[^]{4}WEBP/ },
	{ mimeType: 'image/svg+xml', extension: 'svg', start: SVG_START },
];

/** How many bytes are compared with these. */
const START_BYTES = 1024;

const MAX_BYTES = 10 * 1024 * 1024;

const MAX_REDIRECTS = 5;

/**
 * Gets a picture from the web. The API key is not sent, so redirects may be followed. The response must have an image type
 * and begin like a picture. All requests together may take as long as the node's *Timeout*, or `READ_TIMEOUT_MS`.
 * @param link the address as the service gives it: absolute, or relative to its base URL
 * @throws Failure that says what came instead
 */
export async function fetchPicture(
	link: unknown,
	{ baseUrl, mask }: Pick<Connection, 'baseUrl' | 'mask'>,
	{ get, timeoutMs: timeout = READ_TIMEOUT_MS, cancelled }: WebClient,
): Promise<Picture> {
	const endsAt = performance.now() + timeout;
	let address = pictureAddress(link, `${baseUrl}/`, mask);
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
		const place = addressWithoutSecrets(address);
		try {
			const request = { method: 'GET', url: address, headers: { Accept: 'image/*' } } as const;
			const response = await readResponse(get, request, {
				failure: (fault) => unreadablePicture(`The picture at ${place} ${fault}`),
				maxBytes: MAX_BYTES,
				cancelled,
				timeoutMs: Math.max(1, Math.ceil(endsAt - performance.now())),
			});
			// Redirects are followed here, because in n8n 1 their number cannot be limited.
			const { statusCode, headers } = response;
			const target = isRedirect(statusCode) ? textIn(headers.location) : undefined;
			if (target === undefined) return pictureIn(response, place);
			address = pictureAddress(mask(target), address, mask);
		} catch (error) {
			const from = `the address of the picture, ${place}`;
			throw connectionFailure(error, { from, advice: OPEN_IT, signal: cancelled }).masked(mask);
		}
	}
	throw unreadablePicture(`The address of the picture redirects more than ${MAX_REDIRECTS} times`);
}

const OPEN_IT = 'Open that address in a browser, to see whether the picture is there';

const unreadablePicture = (message: string): Failure =>
	new Failure({ kind: 'unreadable', message, advice: OPEN_IT });

function pictureAddress(address: unknown, base: string, mask: Mask): string {
	const found = webAddressIn(address, base);
	if (found !== undefined) return found;
	throw new Failure({
		kind: 'unreadable',
		message: `The address of the picture must be a web address, but is ${typeof address === 'string' ? quoted(mask(addressWithoutSecrets(address))) : 'no text'}`,
		advice: 'Check the QR code in the service',
	});
}

function pictureIn({ statusCode, headers, bytes }: RawResponse, place: string): Picture {
	const start = bytes.subarray(0, START_BYTES).toString('latin1');
	const format = FORMATS.find((each) => each.start.test(start));
	const type = textIn(headers['content-type'])?.split(';', 1)[0]?.toLowerCase() ?? 'nothing';
	if (isSuccess(statusCode) && format && type.startsWith('image/')) {
		return { bytes, mimeType: format.mimeType, extension: format.extension };
	}
	const what = format ? `a picture declared as ${type}` : contentAfter(start);
	const message = `Expected a picture from ${place}, but got ${what} (status ${statusCode})`;
	throw unreadablePicture(message).with({ httpCode: statusCode });
}

function contentAfter(start: string): string {
	if (start.trim() === '') return 'an empty response';
	if (/^\s*</.test(start)) return 'a web page';
	return /^\s*[[{]/.test(start) ? 'JSON' : 'something else';
}
