// The picture of a QR code as a file. Its address is in the record and is no endpoint of the API, so the key is not sent there.

import type { IDataObject } from 'n8n-workflow';

import { inTime } from '../../../shared/http/connection';
import { READ_TIMEOUT_MS } from '../../../shared/http/request';
import type { RowContext, RowResult } from '../../../shared/operations/operation';
import { Failure, toFailure } from '../../../shared/values/failure';
import { idIn } from '../../../shared/values/json';
import { addressWithoutSecrets, webAddressIn } from '../../../shared/values/webAddress';

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

interface ImageOptions {
	/** The field of the item that gets the file. */
	field: string;
	/** `png`, `svg`, or `asIs` for what the address of the code has. */
	format: string;
}

/** A QR code with its picture. @param code has its address: absolute, or relative to the base URL */
export async function withImage(
	code: IDataObject,
	{ field, format }: ImageOptions,
	row: RowContext,
): Promise<RowResult> {
	const address = webAddressIn(code.link, `${row.session.connection.baseUrl}/`);
	if (address === undefined) throw noImage('The QR code has no web address of a picture');
	const wanted = `${address}/download/${format}/1000`;
	const image =
		format === 'asIs'
			? await imageAt(address, row)
			: await imageAt(wanted, row).catch(async () => await imageAt(address, row));
	const name = `qr-code-${idIn(code.id) ?? 'new'}.${image.extension}`;
	const { helpers } = row.input.node;
	const file = await helpers.prepareBinaryData(image.bytes, name, image.mimeType);
	return { json: code, binary: { [field]: file } };
}

/** @throws Failure if there is no picture at the address */
async function imageAt(address: string, row: RowContext) {
	const { redact } = row.session.connection;
	const place = addressWithoutSecrets(address);
	const bytes = await download(address, row).catch((error: unknown) => {
		const { message } = toFailure(error);
		throw noImage(`No picture came from ${place}: ${message}`).redacted(redact);
	});
	const start = bytes.toString('latin1', 0, 1000);
	const type = TYPES.find((each) => each.start.test(start));
	if (!type) throw noImage(`What came from ${place} is no picture`).redacted(redact);
	return { ...type, bytes };
}

/** n8n's HTTP client refuses addresses that its protection (SSRF) blocks. */
async function download(url: string, { input: { node }, session: { requestOptions } }: RowContext) {
	const timeout = requestOptions.timeout ?? READ_TIMEOUT_MS;
	const headers = { Accept: 'image/*' };
	const request = { ...requestOptions, url, headers, encoding: 'arraybuffer', timeout } as const;
	const body: unknown = await inTime(node.helpers.httpRequest(request), timeout);
	return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

const noImage = (message: string): Failure =>
	new Failure({
		kind: 'unreadable',
		message,
		advice: 'Open that address in a browser, to see whether the picture is there',
	});
