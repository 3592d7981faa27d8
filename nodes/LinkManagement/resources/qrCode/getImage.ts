// *Get Image*: the picture of a QR code as a file.

import type { INodeProperties } from 'n8n-workflow';

import { type Operation } from '../../../shared/operations/operation';
import { optionsField } from '../../../shared/operations/panelFields';
import { parseRequiredLine } from '../../../shared/values/input';
import { mapIn, textIn, without } from '../../../shared/values/json';
import { qrCodeLocator } from '../../locators';
import { qrCodeDetails } from '../../records';
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
			return [await withImage(code, { field: name, format }, row)];
		};
	},
	fields: [qrCodeLocator, fileField, optionsField([formatField])],
};
