// *Get Image*: the picture of a QR code as a file. Its address is in the record and is no endpoint of the API, so the key is not sent
// there.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inTime } from '../../../shared/http/inTime';
import { READ_TIMEOUT_MS } from '../../../shared/http/request';
import type { Operation, RowContext } from '../../../shared/operations/operation';
import { optionsField } from '../../../shared/operations/panelFields';
import { Failure, toFailure } from '../../../shared/values/failure';
import { parseRequiredLine } from '../../../shared/values/input';
import { mapIn, textIn, without } from '../../../shared/values/json';
import { addressWithoutSecrets, webAddressIn } from '../../../shared/values/webAddress';
import { qrCodeLocator } from '../../locators';
import { qrCodeDetails } from '../../records';

const fileField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
	description: 'The field of the output item that gets the picture',
};

const formatField: INodeProperties = {
	displayName: 'Format',
	name: 'format',
	type: 'options',
	options: [
		{ name: 'As the Service Has It', value: 'asIs' },
		{ name: 'PNG', value: 'png', description: 'For email and print, 1,000 pixels wide' },
		{ name: 'SVG', value: 'svg', description: 'For any size' },
	],
	default: 'png',
	description: 'The format of the picture, if your service offers it; else the service decides',
};

export const getImage: Operation = {
	name: 'Get Image',
	value: 'getImage',
	action: 'Get image of QR code',
	description: 'Return a QR code with its picture as a file, for an email or a drive',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	prepare({ parameters }) {
		const name = parseRequiredLine(fileField.displayName, parameters[fileField.name]);
		const format = textIn(mapIn(parameters.options).format) ?? 'asIs';
		return async (request, row) => {
			const { body } = await row.send(request);
			const code = without(qrCodeDetails(body, row.id('qrCodeId')), 'statistics');
			return [{ json: code, binary: { [name]: await fileOf(code, format, row) } }];
		};
	},
	fields: [qrCodeLocator, fileField, optionsField([formatField])],
};

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

/** @param code has the address of its picture: absolute, or relative to the base URL */
async function fileOf({ link }: IDataObject, format: string, row: RowContext) {
	const address = webAddressIn(link, `${row.session.connection.baseUrl}/`);
	if (address === undefined) throw noImage('The QR code has no web address of a picture');
	const wanted = `${address}/download/${format}/1000`;
	const { bytes, extension, mimeType } =
		format === 'asIs'
			? await imageAt(address, row)
			: await imageAt(wanted, row).catch(async () => await imageAt(address, row));
	const name = `qr-code-${row.id('qrCodeId')}.${extension}`;
	return await row.input.node.helpers.prepareBinaryData(bytes, name, mimeType);
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
