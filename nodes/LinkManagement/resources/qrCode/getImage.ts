import type { Operation } from '../../../shared/operations/nodeProperties';
import { idIn, requireRecord } from '../../../shared/values/json';
import { requiredText } from '../../../shared/values/text';
import { qrCodeLocator } from '../../locators';
import { qrCodeRecord } from '../../records';
import { linkOperation } from '../../results';
import { fetchPicture } from './picture';

const FIELD = 'Put Output File in Field';

/** The picture is at the address in the record, which is no endpoint of the API, so it is requested without the key. */
export const qrCodeGetImage: Operation = {
	name: 'Get Image',
	value: 'getImage',
	action: 'Get image of QR code',
	description: 'Get a QR code with its picture as a file, for an email or a drive',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	pagination: linkOperation({
		query(query, { read }) {
			requiredText(FIELD, read('binaryPropertyName'));
			return query;
		},
		results: (body) => [qrCodeRecord(requireRecord(body, 'details'))],
		async binary({ id, link }, { read, web, connection }) {
			const { bytes, extension, mimeType } = await fetchPicture(link, connection.baseUrl, web);
			const name = `qr-code-${idIn(id) ?? 'unknown'}.${extension}`;
			return {
				[requiredText(FIELD, read('binaryPropertyName'))]: await web.file(bytes, name, mimeType),
			};
		},
	}),
	fields: [
		qrCodeLocator,
		{
			displayName: FIELD,
			name: 'binaryPropertyName',
			type: 'string',
			required: true,
			default: 'data',
			placeholder: 'e.g. data',
			hint: 'The name of the output binary field to put the file in',
			description: 'The field of the output item that gets the picture',
		},
	],
};
