// Fields that operations share, and functions that make fields: locators, and collections such as Update Fields.

import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import type { NamedList } from '../lists/namedList';
import type { ParameterValues } from '../values/input';

/** Where the names are looked up that a locator takes. */
export type LookUpList = NamedList | ((parameters: ParameterValues) => NamedList);

export interface NamedMode {
	by: 'alias' | 'name';
	label: string;
	example: string;
}

interface Locator {
	name: string;
	displayName: string;
	/** A name in the node's `methods.listSearch`. */
	search: string;
	description: string;
	required?: boolean;
	/** The mode for a name, or for a short URL or alias. n8n would rename a mode called `url`. */
	named?: NamedMode;
	list?: LookUpList;
}

/** A locator that takes names says where they are looked up. n8n never gets to see it. */
interface LookUpRouting extends INodePropertyRouting {
	list: LookUpList;
}

const lookUpRouting = (list: LookUpList): LookUpRouting => ({ list });

const isLookUp = (routing: INodePropertyRouting | undefined): routing is LookUpRouting =>
	routing !== undefined && 'list' in routing;

/** The lists of the locators that take names, by the names of these, also of those in collections. */
export const listsOf = (fields: readonly INodeProperties[]): Readonly<Record<string, LookUpList>> =>
	Object.fromEntries(
		[...fields, ...fields.flatMap(optionsOf)].flatMap(({ name, routing }) =>
			isLookUp(routing) ? [[name, routing.list] as const] : [],
		),
	);

export function locator({
	name,
	displayName,
	search,
	description,
	required = true,
	named,
	list,
}: Locator): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		...(required ? { required } : {}),
		...(list ? { routing: lookUpRouting(list) } : {}),
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose…',
				typeOptions: { searchListMethod: search, searchable: true },
			},
			...(named ? [named] : []).map(({ by, label, example }) => ({
				displayName: label,
				name: by,
				type: 'string' as const,
				placeholder: `e.g. ${example}`,
			})),
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 42',
			},
		],
	};
}

export function optionalField(field: INodeProperties): INodeProperties {
	const copy = { ...field };
	delete copy.required;
	return copy;
}

export const MAPPED = 'autoMapInputData';

export const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: true,
	// An agent knows what it entered, and mapped columns are always output.
	displayOptions: { hide: { '@tool': [true], '/mappingMode': [MAPPED] } },
	description:
		'Whether to also output the columns of the input item. A value that a result replaces is kept as input_, followed by the name of its column.',
};

export const returnAllAndLimit: readonly INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

export const collectionField =
	(displayName: string, name: string, placeholder: string) =>
	(fields: readonly INodeProperties[]): INodeProperties => ({
		displayName,
		name,
		type: 'collection',
		placeholder,
		default: {},
		options: [...fields],
	});

export const additionalFields = collectionField(
	'Additional Fields',
	'additionalFields',
	'Add Field',
);

export const updateFields = collectionField('Update Fields', 'updateFields', 'Add Field');

export const optionsField = collectionField('Options', 'options', 'Add Option');

export const optionsOf = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.filter((option) => 'type' in option);

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};
