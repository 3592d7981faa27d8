import type { INodeProperties } from 'n8n-workflow';

import { operationField } from '../../../shared/fields';
import {
	createdRecord,
	deleted,
	done,
	linkList,
	linkOperation,
	qrCodeDetails,
	qrCodeRecord,
} from '../../service';
import { newQrCodeBody, qrCodeCreateFields } from './create';
import { qrCodeDeleteFields } from './delete';
import { qrCodeGetFields } from './get';
import { qrCodeGetAllFields } from './getAll';
import { changedQrCodeBody, qrCodeUpdateFields } from './update';

/** QR codes (document: "QR code"). */
export const qrCode: INodeProperties[] = [
	operationField(
		'qrCode',
		[
			{
				name: 'Create',
				value: 'create',
				action: 'Create a QR code',
				description: 'Create a QR code from a text, a link, a contact and more',
				routing: {
					request: { method: 'POST', url: '/api/qr/add' },
					operations: {
						pagination: linkOperation({ body: newQrCodeBody, results: createdRecord }),
					},
				},
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a QR code',
				description: 'Delete a QR code for good',
				routing: {
					request: { method: 'DELETE', url: '/api/qr/:qrCodeId/delete' },
					operations: { pagination: linkOperation({ results: deleted }) },
				},
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get a QR code',
				description: 'Get the details and the statistics of a QR code',
				routing: {
					request: { method: 'GET', url: '/api/qr/:qrCodeId' },
					operations: { pagination: linkOperation({ results: (body) => [qrCodeDetails(body)] }) },
				},
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many QR codes',
				description: 'List the QR codes of the account',
				routing: {
					request: { method: 'GET', url: '/api/qr' },
					operations: { pagination: linkList('qrs', qrCodeRecord) },
				},
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update a QR code',
				description: 'Change the content or the colors of a QR code',
				routing: {
					request: { method: 'PUT', url: '/api/qr/:qrCodeId/update' },
					operations: { pagination: linkOperation({ body: changedQrCodeBody, results: done }) },
				},
			},
		],
		'create',
	),
	...qrCodeCreateFields,
	...qrCodeDeleteFields,
	...qrCodeGetFields,
	...qrCodeGetAllFields,
	...qrCodeUpdateFields,
];
