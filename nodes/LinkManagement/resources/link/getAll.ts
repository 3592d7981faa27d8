import type { INodeProperties } from 'n8n-workflow';

import { returnAllAndLimit, shownFor } from '../../../shared/fields';

const show = { resource: 'link', operations: ['getAll'] };

export const linkGetAllFields: INodeProperties[] = [
	...returnAllAndLimit(show),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: shownFor(show),
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
];
