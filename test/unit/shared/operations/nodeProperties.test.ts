import type { INodeProperties } from 'n8n-workflow';

import { additionalFields, optionsField } from '../../../../dist/nodes/shared/operations/fields.js';
import { nodeProperties } from '../../../../dist/nodes/shared/operations/nodeProperties.js';
import type { Operation, Resource } from '../../../../dist/nodes/shared/operations/operation.js';
import { resource } from '../../../../dist/nodes/shared/operations/operation.js';
import type { OperationData } from '../../../../dist/nodes/shared/operations/operationPlan.js';
import type { RunOperation } from '../../../../dist/nodes/shared/operations/runOperation.js';
import { inBody } from '../../../../dist/nodes/shared/operations/sentFields.js';

/** The panel of a node with two resources, built from the data of their operations. */

const field = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: name.toUpperCase(),
	name,
	type: 'string',
	default: '',
	...more,
});

const [tag, url, alias, note] = ['tag', 'url', 'alias', 'note'].map((name) => field(name));
if (!tag || !url || !alias || !note) throw new Error('no fields');
const sent = field('sent', { routing: inBody('sent'), displayOptions: { show: { url: ['a'] } } });

const planned: OperationData[] = [];
const pagination = ((data: OperationData) => {
	planned.push(data);
	return 'runs';
}) as unknown as RunOperation;

const operation = (name: string, fields: readonly INodeProperties[]): Operation => ({
	name: `Name of ${name}`,
	value: name,
	action: `Do ${name}`,
	description: `About ${name}`,
	request: { method: 'GET', url: `/api/${name}` },
	pagination,
	fields,
});

const get = operation('get', [url, optionsField([tag])]);
const add = operation('add', [
	alias,
	url,
	sent,
	additionalFields([note, tag]),
	optionsField([alias]),
]);
const find = operation('find', [tag, optionsField([note])]);
const change = operation('change', [url, additionalFields([tag])]);

const links: Resource = resource('Link', 'link', get, { get, add });
const items: Resource = resource('Item', 'item', change, { find, change });

const panel = () => nodeProperties([links, items], 'item');
const named = (name: string) => panel().filter((property) => property.name === name);
const optionsIn = (property: INodeProperties | undefined) => property?.options as INodeProperties[];
const shownFor = (property: INodeProperties | undefined) => property?.displayOptions?.show;

test('the resources come first, then their operations, fields and collections', () => {
	expect(panel().map(({ name }) => name)).toEqual([
		...['resource', 'operation', 'operation'],
		...['alias', 'url', 'sent', 'tag'],
		...['additionalFields', 'options', 'options'],
	]);
});

test('Resource offers each of them, and leaves the requests to the operations', () => {
	expect(named('resource')).toEqual([
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Link', value: 'link' },
				{ name: 'Item', value: 'item' },
			],
			default: 'item',
			routing: { send: { paginate: true } },
		},
	]);
});

test('Operation offers those of the resource by their names, each with what runs it', () => {
	const routing = (name: string) => ({
		request: { method: 'GET', url: `/api/${name}` },
		operations: { pagination: 'runs' },
	});
	const offered = (name: string) => ({
		name: `Name of ${name}`,
		value: name,
		action: `Do ${name}`,
		description: `About ${name}`,
		routing: routing(name),
	});
	const field = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
	};
	expect(named('operation')).toEqual([
		{
			...field,
			displayOptions: { show: { resource: ['link'] } },
			options: [offered('add'), offered('get')],
			default: 'get',
		},
		{
			...field,
			displayOptions: { show: { resource: ['item'] } },
			options: [offered('change'), offered('find')],
			default: 'change',
		},
	]);
	expect(planned).toContainEqual({
		request: { method: 'GET', url: '/api/add' },
		fields: add.fields,
	});
});

test('a field that operations share is one property, shown in all of them', () => {
	expect(named('url').map(shownFor)).toEqual([
		{ resource: ['link', 'item'], operation: ['get', 'add', 'change'] },
	]);
	expect(named('tag').map(shownFor)).toEqual([{ resource: ['item'], operation: ['find'] }]);
});

test('a field keeps its own conditions, and n8n does not see where it is sent', () => {
	expect(named('sent')).toEqual([
		{
			...field('sent'),
			displayOptions: { show: { resource: ['link'], operation: ['add'], url: ['a'] } },
		},
	]);
	expect(sent.routing).toBeDefined();
});

test('collections are merged, and their options shown where they apply', () => {
	const [more] = named('additionalFields');
	expect(shownFor(more)).toEqual({ resource: ['link', 'item'], operation: ['add', 'change'] });
	expect(optionsIn(more).map((option) => [option.name, shownFor(option)])).toEqual([
		['note', { '/resource': ['link'], '/operation': ['add'] }],
		['tag', undefined],
	]);
});

test('Options are merged within a resource', () => {
	expect(named('options').map(shownFor)).toEqual([
		{ resource: ['link'], operation: ['get', 'add'] },
		{ resource: ['item'], operation: ['find'] },
	]);
	const names = named('options').map((each) => optionsIn(each).map(({ name }) => name));
	expect(names).toEqual([['alias', 'tag'], ['note']]);
});

test('fields whose orders contradict each other are all there', () => {
	const one = operation('one', [tag, url]);
	const two = operation('two', [url, tag]);
	const both = nodeProperties([resource('Both', 'both', one, { one, two })], 'both');
	expect(both.map(({ name }) => name)).toEqual(['resource', 'operation', 'tag', 'url']);
});

test('a collection of another name is a field', () => {
	const other = { ...additionalFields([tag]), name: 'others' };
	const only = operation('only', [other, url]);
	const all = nodeProperties([resource('One', 'one', only, { only })], 'one');
	expect(all.map(({ name }) => name)).toEqual(['resource', 'operation', 'others', 'url']);
	expect(optionsIn(all[2]).map(({ name }) => name)).toEqual(['tag']);
});
