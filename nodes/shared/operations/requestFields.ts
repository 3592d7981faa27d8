// Where fields are sent: `inBody` and `inQuery` declare it, `sentValues` reads them. Blank changes nothing, so it is not sent;
// `clearFields` names what an update empties.

import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { fieldFailure, quoted } from '../values/failure';
import {
	emptyFailure,
	isBlank,
	type GetParameter,
	parseLine,
	parseRequiredLine,
} from '../values/input';
import { isRecord, mapIn, pickedValue } from '../values/json';
import { optionsOf } from './panelFields';
import type { Cell, RowInput } from './operation';
import { checkedValue } from './parameters';

type Value = IDataObject[string];

export const columnLabel = ({ column }: Cell): string => `Column ${quoted(column)}`;

/** Turns what was entered into what the API takes. @throws Failure that names the field by its label */
type ParseField = (label: string, value: unknown, input: RowInput) => Value;

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

/** The value of a dropdown, of which a service may know more: an expression may give any other. */
export const inAnyChoice = (property: string): RequestRouting => ({
	...inBody(property, parseRequiredLine),
	isOpen: true,
});

export const inQuery = (property: string, parse: ParseField = parseLine): RequestRouting => ({
	send: { type: 'query', property },
	parse,
	cleared: undefined,
});

/** Where a JSON field is sent whose members are sent beside those of the other fields. */
export const inExtra = (
	type: 'body' | 'query',
	property: string,
	parse: ParseField,
): RequestRouting => ({
	send: { type, property },
	parse,
	cleared: undefined,
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

/** The fields that are sent, also those of collections. */
export function fieldsFor(
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

/** A body or a query with the members of its extra field. @param ownNames that the operation adds @throws Failure if one is extra */
export function withExtra(
	values: IDataObject,
	sent: readonly RequestField[],
	ownNames: readonly string[] = [],
): IDataObject {
	const field = sent.find(({ routing }) => routing.isExtra)?.field;
	if (!field) return values;
	const { [field.name]: held, ...own } = values;
	const extra = mapIn(held);
	const names = [...ownNames, ...sent.map(({ routing }) => routing.send.property)];
	const taken = Object.keys(extra).find((each) => names.includes(each) || each in own);
	if (taken === undefined) return { ...extra, ...own };
	throw fieldFailure(
		field.displayName,
		`has ${quoted(taken)}, which the node sends itself`,
		'Remove it there, and use the field of the node',
	);
}

/** What these fields hold, by API name, as it was entered. */
export function enteredValues(sent: readonly RequestField[], parameter: GetParameter): IDataObject {
	const entered: Record<string, unknown> = {};
	for (const { field, routing, collection } of sent) {
		const held =
			collection === undefined ? parameter(field.name) : mapIn(parameter(collection))[field.name];
		const value = field.type === 'resourceLocator' ? pickedValue(held) : held;
		if (value !== undefined && value !== null) entered[routing.send.property] = value;
	}
	return mapIn(entered);
}

/** What is sent: each value parsed as its field says. */
export function parsedValues(
	sent: readonly RequestField[],
	entered: IDataObject,
	input: RowInput,
): IDataObject {
	const values: IDataObject = {};
	for (const { field, routing, collection } of sent) {
		const { property } = routing.send;
		const cell = input.columns?.get(property);
		const label = cell ? columnLabel(cell) : field.displayName;
		const value = entered[property];
		if (field.required === true && isBlank(value)) throw emptyFailure(label);
		if (isBlank(value)) continue;
		const isOpen = routing.isOpen === true;
		const rawValue = input.rawValue(field.name, collection);
		const checked = isOpen ? value : checkedValue(field, value, rawValue);
		const parsed = routing.parse(label, checked, input);
		if (!isEmpty(parsed)) values[property] = parsed;
	}
	return values;
}

/** Whether a collection has no entry with a value. */
const isEmpty = (value: Value): boolean =>
	isBlank(value) || (isRecord(value) && Object.keys(value).length === 0);

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

/** What is sent for the fields that *Clear Fields* names. @throws Failure if one of them has a value, or must not be empty */
export function clearedValues(
	sent: readonly RequestField[],
	named: unknown,
	values: IDataObject,
): IDataObject {
	const names: unknown[] = typeof named === 'string' ? named.split(',') : [named ?? []].flat();
	const emptied: IDataObject = {};
	for (const name of names.map((each) => parseLine('Clear Fields', each)).filter(Boolean)) {
		const found = sent.find(
			({ field, routing }) => field.name === name && routing.cleared !== undefined,
		);
		if (!found)
			throw fieldFailure(
				'Clear Fields',
				`must be fields that can be empty, but has ${quoted(name)}`,
			);
		const { field, routing } = found;
		if (Object.hasOwn(values, routing.send.property)) {
			throw fieldFailure(
				field.displayName,
				"has a value, and is among 'Clear Fields'",
				'Remove one of the two',
			);
		}
		emptied[routing.send.property] = routing.cleared;
	}
	return emptied;
}
