import type {
	IDisplayOptions,
	IHttpRequestMethods,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Pagination } from './operation';

/**
 * Turns resources and their operations into the properties of a declarative node.
 *
 * n8n goes through all properties for every item, and evaluates what the parameter of that name holds, whether the
 * property is shown or not: where five properties have one name, the user's expressions are evaluated five times. So
 * there are as few as possible: a field that several operations list is one property, and so are collections that
 * differ in nothing but what can be added to them.
 */

/** One operation of the API; the file that holds it is named after its value. */
export interface Operation {
	/** In the dropdown, in title case. */
	name: string;
	/** What saved workflows hold. */
	value: string;
	/** In the node panel, in sentence case. */
	action: string;
	description: string;
	/** The path is that of the API document; a placeholder is named after the parameter that fills it. */
	request: { method: IHttpRequestMethods; url: string };
	pagination: Pagination;
	/** In the order in which the editor shows them. They say nothing of resource and operation: that comes from here. */
	fields: readonly INodeProperties[];
}

export interface Resource {
	/** In the dropdown, in title case and singular. */
	name: string;
	/** What saved workflows hold; the folder that holds its operations is named after it. */
	value: string;
	/** The operation that is chosen at first. */
	defaultOperation: Operation;
	operations: readonly Operation[];
}

/** The properties of a node, from the resources that it offers. */
export function nodeProperties(
	resources: readonly Resource[],
	defaultOperation: string,
): INodeProperties[] {
	const offered = alphabetical(resources);
	return [
		resourceField(offered, defaultOperation),
		...offered.map(operationField),
		...inOrder(withUnitedCollections(offered)).map((place) => shown(place)),
	];
}

/** What stands under a node on the canvas: the operation and the resource, as their dropdowns call them. */
export function subtitle(resources: readonly Resource[]): string {
	const operations = resources.flatMap((resource) => resource.operations);
	return `={{ ${labelExpression('operation', operations)} + ": " + ${labelExpression('resource', resources)} }}`;
}

/** An expression for the name of the option that a parameter holds the value of. */
export function labelExpression(
	parameter: string,
	options: ReadonlyArray<Pick<INodePropertyOptions, 'name' | 'value'>>,
): string {
	const names = Object.fromEntries(
		options.map(({ value, name }) => [String(value), name] as const),
	);
	return `(${JSON.stringify(names)})[$parameter["${parameter}"]]`;
}

const alphabetical = <T extends { name: string }>(named: readonly T[]): T[] =>
	[...named].sort((a, b) => a.name.localeCompare(b.name));

/** Every request of the node goes through the exchange because of what stands here. */
function resourceField(resources: readonly Resource[], defaultOperation: string): INodeProperties {
	return {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: defaultOperation,
		routing: {
			// Without this n8n would not call the exchange, which is the operation's pagination function.
			send: { paginate: true },
		},
	};
}

function operationField(resource: Resource): INodeProperties {
	const { value: defaultOperation } = resource.defaultOperation;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource.value] } },
		options: alphabetical(resource.operations).map(operationOption),
		default: defaultOperation,
	};
}

const operationOption = ({
	name,
	value,
	action,
	description,
	request,
	pagination,
}: Operation): INodePropertyOptions => ({
	name,
	value,
	action,
	description,
	routing: { request, operations: { pagination } },
});

/** Which operations list which fields. */
type Lists = ReadonlyArray<Pick<Resource, 'value'> & { operations: readonly OperationList[] }>;
type OperationList = Pick<Operation, 'value' | 'fields'>;

/** A field, and where it is shown: for each of these operations of each of these resources, as far as there are such. */
interface Placement {
	field: INodeProperties;
	resources: Set<string>;
	operations: Set<string>;
}

/** Each field as few times as it can be shown where it is listed and nowhere else. */
function placements(lists: Lists): Placement[] {
	const placed: Placement[] = [];
	for (const { value: resource, operations } of lists) {
		for (const field of new Set(operations.flatMap(({ fields }) => fields))) {
			const here: Placement = {
				field,
				resources: new Set([resource]),
				operations: new Set(valuesOf(operations.filter(({ fields }) => fields.includes(field)))),
			};
			const index = placed.findIndex((other) => canUnite(lists, here, other));
			const other = placed[index];
			if (other) placed[index] = union(here, other);
			else placed.push(here);
		}
	}
	return placed;
}

