import { returnAllAndLimit } from '../../../shared/fields';
import type { Operation } from '../../../shared/resources';
import { linkList, linkRecord } from '../../service';

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
