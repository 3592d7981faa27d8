// Fields that operations share, and functions that make fields: locators, and collections such as Update Fields.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { GetParameter } from '../values/input';

export interface NamedMode {
	by: 'alias' | 'name';
	label: string;
	example: string;
}

interface Locator {
	/** Also the placeholder in the path. */
	name: string;
	displayName: string;
	/** A name in the node's `methods.listSearch`. */
	search: string;
	description: string;
	required?: boolean;
	/** The mode for a name, or for a short URL or alias. n8n would rename a mode called `url`. */
	named?: NamedMode;
}

export function locator({
	name,
	displayName,
	search,
	description,
	required = true,
	named,
}: Locator): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		...(required ? { required } : {}),
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

export function optional(field: INodeProperties): INodeProperties {
	const copy = { ...field };
	delete copy.required;
	return copy;
}

/** The option of *Mapping Mode* that fills the fields from columns of the input. */
export const MAPPED = 'autoMapInputData';

export const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: true,
	// An agent knows what it entered.
	displayOptions: { hide: { '@tool': [true] } },
	description:
		'Whether to also output the columns of the input item. One that the result replaces is output as input_ and its name.',
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

/** A collection: its fields exist only when the user adds them. */
export const addable =
	(displayName: string, name: string, placeholder: string) =>
	(fields: readonly INodeProperties[]): INodeProperties => ({
		displayName,
		name,
		type: 'collection',
		placeholder,
		default: {},
		options: [...fields],
	});

export const additionalFields = addable('Additional Fields', 'additionalFields', 'Add Field');

export const updateFields = addable('Update Fields', 'updateFields', 'Add Field');

export const optionsField = addable('Options', 'options', 'Add Option');

export const optionsOf = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.filter((option) => 'type' in option);

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The record with only these members if *Simplify* is on, else all of it. */
export const simplified = (
	record: IDataObject,
	parameter: GetParameter,
	names: readonly string[],
): IDataObject => {
	if (parameter('simplify') !== true) return record;
	const present = names.filter((name) => name in record);
	return Object.fromEntries(present.map((name) => [name, record[name]]));
};
