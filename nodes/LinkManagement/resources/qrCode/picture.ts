// The picture of a QR code as a file. Its address is in the record and is no endpoint of the API, so the key is not sent there.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inTime } from '../../../shared/http/connection';
import { READ_TIMEOUT_MS } from '../../../shared/http/request';
import { connectionFailure, isSuccess } from '../../../shared/http/response';
import type { Row, RowResult } from '../../../shared/operations/row';
import { cancelSignalOf } from '../../../shared/operations/session';
import { Failure } from '../../../shared/values/failure';
import { requiredLine } from '../../../shared/values/input';
import { idIn, mapIn, textIn } from '../../../shared/values/json';
import { addressWithoutSecrets, webAddressIn } from '../../../shared/values/webAddress';

export const binaryPropertyField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
	description: 'The field of the output item that gets the picture',
};

/** @throws Failure if it is empty */
export const fieldName = (entered: unknown): string =>
	requiredLine(binaryPropertyField.displayName, entered);

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

/** A QR code with its picture. @param code has its address: absolute, or relative to the base URL */
export async function withPicture(code: IDataObject, field: string, row: Row): Promise<RowResult> {
	const { bytes, statusCode, declared, place } = await download(code.link, row);
	const type = typeOf(bytes);
	if (!type) {
		const what = declared === undefined ? 'without a type' : `of type ${declared}`;
		throw noPicture(
			`Expected a picture from ${place}, but got a response ${what} (status ${statusCode})`,
		).masked(row.session.connection.mask);
	}
	const name = `qr-code-${idIn(code.id) ?? 'new'}.${type.extension}`;
	const { helpers } = row.form.node;
	const file = await helpers.prepareBinaryData(bytes, name, type.mimeType);
	return { json: code, binary: { [field]: file } };
}

interface Download {
	/** None if the status is no success. */
	bytes: Buffer;
	statusCode: number;
	declared: string | undefined;
	/** Its address, for messages. */
	place: string;
}

/** n8n's HTTP client refuses addresses that its protection (SSRF) blocks. */
async function download(
	link: unknown,
	{ form: { node }, session: { connection, client } }: Row,
): Promise<Download> {
	const address = webAddressIn(link, `${connection.baseUrl}/`);
	if (address === undefined) throw noPicture('The QR code has no web address of a picture');
	const place = addressWithoutSecrets(address);
	const timeout = client.timeout ?? READ_TIMEOUT_MS;
	const sent = node.helpers.httpRequest({
		...client,
		url: address,
		headers: { Accept: 'image/*' },
		encoding: 'arraybuffer',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		timeout,
	});
	const response: unknown = await inTime(sent, timeout).catch((error: unknown) => {
		const from = `the address of the picture, ${place}`;
		throw connectionFailure(error, { from, signal: cancelSignalOf(node) })
			.masked(connection.mask)
			.with({ advice: OPEN_IT });
	});
	const { statusCode: status, headers, body } = mapIn(response);
	const statusCode = Number(status);
	const bytes = isSuccess(statusCode) && Buffer.isBuffer(body) ? body : Buffer.alloc(0);
	const declared = textIn(mapIn(headers)['content-type'])?.toLowerCase().split(';')[0];
	return { bytes, statusCode, declared, place };
}

const OPEN_IT = 'Open that address in a browser, to see whether the picture is there';

const noPicture = (message: string): Failure =>
	new Failure({ kind: 'unreadable', message, advice: OPEN_IT });
