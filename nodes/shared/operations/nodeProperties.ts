// Builds the properties of a node from its resources and their operations. n8n evaluates all of them for every item, so those of
// the same name are merged.

import { type INodeProperties, NodeOperationError } from 'n8n-workflow';

import type { Service } from '../http/service';
import { optionsOf } from './panelFields';
import type { Operation, Resource } from './operation';
import { type Pagination, executeOperation } from './execute';

/** The operation and the resource in words, such as `create or update: link`. */
export const SUBTITLE =
	'={{ ($parameter["operation"].replace("upsert", "createOrUpdate").replace("getAll", "getMany") + ": " + $parameter["resource"]).replace(/[A-Z]/g, " $&").toLowerCase() }}';

export function nodeProperties(
	service: Service,
	resources: readonly Resource[],
	defaultResource: string,
): INodeProperties[] {
	return [
		resourceField(resources, defaultResource),
		...resources.map((resource) => operationField(service, resource)),
		...fieldsOf(resources),
		...collectionsOf(resources),
	];
}

function resourceField(resources: readonly Resource[], defaultResource: string): INodeProperties {
	return {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: defaultResource,
		// Without this n8n would send the request itself, and not call the pagination function of the operation.
		routing: { send: { paginate: true } },
	};
}

function operationField(
	service: Service,
	{ value: resource, defaultOperation, operations }: Resource,
): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map((operation) => {
			const { name, value, action, description, request } = operation;
			const pagination = executeOperation(service, operation);
			return { name, value, action, description, routing: { request, operations: { pagination } } };
		}),
		default: defaultOperation,
	};
}

/** What n8n calls if a workflow that was written by hand or by a model names an operation that does not exist. */
export const unknownOperation: Pagination = async function (this) {
	const advice = { description: 'Pick both from the lists' };
	return await Promise.reject(
		new NodeOperationError(this.getNode(), 'There is no such Resource or Operation', advice),
	);
};

interface ListedField {
	resource: string;
	operation: string;
	field: INodeProperties;
}

const listedFields = (resources: readonly Resource[]): ListedField[] =>
	resources.flatMap(({ value: resource, operations }) =>
		operations.flatMap(({ value: operation, fields }) =>
			fields.map((field) => ({ resource, operation, field })),
		),
	);

const COLLECTIONS = ['additionalFields', 'updateFields', 'filters', 'options'];

const isCollection = ({ name, type }: INodeProperties): boolean =>
	COLLECTIONS.includes(name) && type === 'collection';

function fieldsOf(resources: readonly Resource[]): INodeProperties[] {
	const listed = listedFields(resources);
	const operations = resources.flatMap((resource) => resource.operations);
	const fields = inOrder(operations).filter((field) => !isCollection(field));
	return fields.map((field) => {
		const having = listed.filter((each) => each.field === field);
		return shownIn(having, field);
	});
}

/** The fields of all operations in an order that fits each: next comes one that no operation has after another field. */
function inOrder(operations: readonly Operation[]): INodeProperties[] {
	const ordered: INodeProperties[] = [];
	let left = operations.map(({ fields }) => fields);
	for (;;) {
		const firsts = left.flatMap(([first]) => first ?? []);
		const fitting = firsts.find((first) => left.every((fields) => fields.indexOf(first) < 1));
		const next = fitting ?? firsts[0];
		if (next === undefined) return ordered;
		ordered.push(next);
		left = left.map((fields) => fields.filter((field) => field !== next));
	}
}

/** Collections of a name are one property. *Options* only within a resource, or some operations would get an empty box. */
function collectionsOf(resources: readonly Resource[]): INodeProperties[] {
	const listed = listedFields(resources).filter(({ field }) => isCollection(field));
	const groups = new Map<string, ListedField[]>();
	for (const each of listed) {
		const { name, displayOptions } = each.field;
		const key = JSON.stringify([name, displayOptions, name === 'options' ? each.resource : '']);
		groups.set(key, [...(groups.get(key) ?? []), each]);
	}
	const merged = [...groups.values()].flatMap(mergedCollection);
	return merged.sort((a, b) => COLLECTIONS.indexOf(a.name) - COLLECTIONS.indexOf(b.name));
}

/** One property of collections with the same name. A field that not all of them have says which operations do. */
function mergedCollection(group: readonly ListedField[]): INodeProperties[] {
	const [first] = group;
	if (!first) return [];
	const added = new Set(group.flatMap(({ field }) => optionsOf(field)));
	const options = [...added].map((option) => {
		const having = group.filter(({ field }) => optionsOf(field).includes(option));
		return having.length === group.length ? option : shownIn(having, option, '/');
	});
	options.sort((a, b) => orderKey(a).localeCompare(orderKey(b)));
	return [shownIn(group, { ...first.field, options })];
}

/** The alphabet, after the tags of a link. */
const orderKey = ({ name, displayName }: INodeProperties): string =>
	`${name === 'utm' ? 0 : 1} ${displayName}`;

function shownIn(
	listed: readonly ListedField[],
	field: INodeProperties,
	root = '',
): INodeProperties {
	// Resource and operation come first: n8n shows a field as soon as one condition meets an expression.
	const show = {
		[`${root}resource`]: [...new Set(listed.map(({ resource }) => resource))],
		[`${root}operation`]: [...new Set(listed.map(({ operation }) => operation))],
		...field.displayOptions?.show,
	};
	return { ...unsent(field), displayOptions: { ...field.displayOptions, show } };
}

/** A field without where it is sent or looked up: n8n would evaluate each field that it sends twice more for every item. */
export function unsent(field: INodeProperties): INodeProperties {
	const copy = { ...field };
	delete copy.routing;
	if (field.type === 'collection') copy.options = optionsOf(field).map(unsent);
	return copy;
}
