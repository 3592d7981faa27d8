// Where fields are sent: `inBody` and `inQuery` declare it, `sentValues` reads them.

import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { emptyFailure, isBlank, type GetParameter, line } from '../values/input';
import { mapIn, pickedValue } from '../values/json';
import { optionsOf } from './fields';
import { columnLabel, type Form } from './form';
import { checkedValue, offIfBlank } from './parameters';

type Value = IDataObject[string];

/** Turns what was entered into what the API takes. @throws Failure that names the field by its label */
type ParseField = (label: string, value: unknown, form: Form) => Value;

/** Where the value of a field is sent, under its API name, `property`, and how it is parsed. n8n never gets to see it. */
interface SentRouting extends INodePropertyRouting {
	send: { type: 'body' | 'query'; property: string };
	parse: ParseField;
}

export const inBody = (property: string, parse: ParseField = line): SentRouting => ({
	send: { type: 'body', property },
	parse,
});

export const inQuery = (property: string, parse: ParseField = line): SentRouting => ({
	send: { type: 'query', property },
	parse,
});

const isSentRouting = (routing: INodePropertyRouting | undefined): routing is SentRouting =>
	routing !== undefined && 'parse' in routing;

/** A field that is sent in the body or in the query. */
export interface SentField {
	field: INodeProperties;
	routing: SentRouting;
	/** The name of the collection that it can be added to. */
	collection: string | undefined;
}

/** The fields that are sent, also those of collections. */
export function sentIn(
	fields: readonly INodeProperties[],
	type: 'body' | 'query',
	collection?: string,
): SentField[] {
	return fields.flatMap((field) => {
		const { routing, name } = field;
		const isSent = isSentRouting(routing) && routing.send.type === type;
		const added = field.type === 'collection' && collection === undefined ? optionsOf(field) : [];
		return [...(isSent ? [{ field, routing, collection }] : []), ...sentIn(added, type, name)];
	});
}

/** The API names of the fields that are sent. */
export const sentNames = (fields: readonly INodeProperties[], type: 'body' | 'query'): string[] =>
	sentIn(fields, type).map(({ routing }) => routing.send.property);

/** What these fields hold, by API name, as it was entered. */
export function enteredIn(sent: readonly SentField[], parameter: GetParameter): IDataObject {
	const entered: Record<string, unknown> = {};
	for (const { field, routing, collection } of sent) {
		const held =
			collection === undefined ? parameter(field.name) : mapIn(parameter(collection))[field.name];
		const value = field.type === 'resourceLocator' ? pickedValue(held) : held;
		if (value !== undefined && value !== null) entered[routing.send.property] = value;
	}
	return mapIn(entered);
}

/** What is sent: each value parsed as its field says. In an update, an empty value clears. */
export function sentValues(
	sent: readonly SentField[],
	entered: IDataObject,
	isUpdate: boolean,
	form: Form,
): IDataObject {
	const values: IDataObject = {};
	for (const { field, routing } of sent) {
		const { required = false } = field;
		const { property } = routing.send;
		const cell = form.columns?.get(property);
		const label = cell ? columnLabel(cell) : field.displayName;
		const value = entered[property];
		if (required && isBlank(value)) throw emptyFailure(label);
		if (value === undefined || value === null || (value === '' && !isUpdate)) continue;
		values[property] = routing.parse(label, checkedValue(offIfBlank(field), value), form);
	}
	return values;
}

export function withoutEmpty(members: IDataObject): IDataObject {
	const filled = Object.entries(members).filter(
		([, value]) => !isBlank(value) && !(Array.isArray(value) && value.length === 0),
	);
	return Object.fromEntries(filled);
}
