import type { INodeProperties } from 'n8n-workflow';

import { operationField } from '../../../shared/fields';
import { createdRecord, deleted, done, linkList, linkOperation, record } from '../../service';
import { domainCreateFields, newDomainBody } from './create';
import { domainDeleteFields } from './delete';
import { domainGetAllFields } from './getAll';
import { changedDomainBody, domainUpdateFields } from './update';

/** Branded domains (document: "Domain"). */
export const domain: INodeProperties[] = [
	operationField(
		'domain',
		[
			{
				name: 'Create',
				value: 'create',
				action: 'Create a domain',
				description: "Add a branded domain, which must already point to the service's server",
				routing: {
					request: { method: 'POST', url: '/api/domain/add' },
					operations: {
						pagination: linkOperation({ body: newDomainBody, results: createdRecord }),
					},
				},
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a domain',
				description: 'Remove a branded domain for good',
				routing: {
					request: { method: 'DELETE', url: '/api/domain/:domainId/delete' },
					operations: { pagination: linkOperation({ results: deleted }) },
				},
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many domains',
				description: 'List the branded domains of the account',
				routing: {
					request: { method: 'GET', url: '/api/domains' },
					operations: { pagination: linkList('domains', record) },
				},
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update a domain',
				description: 'Change the redirects of a domain; fields that are not added stay as they are',
				routing: {
					request: { method: 'PUT', url: '/api/domain/:domainId/update' },
					operations: { pagination: linkOperation({ body: changedDomainBody, results: done }) },
				},
			},
		],
		'getAll',
	),
	...domainCreateFields,
	...domainDeleteFields,
	...domainGetAllFields,
	...domainUpdateFields,
];
