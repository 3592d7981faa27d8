import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Connection } from '../../../shared/http/connection';
import { READ_TIMEOUT_MS } from '../../../shared/http/request';
import { connectionFailure, isSuccess } from '../../../shared/http/response';
import { Failure } from '../../../shared/values/failure';
import { mapIn, textIn } from '../../../shared/values/json';
import { addressWithoutSecrets, webAddressIn } from '../../../shared/values/webAddress';

/** n8n's HTTP client without a credential. It refuses addresses that n8n's protection (SSRF) blocks. */
type Get = (request: IHttpRequestOptions) => Promise<unknown>;

interface Picture {
	bytes: Buffer;
	mimeType: string;
	/** Of its file, without the dot. */
	extension: string;
}

/**
 * Gets a picture from the web, without the API key.
 * @param link the address as the service gives it: absolute, or relative to its base URL
 */
export async function fetchPicture(
	link: unknown,
	{ baseUrl, mask }: Pick<Connection, 'baseUrl' | 'mask'>,
	{ get, cancelled }: { get: Get; cancelled: AbortSignal | undefined },
): Promise<Picture> {
	const address = webAddressIn(link, `${baseUrl}/`);
	if (address === undefined) throw unreadablePicture('The QR code has no web address of a picture');
	const place = addressWithoutSecrets(address);
	const response = await get({
		url: address,
		headers: { Accept: 'image/*' },
		encoding: 'arraybuffer',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		timeout: READ_TIMEOUT_MS,
	}).catch((error: unknown) => {
		const from = `the address of the picture, ${place}`;
		throw connectionFailure(error, { from, signal: cancelled })
			.masked(mask)
			.with({ advice: OPEN_IT });
	});
	const { statusCode, headers, body } = mapIn(response);
	const [mimeType = ''] = textIn(mapIn(headers)['content-type'])?.toLowerCase().split(';') ?? [];
	const [, extension] = /^image\/(\w+)/.exec(mimeType.replace('jpeg', 'jpg')) ?? [];
	if (isSuccess(Number(statusCode)) && extension && Buffer.isBuffer(body))
		return { bytes: body, mimeType, extension };
	const what = mimeType === '' ? 'nothing' : mimeType;
	const message = `Expected a picture from ${place}, but got ${what} (status ${Number(statusCode)})`;
	throw unreadablePicture(message).with({ httpCode: Number(statusCode) });
}

const OPEN_IT = 'Open that address in a browser, to see whether the picture is there';

const unreadablePicture = (message: string): Failure =>
	new Failure({ kind: 'unreadable', message, advice: OPEN_IT });
