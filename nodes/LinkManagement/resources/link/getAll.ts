import type { INodeProperties } from 'n8n-workflow';

import { ifHeld, returnAllAndLimit } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { withoutEmpty } from '../../../shared/operations/sentFields';
import { mapIn } from '../../../shared/values/json';
import { linkRecord } from '../../records';
import { linkList } from '../../results';

const orderField: INodeProperties = {
	displayName: 'Order By',
	name: 'order',
	type: 'options',
	options: [
		{ name: 'As the Service Does', value: '' },
		{ name: 'Clicks', value: 'click' },
		{ name: 'Date', value: 'date' },
	],
	default: '',
	description: 'What to sort the links by; the service decides the direction',
	routing: { send: { type: 'query', property: 'order' } },
};

export const linkGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many short links',
	description: 'List the short links of the account',
	request: { method: 'GET', url: '/api/urls' },
	pagination: linkList('urls', linkRecord, (query, { read }) => ({
		...query,
		// Workflows of 1.0.0 hold the order among the options.
		...withoutEmpty({ order: mapIn(read('options')).order }),
	})),
	fields: [
		...returnAllAndLimit,
		orderField,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [ifHeld(orderField)],
		},
	],
};
