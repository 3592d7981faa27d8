// *Create* of QR codes; what a code contains is in content.ts.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type Operation } from '../../../shared/operations/operation';
import { inBody } from '../../../shared/operations/requestFields';
import { parseRequiredLine, parseText } from '../../../shared/values/input';
import { additionalFields, textField } from '../../resourceFields';
import { createdRecord } from '../../writeResults';
import { qrTypeField, qrContent, qrContentFields } from './content';
import { COLORS, qrCodeFields } from './qrCodeFields';

const qrCodeNameField: INodeProperties = {
	...textField('Name', 'qrCodeName', 'Flyer, spring'),
	description: 'The name of the QR code. Some services ignore it, and name codes themselves.',
	routing: inBody('name', parseText),
};

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create QR code',
	description: 'Create a QR code from a text, link, contact or more, and return its ID and address',
	request: { method: 'POST', url: '/api/qr/add' },
	body: (body, input) => ({
		...COLORS,
		...body,
		type: parseRequiredLine(qrTypeField.displayName, input.parameters.qrType),
		data: qrContent(input),
	}),
	toItems: (body, request, context) =>
		createdRecord(body, request, context).map((code) => ({ ...contentOf(request.body), ...code })),
	fields: [qrTypeField, ...qrContentFields, additionalFields([...qrCodeFields, qrCodeNameField])],
};

/** What the code holds, and its name. A Wi-Fi password and other contents that are maps stay out of the output. */
const contentOf = ({ type, data, name }: IDataObject): IDataObject => ({
	type,
	...(typeof data === 'string' ? { data } : {}),
	...(name === undefined ? {} : { name }),
});
