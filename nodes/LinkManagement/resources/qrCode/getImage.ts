// *Get Image*: the picture of a QR code as a file. Its address is in the record and is no endpoint of the API, so the key is not sent
// there.

import type { INodeProperties } from 'n8n-workflow';

import { inTime } from '../../../shared/http/connection';
import { READ_TIMEOUT_MS } from '../../../shared/http/request';
import type { Operation, Row } from '../../../shared/operations/operation';
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
	prepare(row) {
		const { parameters, node } = row;
		const name = parseRequiredLine(fileField.displayName, parameters[fileField.name]);
		const format = textIn(mapIn(parameters.options).format) ?? 'asIs';
		return async (request) => {
			const { body } = await row.send(request);
			const code = without(qrCodeDetails(body, row.id('qrCodeId')), 'statistics');
			const address = webAddressIn(code.link, `${row.session.connection.baseUrl}/`);
			if (address === undefined) throw noImage('The QR code has no web address of a picture');
			const { bytes, extension, mimeType } = await imageIn(format, address, row);
			const file = `qr-code-${row.id('qrCodeId')}.${extension}`;
			const picture = await node.helpers.prepareBinaryData(bytes, file, mimeType);
			return [{ json: code, binary: { [name]: picture } }];
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

/** A service that does not offer the format gives the picture as it has it. */
async function imageIn(format: string, address: string, row: Row) {
	const asItIs = async () => await imageAt(address, row);
	if (format === 'asIs') return await asItIs();
	return await imageAt(`${address}/download/${format}/1000`, row).catch(asItIs);
}

/** n8n's HTTP client refuses addresses that its protection (SSRF) blocks. @throws Failure if there is no picture at the address */
async function imageAt(url: string, { node, session }: Row) {
	const { connection, requestOptions } = session;
	const timeout = requestOptions.timeout ?? READ_TIMEOUT_MS;
	const headers = { Accept: 'image/*' };
	const request = { ...requestOptions, url, headers, encoding: 'arraybuffer', timeout } as const;
	const place = addressWithoutSecrets(url);
	const body: unknown = await inTime(node.helpers.httpRequest(request), timeout).catch(
		(error: unknown) => {
			const { message } = toFailure(error);
			throw noImage(`No picture came from ${place}: ${message}`).redacted(connection.redact);
		},
	);
	const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
	const start = bytes.toString('latin1', 0, 1000);
	const type = TYPES.find((each) => each.start.test(start));
	if (type) return { ...type, bytes };
	throw noImage(`What came from ${place} is no picture`).redacted(connection.redact);
}

const noImage = (message: string): Failure =>
	new Failure({
		kind: 'unreadable',
		message,
		advice: 'Open that address in a browser, to see whether the picture is there',
	});
