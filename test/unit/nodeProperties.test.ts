import type { INodeProperties } from 'n8n-workflow';

import type { Operation, Resource } from '../../dist/nodes/shared/operations/nodeProperties.js';
import { nodeProperties } from '../../dist/nodes/shared/operations/nodeProperties.js';

/** How resources and operations become the properties of a node. */

const text = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
	...{ displayName: name.toUpperCase(), name, type: 'string', default: '' },
	...more,
});

const collection = (...options: INodeProperties[]): INodeProperties =>
	text('additionalFields', { type: 'collection', default: {}, options });

const operation = (value: string, ...fields: INodeProperties[]): Operation => ({
	...{ name: value.toUpperCase(), value, action: `${value} it`, description: `What ${value} does` },
	request: { method: 'GET', url: `/api/${value}` },
	pagination: () => async () => await Promise.resolve([]),
	fields,
});

const resource = (value: string, ...operations: Operation[]): Resource => {
	const [defaultOperation = operation('none')] = operations;
	return { name: value.toUpperCase(), value, defaultOperation, operations };
};

const [id, limit, title] = [text('id'), text('limit'), text('title')];
const returnAll = { returnAll: [false] };
const isDate = { 'options.order': ['date'] };
const [hidden, options] = (['hidden', 'collection'] as const).map((type) =>
	text('options', { type, default: {} }),
) as [INodeProperties, INodeProperties];
const dated = { ...options, displayOptions: { show: isDate } };

/** Each field with the conditions under which it is shown: the resource, its operations, and others. */
test.each<
	[
		string,
		Resource[],
		...Array<[name: string, resource: string, operations: string, more?: object]>,
	]
>([
	[
		'a field is one for the operations of a resource',
		[resource('link', operation('get', id), operation('delete', id))],
		['id', 'link', 'get delete'],
	],
	[
		'and one for each resource',
		[
			resource('channel', operation('getAll', limit), operation('getItems', id, limit)),
			resource('link', operation('getAll', limit)),
		],
		['id', 'channel', 'getItems'],
		['limit', 'channel', 'getAll getItems'],
		['limit', 'link', 'getAll'],
	],
	[
		'fields are in the order of each operation, the longest first',
		[resource('link', operation('a', id), operation('b', limit), operation('c', limit, id))],
		['limit', 'link', 'b c'],
		['id', 'link', 'a c'],
	],
	[
		'two equal objects are two fields',
		[resource('link', operation('get', id), operation('delete', { ...id }))],
		['id', 'link', 'get'],
		['id', 'link', 'delete'],
	],
	[
		'other conditions come after resource and operation',
		[resource('link', operation('get', { ...limit, displayOptions: { show: returnAll } }))],
		['limit', 'link', 'get', returnAll],
	],
	[
		'a collection with conditions of its own is a field',
		[resource('link', operation('getAll', limit, hidden, dated), operation('create', options))],
		['limit', 'link', 'getAll'],
		['options', 'link', 'getAll'],
		['options', 'link', 'getAll', isDate],
		['options', 'link', 'create'],
	],
])('%s', (_what, resources, ...fields) => {
	const shown = nodeProperties(resources, resources[0]?.value ?? '')
		.filter(({ name }) => name !== 'resource' && name !== 'operation')
		.map(({ name, displayOptions }) => [name, Object.entries(displayOptions?.show ?? {})]);
	expect(shown).toEqual(
		fields.map(([name, on, operations, more = {}]) => {
			const chosen = { resource: [on], operation: operations.split(' ') };
			return [name, Object.entries({ ...chosen, ...more })];
		}),
	);
});

const at = (value: string) => ({ '/resource': [value], '/operation': ['create'] });

test.each<[string, Resource[], ...Array<[name: string, show?: object]>]>([
	[
		'are one, with every option where it is listed',
		[
			resource('link', operation('create', collection(title, text('alias')))),
			resource('pixel', operation('create')),
			resource('qr', operation('create', collection(text('logo')))),
		],
		['alias', at('link')],
		['logo', at('qr')],
		['title', at('link')],
	],
	[
		'need no condition for what all of them have',
		[
			resource('link', operation('create', collection(title))),
			resource('qr', operation('create', collection(title)), operation('delete')),
		],
		['title'],
	],
])('collections of one name %s', (_what, resources, ...expected) => {
	const found = nodeProperties(resources, 'link').filter(({ name }) => name === 'additionalFields');
	const shown = found.map(({ options = [] }) =>
		options.map((option) =>
			'displayOptions' in option ? [option.name, option.displayOptions.show] : [option.name],
		),
	);
	expect(shown).toEqual([expected]);
});

test('resources are in the order of their list, operations in alphabetical order', () => {
	const [resources, ...operations] = nodeProperties(
		[resource('link', operation('get'), operation('create')), resource('campaign', operation('x'))],
		'link',
	);
	const names = (field?: INodeProperties) => (field?.options ?? []).map(({ name }) => name);
	expect(names(resources)).toEqual(['LINK', 'CAMPAIGN']);
	expect(operations.map(names)).toEqual([['CREATE', 'GET'], ['X']]);
	const dropdown = { type: 'options', noDataExpression: true };
	expect(resources).toMatchObject({ ...dropdown, routing: { send: { paginate: true } } });
	const routing = {
		request: { method: 'GET', url: '/api/create' },
		operations: { pagination: expect.any(Function) as unknown },
	};
	expect(operations[0]).toMatchObject({
		...{ ...dropdown, default: 'get', displayOptions: { show: { resource: ['link'] } } },
		options: [{ action: 'create it', routing }, { action: 'get it' }],
	});
});
