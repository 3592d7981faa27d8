import type { INodeProperties } from 'n8n-workflow';

import { operationField } from '../../../shared/fields';
import { done, linkOperation, promisedRecord, record } from '../../service';
import { accountBody, accountUpdateFields } from './update';

/** The account that owns the API key (document: "Account", "Account update body"). */
export const account: INodeProperties[] = [
	operationField(
		'account',
		[
			{
				name: 'Get',
				value: 'get',
				action: 'Get the account',
				description: 'Get the account that owns the API key',
				routing: {
					request: { method: 'GET', url: '/api/account' },
					operations: {
						pagination: linkOperation({
							results: (body) => [record(promisedRecord(body, 'data'))],
						}),
					},
				},
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update the account',
				description:
					'Change the email address or the password of the account that owns the API key',
				routing: {
					request: { method: 'PUT', url: '/api/account/update' },
					operations: { pagination: linkOperation({ body: accountBody, results: done }) },
				},
			},
		],
		'get',
	),
	...accountUpdateFields,
];
