import type { INodeProperties } from 'n8n-workflow';

import type { Operation, Resource } from '../../dist/nodes/shared/operations/nodeProperties.js';
import {
	labelExpression,
	nodeProperties,
	subtitle,
} from '../../dist/nodes/shared/operations/nodeProperties.js';

/** How resources and operations become the properties of a node. */

const text = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: name.toUpperCase(),
	name,
	type: 'string',
	default: '',
	...more,
});

const collection = (...options: INodeProperties[]): INodeProperties =>
	text('additionalFields', { type: 'collection', default: {}, options });

const operation = (value: string, ...fields: INodeProperties[]): Operation => ({
	name: value.toUpperCase(),
	value,
	action: `${value} it`,
	description: `What ${value} does`,
	request: { method: 'GET', url: `/api/${value}` },
	pagination: () => async () => await Promise.resolve([]),
	fields,
});

const resource = (value: string, ...operations: Operation[]): Resource => {
	const [defaultOperation = operation('none')] = operations;
	return { name: value.toUpperCase(), value, defaultOperation, operations };
};

/** The fields, with where they are shown. */
function fieldsOf(...resources: Resource[]) {
	return nodeProperties(resources, resources[0]?.value ?? '')
		.filter(({ name }) => name !== 'resource' && name !== 'operation')
		.map(({ name, displayOptions }) => [name, displayOptions?.show]);
}

const id = text('id');
const limit = text('limit');

describe('A field that several operations list', () => {
	test('is one for the operations of a resource', () => {
		expect(fieldsOf(resource('link', operation('get', id), operation('delete', id)))).toEqual([
			['id', { resource: ['link'], operation: ['get', 'delete'] }],
		]);
	});

	test('is one for each resource', () => {
		expect(
			fieldsOf(
				resource('channel', operation('getAll', limit), operation('getItems', id, limit)),
				resource('link', operation('getAll', limit)),
			),
		).toEqual([
			['id', { resource: ['channel'], operation: ['getItems'] }],
			['limit', { resource: ['channel'], operation: ['getAll', 'getItems'] }],
			['limit', { resource: ['link'], operation: ['getAll'] }],
		]);
	});

	test('stands in the order of each operation, the longest first', () => {
		const all = resource(
			'link',
			operation('a', id),
			operation('b', limit),
			operation('c', limit, id),
		);
		expect(fieldsOf(all).map(([name]) => name)).toEqual(['limit', 'id']);
	});

	test('is two where they are two objects, however alike', () => {
		expect(
			fieldsOf(resource('link', operation('get', text('id')), operation('delete', text('id')))),
		).toHaveLength(2);
	});
});

test('what else a field depends on comes after resource and operation', () => {
	const show = { returnAll: [false] };
	const [[, conditions] = []] = fieldsOf(
		resource('link', operation('getAll', text('limit', { displayOptions: { show } }))),
	);
	expect(Object.keys(conditions ?? {})).toEqual(['resource', 'operation', 'returnAll']);
});

describe('Collections of one kind', () => {
	const optionsOf = (...resources: Resource[]) => {
		const properties = nodeProperties(resources, 'link');
		const [found, ...others] = properties.filter(({ name }) => name === 'additionalFields');
		expect(others).toEqual([]);
		return (found?.options ?? []).map((option) =>
			'displayOptions' in option ? [option.name, option.displayOptions.show] : [option.name],
		);
	};

	test('are one, in which everything can be added where it is listed', () => {
		expect(
			optionsOf(
				resource('link', operation('create', collection(text('title'), text('alias')))),
				resource('pixel', operation('create')),
				resource('qr', operation('create', collection(text('logo')))),
			),
		).toEqual([
			['alias', { '/resource': ['link'], '/operation': ['create'] }],
			['logo', { '/resource': ['qr'], '/operation': ['create'] }],
			['title', { '/resource': ['link'], '/operation': ['create'] }],
		]);
	});

	test('need no condition for what all of them hold', () => {
		const title = text('title');
		expect(
			optionsOf(
				resource('link', operation('create', collection(title))),
				resource('qr', operation('create', collection(title)), operation('delete')),
			),
		).toEqual([['title']]);
	});
});

test('a collection that depends on another field is not merged with the others of its name', () => {
	const show = { order: ['date'] };
	const held = text('options', { type: 'collection', default: {}, displayOptions: { show } });
	const options = text('options', { type: 'collection', default: {} });
	const lists = operation('getAll', held, collection(), limit);
	expect(fieldsOf(resource('link', lists, operation('create', options)))).toEqual([
		['limit', { resource: ['link'], operation: ['getAll'] }],
		['additionalFields', { resource: ['link'], operation: ['getAll'] }],
		['options', { resource: ['link'], operation: ['getAll'], ...show }],
		['options', { resource: ['link'], operation: ['create'] }],
	]);
});

test('the dropdowns are in alphabetical order', () => {
	const [resources, ...operations] = nodeProperties(
		[resource('link', operation('get'), operation('create')), resource('campaign', operation('x'))],
		'link',
	);
	const names = (field?: INodeProperties) => (field?.options ?? []).map(({ name }) => name);
	expect(names(resources)).toEqual(['CAMPAIGN', 'LINK']);
	expect(operations.map(names)).toEqual([['X'], ['CREATE', 'GET']]);
	const dropdown = { type: 'options', noDataExpression: true };
	expect(resources).toMatchObject({ ...dropdown, routing: { send: { paginate: true } } });
	expect(operations[1]).toMatchObject({
		...dropdown,
		displayOptions: { show: { resource: ['link'] } },
		default: 'get',
		options: [
			{
				action: 'create it',
				routing: {
					request: { method: 'GET', url: '/api/create' },
					operations: { pagination: expect.any(Function) as unknown },
				},
			},
			{ action: 'get it' },
		],
	});
});

test('a label that holds quotes is quoted in the expression', () => {
	expect(labelExpression('event', [{ name: 'A "new" one', value: 'new' }])).toBe(
		'({"new":"A \\"new\\" one"})[$parameter["event"]]',
	);
	expect(subtitle([resource('link', operation('get'))])).toBe(
		'={{ ({"get":"GET"})[$parameter["operation"]] + ": " + ({"link":"LINK"})[$parameter["resource"]] }}',
	);
});
