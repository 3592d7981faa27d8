import type {
	IBinaryKeyData,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { fetchPicture } from '../http/picture';
import { Failure } from '../values/failure';
import { textIn } from '../values/json';
import { quoted } from '../values/path';
import type { WantedPicture } from './plan';

/**
 * Gets a picture, and gives it to n8n as a file.
 * @param baseUrl of the service, where the address is relative
 * @throws Failure if there is none
 */
export async function pictureFile(
	{ helpers }: IExecutePaginationFunctions,
	{ address, name, field }: WantedPicture,
	baseUrl: string,
	options: Partial<IHttpRequestOptions>,
	cancelled: AbortSignal | undefined,
): Promise<IBinaryKeyData> {
	const get = async (request: IHttpRequestOptions): Promise<unknown> =>
		await helpers.httpRequest(request);
	const url = webAddressIn(address, baseUrl);
	const { bytes, mimeType, extension } = await fetchPicture(url, get, options, cancelled);
	return { [field]: await helpers.prepareBinaryData(bytes, `${name}.${extension}`, mimeType) };
}

function webAddressIn(address: unknown, baseUrl: string): string {
	const text = textIn(address) ?? '';
	const url = URL.canParse(text, `${baseUrl}/`) ? new URL(text, `${baseUrl}/`) : undefined;
	if (text !== '' && url && /^https?:$/.test(url.protocol)) return url.href;
	throw new Failure({
		kind: 'unreadable',
		message: `The service says no address of the picture, but ${quoted(text)}`,
		advice: 'Look in the service whether the record is complete',
	});
}
