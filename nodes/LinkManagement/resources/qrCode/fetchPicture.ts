import type { IHttpRequestOptions } from 'n8n-workflow';

import { type Connection, inTime } from '../../../shared/http/connection';
import { connectionFailure, isSuccess } from '../../../shared/http/response';
import { Failure } from '../../../shared/values/failure';
import { mapIn, textIn } from '../../../shared/values/json';
import { addressWithoutSecrets, webAddressIn } from '../../../shared/values/webAddress';

/** n8n's HTTP client without a credential. It refuses addresses that n8n's protection (SSRF) blocks. */
type Get = (request: IHttpRequestOptions) => Promise<unknown>;

interface Download {
	get: Get;
	/** For the whole picture. */
	timeoutMs: number;
	cancelled: AbortSignal | undefined;
}

interface Picture {
	bytes: Buffer;
	mimeType: string;
	/** Of its file, without the dot. */
	extension: string;
}

/** The types of pictures by how they begin, because a server may name another type, or none. */
const TYPES = [
	{ extension: 'png', mimeType: 'image/png', start: /^\x89PNG/ },
	{ extension: 'jpg', mimeType: 'image/jpeg', start: /^\xff\xd8\xff/ },
	{ extension: 'gif', mimeType: 'image/gif', start: /^GIF8/ },
	{ extension: 'webp', mimeType: 'image/webp', start: /^RIFF....WEBP/s },
	{
		extension: 'svg',
		mimeType: 'image/svg+xml',
		start: /^(?:\xef\xbb\xbf)?\s*<(?:svg|(?:\?xml|!--|!DOCTYPE svg).*<svg)[\s>]/is,
	},
] as const;

function typeOf(bytes: Buffer) {
	const start = bytes.toString('latin1', 0, 1000);
	return TYPES.find((type) => type.start.test(start));
}

/**
 * Gets a picture from the web, without the API key.
 * @param link the address as the service gives it: absolute, or relative to its base URL
 */
export async function fetchPicture(
	link: unknown,
	{ baseUrl, mask }: Pick<Connection, 'baseUrl' | 'mask'>,
	{ get, timeoutMs, cancelled }: Download,
): Promise<Picture> {
	const address = webAddressIn(link, `${baseUrl}/`);
	if (address === undefined) throw noPicture('The QR code has no web address of a picture');
	const place = addressWithoutSecrets(address);
	const sent = get({
		url: address,
		headers: { Accept: 'image/*' },
		encoding: 'arraybuffer',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		timeout: timeoutMs,
	});
	const response = await inTime(sent, timeoutMs).catch((error: unknown) => {
		const from = `the address of the picture, ${place}`;
		throw connectionFailure(error, { from, signal: cancelled })
			.masked(mask)
			.with({ advice: OPEN_IT });
	});
	const { statusCode, headers, body } = mapIn(response);
	const httpCode = Number(statusCode);
	const [declared = ''] = textIn(mapIn(headers)['content-type'])?.toLowerCase().split(';') ?? [];
	const what = declared === '' ? 'without a type' : `of type ${declared}`;
	const message = `Expected a picture from ${place}, but got a response ${what} (status ${httpCode})`;
	const bytes = isSuccess(httpCode) && Buffer.isBuffer(body) ? body : Buffer.alloc(0);
	const type = typeOf(bytes);
	if (type) return { bytes, mimeType: type.mimeType, extension: type.extension };
	throw noPicture(message).masked(mask).with({ httpCode });
}

const OPEN_IT = 'Open that address in a browser, to see whether the picture is there';

const noPicture = (message: string): Failure =>
	new Failure({ kind: 'unreadable', message, advice: OPEN_IT });
