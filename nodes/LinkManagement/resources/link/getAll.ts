// *Get Many* of links.

import type { INodeProperties } from 'n8n-workflow';

import { type Operation } from '../../../shared/operations/operation';
import { inQuery } from '../../../shared/operations/requestFields';
import { getMany } from '../../getMany';
import { links } from '../../serviceLists';

const orderField: INodeProperties = {
	displayName: 'Order By',
	name: 'order',
	type: 'options',
	options: [
		{ name: 'Service Default', value: '' },
		{ name: 'Clicks', value: 'click' },
		{ name: 'Date', value: 'date' },
	],
	default: '',
	description: 'What to sort the links by; the service decides the direction',
	routing: inQuery('order'),
};

export const getAll: Operation = {
	...getMany(links, [orderField]),
	action: 'Get many short links',
	description: 'Return the short links of the account with their clicks, one item each',
};
