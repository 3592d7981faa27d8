import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { emptyFailure, isBlank, text } from '../values/input';
import { optionsOf } from './fields';
import type { ItemContext } from './itemContext';
import { checkedValue, offIfBlank } from './parameters';

type Value = IDataObject[string];

/** Turns what was entered into what the API takes. @throws Failure that names the field by its label */
type ReadField = (label: string, value: unknown, context: ItemContext) => Value;

/** n8n puts the value into the body under its API name, `property`. Then `bodyOf` reads it with `read`. */
interface BodyRouting extends INodePropertyRouting {
	send: { type: 'body'; property: string };
	read: ReadField;
}

export function inBody(property: string, read: ReadField = text): BodyRouting {
	return { send: { type: 'body', property }, read };
}

const isBodyRouting = (routing: INodePropertyRouting | undefined): routing is BodyRouting =>
	routing !== undefined && 'read' in routing;

const withAdded = (fields: readonly INodeProperties[]): INodeProperties[] =>
	fields.flatMap((field) => [field, ...(field.type === 'collection' ? optionsOf(field) : [])]);

export function labelsOf(fields: readonly INodeProperties[]): Record<string, string> {
	const sent = withAdded(fields).flatMap(({ routing, displayName }) => {
		const property = routing?.send?.property;
		return property === undefined ? [] : [[property, displayName] as const];
	});
	return Object.fromEntries(sent);
}

/** The body that n8n's routing made, with each value read as its field says. In an update, an empty value clears. */
export function bodyOf(
	fields: readonly INodeProperties[],
	entered: IDataObject,
	isUpdate: boolean,
	context: ItemContext,
): IDataObject {
	const body: IDataObject = {};
	for (const field of withAdded(fields)) {
		const { routing, displayName, required = false } = field;
		if (!isBodyRouting(routing)) continue;
		const { property } = routing.send;
		const value = entered[property];
		if (required && isBlank(typeof value === 'string' ? value.trim() : value))
			throw emptyFailure(displayName);
		if (value === undefined || value === null || (value === '' && !isUpdate)) continue;
		body[property] = routing.read(displayName, checkedValue(offIfBlank(field), value), context);
	}
	return body;
}

export function withoutEmpty(members: IDataObject): IDataObject {
	const filled = Object.entries(members).filter(
		([, value]) => !isBlank(value) && !(Array.isArray(value) && value.length === 0),
	);
	return Object.fromEntries(filled);
}
