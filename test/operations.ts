import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { LinkManagement } from '../dist/nodes/LinkManagement/LinkManagement.node.js';
import { resources as linkResources } from '../dist/nodes/LinkManagement/resources/index.js';
import { Store } from '../dist/nodes/Store/Store.node.js';
import { resources as storeResources } from '../dist/nodes/Store/resources/index.js';

/** The operations that the nodes offer, as n8n reads them: what the tests hold their own lists to. */

export const OPERATION_NODES = {
	linkManagement: {
		folder: 'LinkManagement',
		node: new LinkManagement(),
		resources: linkResources,
	},
	store: { folder: 'Store', node: new Store(), resources: storeResources },
} as const;
type OperationNode = keyof typeof OPERATION_NODES;

interface OfferedOperation {
	node: OperationNode;
	/** `link.create` */
	name: string;
	/** Its entry in the dropdown. */
	option: INodePropertyOptions;
	/** What the editor shows for it, as far as that depends on the operation, with where each is sent, which n8n is not told. */
	fields: INodeProperties[];
	/** What its own file says that it has. */
	listed: readonly INodeProperties[];
}

export const choicesOf = (field: INodeProperties): INodePropertyOptions[] =>
	(field.options ?? []).filter((option) => 'value' in option);

export const OPERATIONS: OfferedOperation[] = (['linkManagement', 'store'] as const).flatMap(
	(node) =>
		OPERATION_NODES[node].resources.flatMap(({ value: resource, operations }) =>
			operations.map(({ value: operation, fields: listed }) => ({
				node,
				name: `${resource}.${operation}`,
				option: optionOf(node, resource, operation),
				fields: routed(
					fieldsOf(OPERATION_NODES[node].node.description.properties, resource, operation),
					listed,
				),
				listed,
			})),
		),
);

function optionOf(node: OperationNode, resource: string, operation: string): INodePropertyOptions {
	const { properties } = OPERATION_NODES[node].node.description;
	const dropdown = properties.find(
		(field) => field.name === 'operation' && isShown(field, { resource }),
	);
	const option = dropdown && choicesOf(dropdown).find(({ value }) => value === operation);
	if (!option) throw new Error(`No dropdown of ${node} offers ${resource}.${operation}`);
	return option;
}

/** The fields that an operation has, collections with what can be added to them there. */
function fieldsOf(
	properties: INodeProperties[],
	resource: string,
	operation: string,
): INodeProperties[] {
	const chosen = { resource, operation };
	const inside = { '/resource': resource, '/operation': operation };
	return properties
		.filter(({ name, type }) => !['resource', 'operation'].includes(name) && type !== 'hidden')
		.filter((field) => isShown(field, chosen))
		.map((field) => {
			if (field.type !== 'collection') return field;
			return {
				...field,
				options: addedTo(field.options).filter((option) => isShown(option, inside)),
			};
		});
}

/** The fields with the routing that the operation's file gives them. */
function routed(
	fields: readonly INodeProperties[],
	listed: readonly INodeProperties[],
): INodeProperties[] {
	return fields.map((field) => {
		const { routing, options } = listed.find(({ name }) => name === field.name) ?? {};
		const sent = routing ? { ...field, routing } : field;
		if (field.type !== 'collection') return sent;
		return { ...sent, options: routed(addedTo(field.options), addedTo(options)) };
	});
}

/** The fields with their paths, those that can be added to a collection, too. */
export const placesIn = (
	fields: readonly INodeProperties[],
	start = '',
): Array<{ path: string; field: INodeProperties }> =>
	fields.flatMap((field) => {
		const path = `${start}${field.name}`;
		return field.type === 'collection'
			? placesIn(addedTo(field.options), `${path}.`)
			: [{ path, field }];
	});

function addedTo(options: INodeProperties['options'] = []): INodeProperties[] {
	return options.filter((option) => 'type' in option);
}

/** Whether what was chosen lets a field be shown; what else it depends on is left out. */
function isShown(field: INodeProperties, chosen: Record<string, string>): boolean {
	const conditions = field.displayOptions?.show ?? {};
	return Object.entries(chosen).every(
		([name, value]) => conditions[name]?.some((allowed) => allowed === value) ?? true,
	);
}
