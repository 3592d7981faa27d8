import { returnAllAndLimit } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { linkRecord } from '../../records';
import { linkList } from '../../results';

export const linkGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many short links',
	description: 'List the short links of the account',
	request: { method: 'GET', url: '/api/urls' },
	pagination: linkList('urls', linkRecord),
	fields: [
		...returnAllAndLimit,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [
				{
					displayName: 'Order By',
					name: 'order',
					type: 'options',
					options: [
						{ name: 'Clicks', value: 'click' },
						{ name: 'Date', value: 'date' },
					],
					default: 'date',
					description: 'What to sort the links by; the service decides the direction',
					routing: { send: { type: 'query', property: 'order' } },
				},
			],
		},
	],
};
