import type { INodeProperties } from 'n8n-workflow';

import { operationField } from '../../../shared/fields';
import { linkList, record } from '../../service';
import { splashPageGetAllFields } from './getAll';

/** Custom splash pages, which the API can only list (document: "Splash page (read-only)"). */
export const splashPage: INodeProperties[] = [
	operationField(
		'splashPage',
		[
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many splash pages',
				description: 'List the custom splash pages of the account',
				routing: {
					request: { method: 'GET', url: '/api/splash' },
					operations: { pagination: linkList('splash', record) },
				},
			},
		],
		'getAll',
	),
	...splashPageGetAllFields,
];
