import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../../shared/fields';
import type { ItemContext } from '../../../shared/operation';
import { qrCodeLocator } from '../../locators';
import { qrData, qrDataFields, qrTypeField } from './data';
import { qrCodeBody, qrCodeFields } from './fields';

const show = { resource: 'qrCode', operations: ['update'] };

/** The API requires the content on every update. The type decides its shape, but cannot be changed and is not sent. */
export const qrCodeUpdateFields: INodeProperties[] = [
	qrCodeLocator(show),
	qrTypeField(show),
	...qrDataFields(show),
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: shownFor(show),
		options: qrCodeFields,
	},
];

export function changedQrCodeBody(body: IDataObject, context: ItemContext): IDataObject {
	return { ...qrCodeBody(body), data: qrData(context) };
}
