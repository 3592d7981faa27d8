// *Get Image*: the picture of a QR code as a file.

import type { INodeProperties } from 'n8n-workflow';

import { type Operation } from '../../../shared/operations/operation';
import { parseRequiredLine } from '../../../shared/values/input';
import { requireRecord } from '../../../shared/values/json';
import { qrCodeLocator } from '../../locators';
import { record } from '../../records';
import { withImage } from './image';

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

export const getImage: Operation = {
	name: 'Get Image',
	value: 'getImage',
	action: 'Get image of QR code',
	description: 'Return a QR code with its picture as a file, for an email or a drive',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	prepare({ parameter }) {
		const name = parseRequiredLine(fileField.displayName, parameter(fileField.name));
		return async (request, row) => {
			const { body } = await row.send(request);
			return [await withImage(record(requireRecord(body, 'details')), name, row)];
		};
	},
	fields: [qrCodeLocator, fileField],
};
