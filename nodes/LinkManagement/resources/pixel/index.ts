import type { INodeProperties } from 'n8n-workflow';

import { operationField } from '../../../shared/fields';
import { createdRecord, deleted, done, linkList, linkOperation, record } from '../../service';
import { newPixelBody, pixelCreateFields } from './create';
import { pixelDeleteFields } from './delete';
import { pixelGetAllFields } from './getAll';
import { changedPixelBody, pixelUpdateFields } from './update';

/** Tracking pixels (document: "Pixel"). */
export const pixel: INodeProperties[] = [
	operationField(
		'pixel',
		[
			{
				name: 'Create',
				value: 'create',
				action: 'Create a pixel',
				description: 'Add a tracking pixel',
				routing: {
					request: { method: 'POST', url: '/api/pixel/add' },
					operations: { pagination: linkOperation({ body: newPixelBody, results: createdRecord }) },
				},
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a pixel',
				description: 'Delete a tracking pixel for good',
				routing: {
					request: { method: 'DELETE', url: '/api/pixel/:pixelId/delete' },
					operations: { pagination: linkOperation({ results: deleted }) },
				},
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many pixels',
				description: 'List the tracking pixels of the account',
				routing: {
					request: { method: 'GET', url: '/api/pixels' },
					operations: { pagination: linkList('pixels', record) },
				},
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update a pixel',
				description: 'Change the tag or the name of a tracking pixel',
				routing: {
					request: { method: 'PUT', url: '/api/pixel/:pixelId/update' },
					operations: { pagination: linkOperation({ body: changedPixelBody, results: done }) },
				},
			},
		],
		'getAll',
	),
	...pixelCreateFields,
	...pixelDeleteFields,
	...pixelGetAllFields,
	...pixelUpdateFields,
];
