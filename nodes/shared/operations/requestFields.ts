// Where fields are sent: `inBody` and `inQuery` declare it, `operationFields` finds those of an operation. rowValues.ts reads them.

import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { parseLine, parseRequiredLine } from '../values/input';
import type { Operation, Row } from './operation';
import { listsOf, optionsOf } from './panelFields';

type Value = IDataObject[string];

/** Turns what was entered into what the API takes. @throws Failure that names the field by its label */
type ParseField = (label: string, value: unknown, row: Row) => Value;

/** Where the value of a field is sent, under its API name, `property`, and how it is parsed. n8n never gets to see it. */
interface RequestRouting extends INodePropertyRouting {
	send: { type: 'body' | 'query'; property: string };
	parse: ParseField;
	/** What an update sends to empty the field; undefined if the API does not take it empty. */
	cleared: Value;
	/** Whether an expression may give a value that the field does not offer. */
	isOpen?: true;
	/** Whether its members are sent, not itself. */
	isExtra?: true;
}

export const inBody = (
	property: string,
	parse: ParseField = parseLine,
	cleared?: '' | [],
): RequestRouting => ({
	send: { type: 'body', property },
	parse,
	cleared,
});

export const inQuery = (property: string, parse: ParseField = parseLine): RequestRouting => ({
	...inBody(property, parse),
	send: { type: 'query', property },
});

/** The value of a dropdown, of which a service may know more: an expression may give any other. */
export const inAnyChoice = (property: string): RequestRouting => ({
	...inBody(property, parseRequiredLine),
	isOpen: true,
});

/** Where a JSON field is sent whose members are sent beside those of the other fields. */
export const inExtra = (
	type: 'body' | 'query',
	property: string,
	parse: ParseField,
): RequestRouting => ({
	...inBody(property, parse),
	send: { type, property },
	isExtra: true,
});

const isRequestRouting = (routing: INodePropertyRouting | undefined): routing is RequestRouting =>
	routing !== undefined && 'parse' in routing;

export interface RequestField {
	field: INodeProperties;
	routing: RequestRouting;
	/** The name of the collection that it can be added to. */
	collection: string | undefined;
}

function fieldsFor(
	fields: readonly INodeProperties[],
	type: 'body' | 'query',
	collection?: string,
): RequestField[] {
	return fields.flatMap((field) => {
		const { routing, name } = field;
		const isSent = isRequestRouting(routing) && routing.send.type === type;
		const added = field.type === 'collection' && collection === undefined ? optionsOf(field) : [];
		return [...(isSent ? [{ field, routing, collection }] : []), ...fieldsFor(added, type, name)];
	});
}

export type OperationFields = ReturnType<typeof operationFields>;

export const PLACEHOLDER = /:([A-Za-z]+)/g;

/** What the path and the fields of an operation say, the same for every row. */
export function operationFields(operation: Operation) {
	const { request, fields } = operation;
	const placeholders = Array.from(request.url.matchAll(PLACEHOLDER), ([, name = '']) => name);
	return {
		operation,
		/** Those that fill the path, beside options. */
		locators: placeholders.flatMap((placeholder) =>
			fields.filter(({ name, type }) => name === placeholder && type === 'resourceLocator'),
		),
		lists: listsOf(fields),
		body: fieldsFor(fields, 'body'),
		query: fieldsFor(fields, 'query'),
		/** Whether a request without any field is refused. */
		isUpdate: fields.some(({ name }) => name === 'updateFields'),
	};
}

/** *Clear Fields*, if the API takes any of these fields empty. */
export function clearFields(fields: readonly INodeProperties[]): INodeProperties[] {
	const options = fields
		.filter(({ routing }) => isRequestRouting(routing) && routing.cleared !== undefined)
		.map(({ displayName, name }) => ({ name: displayName, value: name }))
		.sort((a, b) => a.name.localeCompare(b.name));
	if (options.length === 0) return [];
	return [
		{
			displayName: 'Clear Fields',
			name: 'clearFields',
			type: 'multiOptions',
			options,
			default: [],
			description: 'The fields to empty. A field without a value changes nothing.',
		},
	];
}
