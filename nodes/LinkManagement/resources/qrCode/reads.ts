// *Get*, *Get Image*, *Get Many* and *Get Statistics* of QR codes.

import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../../shared/operations/operation';
import { parseRequiredLine } from '../../../shared/values/input';
import { requireRecord } from '../../../shared/values/json';
import { extraQueryOption } from '../../resourceFields';
import { getMany } from '../../getMany';
import { qrCodes } from '../../serviceLists';
import { qrCodeLocator } from '../../locators';
import { qrCodeDetails, record, statisticsRows } from '../../records';
import { withImage } from './image';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get QR code',
	description: 'Return the details of a QR code with its scans',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	toItems: (body) => [qrCodeDetails(body)],
	fields: [qrCodeLocator, extraQueryOption],
};

export const getAll: Operation = {
	...getMany(qrCodes),
	action: 'Get many QR codes',
	description: 'Return the QR codes of the account with their scans, one item each',
};

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

export const getStatistics: Operation = {
	name: 'Get Statistics',
	value: 'getStatistics',
	action: 'Get statistics of QR code',
	description: 'Return the scans of a QR code, one item per figure, for a sheet or chart',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	toItems(body) {
		const { id, name, ...details } = qrCodeDetails(body);
		return statisticsRows({ id, name }, details);
	},
	fields: [qrCodeLocator, extraQueryOption],
};
