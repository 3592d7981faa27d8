import type { INodeProperties } from 'n8n-workflow';

import { operationField } from '../../../shared/fields';
import { deleted, linkDetails, linkList, linkOperation, linkRecord } from '../../service';
import { created, linkCreateFields, newLinkBody } from './create';
import { linkDeleteFields } from './delete';
import { linkGetFields } from './get';
import { linkGetAllFields } from './getAll';
import { changedLinkBody, linkUpdateFields, updated, withLongUrl } from './update';

/** Short links (document: "Short link"). */
export const link: INodeProperties[] = [
	operationField(
		'link',
		[
			{
				name: 'Create',
				value: 'create',
				action: 'Create a short link',
				description: 'Shorten a long URL',
				routing: {
					request: { method: 'POST', url: '/api/url/add' },
					operations: { pagination: linkOperation({ body: newLinkBody, results: created }) },
				},
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a short link',
				description: 'Delete a short link for good',
				routing: {
					request: { method: 'DELETE', url: '/api/url/:linkId/delete' },
					operations: { pagination: linkOperation({ results: deleted }) },
				},
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get a short link',
				description: 'Get the details and the statistics of a short link',
				routing: {
					request: { method: 'GET', url: '/api/url/:linkId' },
					operations: { pagination: linkOperation({ results: (body) => [linkDetails(body)] }) },
				},
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many short links',
				description: 'List the short links of the account',
				routing: {
					request: { method: 'GET', url: '/api/urls' },
					operations: { pagination: linkList('urls', linkRecord) },
				},
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update a short link',
				description: 'Change a short link; fields that are not added stay as they are',
				routing: {
					request: { method: 'PUT', url: '/api/url/:linkId/update' },
					operations: {
						pagination: linkOperation({
							body: changedLinkBody,
							complete: withLongUrl,
							results: updated,
						}),
					},
				},
			},
		],
		'create',
	),
	...linkCreateFields,
	...linkDeleteFields,
	...linkGetFields,
	...linkGetAllFields,
	...linkUpdateFields,
];
