import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyOptions,
	INodePropertyRouting,
} from 'n8n-workflow';

/** Where a field is shown: for these operations of one resource. */
export interface Shown {
	resource: string;
	operations: readonly string[];
}

export function shownFor({ resource, operations }: Shown): IDisplayOptions {
	return { show: { resource: [resource], operation: [...operations] } };
}

/** Sends a field's value in the body, under the name that the API document has for it. */
export function inBody(property: string): INodePropertyRouting {
	return { send: { type: 'body', property } };
}

/** The node's resource dropdown; every request of the node goes through the exchange because of what stands here. */
export function resourceField(
	options: INodePropertyOptions[],
	preselected: string,
): INodeProperties {
	return {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options,
		default: preselected,
		routing: {
			// Without this n8n would not call the exchange, which is the node's pagination function.
			send: { paginate: true },
		},
	};
}

/** The operation dropdown of one resource. */
export function operationField(
	resource: string,
	options: INodePropertyOptions[],
	preselected: string,
): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options,
		default: preselected,
	};
}

interface LocatorOptions {
	/** Of the parameter, as the paths name it. */
	name: string;
	displayName: string;
	/** The list search behind its dropdown, a name in the node's `methods.listSearch`. */
	search: string;
	description: string;
	show?: Shown;
	required?: boolean;
}

/** A field that picks a record: from a searched list, or by its id. */
export function locator({
	name,
	displayName,
	search,
	description,
	show,
	required = true,
}: LocatorOptions): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required,
		description,
		...(show === undefined ? {} : { displayOptions: shownFor(show) }),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose…',
				typeOptions: { searchListMethod: search, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 42',
				validation: [
					{
						type: 'regex',
						properties: {
							regex: '^\\s*[1-9][0-9]*\\s*$',
							errorMessage: 'An ID is a positive whole number',
						},
					},
				],
			},
		],
	};
}

/** How many records a list operation returns. */
export function returnAllAndLimit(show: Shown): INodeProperties[] {
	const { resource, operations } = show;
	return [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
			displayOptions: shownFor(show),
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			displayOptions: {
				show: { resource: [resource], operation: [...operations], returnAll: [false] },
			},
		},
	];
}

interface SuggestedName {
	name: string;
	displayName: string;
	placeholder: string;
	description: string;
	/** The list of the usual names, a name in the node's `methods.listSearch`. */
	search: string;
}

/** A text field with a list of the usual names beside it; the API documents leave open which there are. */
export function suggestedName({
	name,
	displayName,
	placeholder,
	description,
	search,
}: SuggestedName): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose…',
				typeOptions: { searchListMethod: search, searchable: true },
			},
			{ displayName: 'By Name', name: 'name', type: 'string', placeholder },
		],
	};
}
