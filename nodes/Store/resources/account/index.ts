import type { INodeProperties } from 'n8n-workflow';

import { operationField } from '../../../shared/fields';
import { promisedRecord, storeOperation } from '../../service';

/** The account that owns the API key (document: "Account"). */
export const account: INodeProperties[] = [
	operationField(
		'account',
		[
			{
				name: 'Get',
				value: 'get',
				action: 'Get the account',
				description: 'Get the details of the account that owns the API key',
				routing: {
					request: { method: 'GET', url: '/api/account/details' },
					operations: {
						pagination: storeOperation({ results: (body) => [promisedRecord(body, 'data')] }),
					},
				},
			},
		],
		'get',
	),
];
