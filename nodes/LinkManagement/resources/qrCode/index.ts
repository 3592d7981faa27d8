// QR codes (document: "QR code"); what a code contains is in content.ts.

import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../../shared/operations/operation';
import { inBody } from '../../../shared/operations/requestFields';
import { parseLine, parseText } from '../../../shared/values/input';
import { getMany } from '../../getMany';
import { qrCodeLocator } from '../../locators';
import { qrCodeDetails, statisticsRows } from '../../records';
import { additionalFields, extraQueryOption, textField, updateFields } from '../../resourceFields';
import { qrCodes } from '../../serviceLists';
import { parseRgbColor } from '../../values/color';
import { change, createdRecord, creation, deletion } from '../../writeResults';
import { COLORS, contentFields, qrContent } from './content';

export { getImage } from './getImage';

/** What create and update have in common, besides the content. */
const fields: readonly INodeProperties[] = [
	{
		displayName: 'Background Color',
		name: 'background',
		type: 'color',
		default: '',
		description: 'The color behind the code',
		routing: inBody('background', parseRgbColor),
	},
	{
		displayName: 'Foreground Color',
		name: 'foreground',
		type: 'color',
		default: '',
		description: 'The color of the code',
		routing: inBody('foreground', parseRgbColor),
	},
	{
		...textField('Logo', 'logo', 'https://www.example.com/logo.png'),
		description: 'The address of a PNG or JPG picture to show in the middle of the code',
		routing: inBody('logo', parseLine, ''),
	},
];

const nameField: INodeProperties = {
	...textField('Name', 'qrCodeName', 'Flyer, spring'),
	description: 'The name of the QR code. Some services ignore it, and name codes themselves.',
	routing: inBody('name', parseText),
};

export const create: Operation = {
	...creation('/api/qr/add'),
	action: 'Create QR code',
	description: 'Create a QR code from a text, link, contact or more, and return its ID and address',
	body: (body, row) => ({ ...COLORS, ...body, ...qrContent(row) }),
	toItems(body, request, context) {
		const { type, data, name } = request.body;
		// A Wi-Fi password and other contents that are maps stay out of the output.
		const sent = {
			type,
			...(typeof data === 'string' && { data }),
			...(name !== undefined && { name }),
		};
		return createdRecord(body, request, context).map((code) => ({ ...sent, ...code }));
	},
	fields: [...contentFields, additionalFields([...fields, nameField])],
};

export const remove: Operation = {
	...deletion('/api/qr/:qrCodeId/delete', qrCodeLocator),
	action: 'Delete QR code',
	description: 'Permanently delete a QR code, and return its ID',
};

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get QR code',
	description: 'Return the details of a QR code with its scans',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	toItems: (body, { ids }) => [qrCodeDetails(body, ids.qrCodeId ?? 0)],
	fields: [qrCodeLocator, extraQueryOption],
};

export const getAll: Operation = {
	...getMany(qrCodes),
	action: 'Get many QR codes',
	description: 'Return the QR codes of the account with their scans, one item each',
};

export const getStatistics: Operation = {
	name: 'Get Statistics',
	value: 'getStatistics',
	action: 'Get statistics of QR code',
	description: 'Return the scans of a QR code, one item per figure, for a sheet or chart',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	toItems(body, { ids }) {
		const { id, name, ...details } = qrCodeDetails(body, ids.qrCodeId ?? 0);
		return statisticsRows({ id, name }, details);
	},
	fields: [qrCodeLocator, extraQueryOption],
};

export const update: Operation = {
	...change('/api/qr/:qrCodeId/update'),
	action: 'Update QR code',
	description: 'Change the content or colors of a QR code, and return its ID',
	body: (body, row) => ({ ...body, data: qrContent(row).data }),
	fields: [
		qrCodeLocator,
		{
			displayName:
				'Every update needs the content, even if only the colors change. The type selects the fields below; it is not sent and cannot be changed.',
			name: 'contentNotice',
			type: 'notice',
			default: '',
		},
		...contentFields,
		updateFields(fields),
	],
};
