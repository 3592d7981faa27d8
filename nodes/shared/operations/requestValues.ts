// What is sent for a row: the values of its fields, each parsed once as its field says. Sends nothing.

import type { IDataObject } from 'n8n-workflow';

import { fieldFailure, quoted, runAll } from '../values/failure';
import { emptyFailure, isBlank, type ParameterValues, parseLine } from '../values/input';
import { isRecord, mapIn, pickedValue } from '../values/json';
import type { Cell, Operation, Row } from './operation';
import { checkedValue } from './parameters';
import type { RequestField } from './requestFields';

export function enteredValues(
	sent: readonly RequestField[],
	parameters: ParameterValues,
): IDataObject {
	const entered: Record<string, unknown> = {};
	for (const each of sent) {
		const { field, routing } = each;
		const held = heldBy(each, parameters);
		const value = field.type === 'resourceLocator' ? pickedValue(held) : held;
		if (value !== undefined && value !== null) entered[routing.send.property] = value;
	}
	return mapIn(entered);
}

const heldBy = ({ field, collection }: RequestField, parameters: ParameterValues): unknown =>
	(collection === undefined ? parameters : mapIn(parameters[collection]))[field.name];

export const columnLabel = ({ column }: Cell): string => `Column ${quoted(column)}`;

/** What is sent: each value parsed as its field says. @throws Failure that names all that cannot be sent */
export function parsedValues(
	sent: readonly RequestField[],
	entered: IDataObject,
	row: Row,
	check?: Operation['check'],
): IDataObject {
	const values: IDataObject = {};
	const reads = sent.map((each) => () => {
		const { property } = each.routing.send;
		const parsed = parsedValue(each, entered[property], row);
		if (parsed !== undefined) values[property] = parsed;
	});
	runAll([...reads, () => check?.(row)]);
	return values;
}

/** Blank changes nothing, so it is not sent. @returns undefined then @throws Failure if it cannot be sent */
function parsedValue(
	sent: RequestField,
	value: IDataObject[string],
	row: Row,
): IDataObject[string] {
	const { field, routing } = sent;
	const cell = row.columns?.get(routing.send.property);
	const label = cell ? columnLabel(cell) : field.displayName;
	if (field.required === true && isBlank(value)) throw emptyFailure(label);
	if (isBlank(value)) return undefined;
	const checked = routing.isOpen ? value : checkedValue(field, value);
	const parsed = routing.parse(label, checked, row);
	const isEmpty = isBlank(parsed) || (isRecord(parsed) && Object.keys(parsed).length === 0);
	return isEmpty ? undefined : parsed;
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

/** What is sent for the fields that *Clear Fields* names. @throws Failure if one of them has a value, or must not be empty */
export function clearedValues(
	sent: readonly RequestField[],
	named: unknown,
	values: IDataObject,
): IDataObject {
	const names: unknown[] = typeof named === 'string' ? named.split(',') : [named ?? []].flat();
	const clearable = sent.filter(({ routing }) => routing.cleared !== undefined);
	const emptied: IDataObject = {};
	for (const name of names.map((each) => parseLine('Clear Fields', each)).filter(Boolean)) {
		const found = clearable.find(({ field }) => field.name === name);
		if (!found) {
			const problem = `must be fields that can be empty, but has ${quoted(name)}`;
			throw fieldFailure('Clear Fields', problem);
		}
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
