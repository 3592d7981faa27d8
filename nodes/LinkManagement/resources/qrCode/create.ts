import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inBody, shownFor } from '../../../shared/fields';
import type { ItemContext } from '../../../shared/operation';
import { qrData, qrDataFields, qrTypeField } from './data';
import { qrCodeBody, qrCodeFields } from './fields';

const show = { resource: 'qrCode', operations: ['create'] };

export const qrCodeCreateFields: INodeProperties[] = [
	{ ...qrTypeField(show), routing: inBody('type') },
	...qrDataFields(show),
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: shownFor(show),
		options: qrCodeFields,
	},
];

export function newQrCodeBody(body: IDataObject, context: ItemContext): IDataObject {
	return { ...qrCodeBody(body), data: qrData(context) };
}