const valuesOf = (listed: ReadonlyArray<{ value: string }>): string[] =>
	listed.map(({ value }) => value);

const union = (a: Placement, b: Placement): Placement => ({
	field: a.field,
	resources: new Set([...b.resources, ...a.resources]),
	operations: new Set([...b.operations, ...a.operations]),
});

/** Whether the field would still be shown for no operation that does not list it. */
function canUnite(lists: Lists, a: Placement, b: Placement): boolean {
	if (a.field !== b.field) return false;
	const { field, resources, operations } = union(a, b);
	return lists
		.filter(({ value }) => resources.has(value))
		.flatMap((resource) => resource.operations.filter(({ value }) => operations.has(value)))
		.every(({ fields }) => fields.includes(field));
}

/**
 * The fields in one order that keeps that of every operation.
 * @throws Error if there is none
 */
function inOrder(lists: Lists): Placement[] {
	const left = new Set(placements(lists));
	const waiting = lists.flatMap((resource) =>
		resource.operations.map((operation) =>
			operation.fields.flatMap((field) =>
				[...left].filter((place) => isAt(place, field, resource, operation)),
			),
		),
	);
	const ordered: Placement[] = [];
	while (left.size > 0) {
		// A field's turn comes when it is the next one of every operation that waits for it.
		const next = [...left].find((place) => waiting.every((list) => list.indexOf(place) <= 0));
		if (next === undefined) {
			const names = [...left].map(({ field }) => field.name).join(', ');
			throw new Error(`Operations list the same fields in different orders: ${names}`);
		}
		ordered.push(next);
		left.delete(next);
		for (const list of waiting) if (list[0] === next) list.shift();
	}
	return ordered;
}

function isAt(
	place: Placement,
	field: INodeProperties,
	resource: { value: string },
	operation: { value: string },
): boolean {
	return (
		place.field === field &&
		place.resources.has(resource.value) &&
		place.operations.has(operation.value)
	);
}

/** @param root leads from the field to the parameters of the node: nothing, or a slash inside a collection */
function shown({ field, resources, operations }: Placement, root = ''): INodeProperties {
	// Resource and operation come first: n8n shows a field as soon as one condition meets an expression.
	const displayOptions: IDisplayOptions = {
		...field.displayOptions,
		show: {
			[`${root}resource`]: [...resources],
			[`${root}operation`]: [...operations],
			...field.displayOptions?.show,
		},
	};
	return { ...field, displayOptions };
}

/** The same lists, with one collection in place of those that differ in nothing but their options. */
function withUnitedCollections(lists: Lists): Lists {
	const united = new Map<string, INodeProperties>();
	const unitedWithLike = (field: INodeProperties): INodeProperties => {
		if (field.type !== 'collection') return field;
		const kind = kindOf(field);
		const collection = united.get(kind) ?? { ...field, options: optionsOf(kind, lists) };
		united.set(kind, collection);
		return collection;
	};
	return lists.map(({ value, operations }) => ({
		value,
		operations: operations.map((operation) => ({
			value: operation.value,
			fields: operation.fields.map(unitedWithLike),
		})),
	}));
}

/** What collections have to have in common to be one. */
const kindOf = ({ options: _options, ...rest }: INodeProperties): string => JSON.stringify(rest);

/** All that can be added to the collections of a kind, each option shown where it can. */
function optionsOf(kind: string, lists: Lists): INodeProperties[] {
	const added: Lists = lists.map(({ value, operations }) => ({
		value,
		operations: operations.flatMap((operation) => {
			const collection = operation.fields.find((field) => kindOf(field) === kind);
			const options = (collection?.options ?? []).filter((option) => 'type' in option);
			return collection ? [{ value: operation.value, fields: options }] : [];
		}),
	}));
	const operations = added.flatMap((resource) => resource.operations);
	const isEverywhere = ({ field }: Placement): boolean =>
		operations.every(({ fields }) => fields.includes(field));
	return placements(added)
		.map((place) => (isEverywhere(place) ? place.field : shown(place, '/')))
		.sort((a, b) => a.displayName.localeCompare(b.displayName));
}
