import type { INodeProperties } from 'n8n-workflow';

import { optionsField } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { withoutEmpty } from '../../../shared/operations/sentFields';
import { mapIn } from '../../../shared/values/json';
import { linkList, listFields } from '../../listOperations';
import { linkRecord } from '../../records';

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

const { routing: _routing, ...heldOrder } = orderField;

/**
 * Workflows of 1.0.0 have the order among the options, so only they are shown this collection. n8n reads the condition's
 * `options.order` before it knows what the collection holds, so there is also a hidden field of that name.
 */
const heldOptions: readonly INodeProperties[] = [
	{ displayName: 'Options', name: 'options', type: 'hidden', default: {} },
	{
		...optionsField([heldOrder]),
		displayOptions: { show: { '/options.order': [{ _cnd: { exists: true } }] } },
	},
];

export const linkGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many short links',
	description: 'List the short links of the account',
	request: { method: 'GET', url: '/api/urls' },
	pagination: linkList('urls', linkRecord, (query, { read }) => ({
		...query,
		// Workflows of 1.0.0 have the order among the options.
		...withoutEmpty({ order: mapIn(read('options')).order }),
	})),
	fields: listFields('urls', orderField, ...heldOptions),
};
