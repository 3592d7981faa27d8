// Builds the properties of a node from its resources and their operations.

import { type INodeProperties, NodeOperationError } from 'n8n-workflow';

import type { Service } from '../http/connection';
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
		...resources.flatMap(({ value, operations }) =>
			operations.flatMap((operation) => fieldsOf(value, operation)),
		),
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

function fieldsOf(resource: string, { value, fields }: Operation): INodeProperties[] {
	return fields.map((field) => {
		// Resource and operation come first: n8n shows a field as soon as one condition meets an expression.
		const show = { resource: [resource], operation: [value], ...field.displayOptions?.show };
		return { ...unsent(field), displayOptions: { ...field.displayOptions, show } };
	});
}

/** A field without where it is sent or looked up: n8n would evaluate each field that it sends twice more for every item. */
export function unsent(field: INodeProperties): INodeProperties {
	const copy = { ...field };
	delete copy.routing;
	if (field.type === 'collection')
		copy.options = optionsOf(field)
			.map(unsent)
			.sort((a, b) => orderKey(a).localeCompare(orderKey(b)));
	return copy;
}

/** The alphabet, after the tags of a link. */
const orderKey = ({ name, displayName }: INodeProperties): string =>
	`${name === 'utm' ? 0 : 1} ${displayName}`;
