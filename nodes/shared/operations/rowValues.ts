// What is sent for a row: the values of its fields, each parsed once as its field says. Sends nothing.

import type { IDataObject } from 'n8n-workflow';

import { fieldFailure, inputFailure, quoted, runAll } from '../values/failure';
import { emptyFailure, isBlank, type ParameterValues, parseLine } from '../values/input';
import { isRecord, mapIn, pickedValue } from '../values/json';
import type { Cell, Row } from './operation';
import { checkedValue } from './parameters';
import type { OperationFields, RequestField } from './requestFields';

export interface Draft {
	body: IDataObject;
	query: IDataObject;
}

/** @returns undefined if there is nothing to do for the row @throws Failure if a value cannot be sent */
export function readRequest(plan: OperationFields, row: Row): Draft | undefined {
	const { operation, body, query } = plan;
	const { parameters, columns } = row;
	const panel = enteredValues(body, parameters);
	const entered = columns && operation.entered ? operation.entered(panel, columns, row) : panel;
	if (!entered) return undefined;
	const queried = parsedValues(query, enteredValues(query, parameters), row);
	return {
		body: readBody(plan, entered, row),
		query: withExtra(queried, query, operation.ownQuery),
	};
}

function readBody(
	{ operation, body: fields, isUpdate }: OperationFields,
	entered: IDataObject,
	row: Row,
): IDataObject {
	const { updateFields } = row.parameters;
	const values = parsedValues(fields, entered, row);
	const cleared = clearedValues(fields, mapIn(updateFields).clearFields, values);
	const composed = operation.body?.(values, row) ?? values;
	const body = { ...withExtra(composed, fields), ...cleared };
	if (!isUpdate || Object.keys(body).length > 0 || hasUnsent(fields, updateFields)) return body;
	throw inputFailure(
		'There is nothing to update',
		"Add a field with a value under 'Update Fields', or name in 'Clear Fields' what is to be emptied",
	);
}

/** Whether *Update Fields* has a value that no body holds, such as a campaign, which is assigned. */
function hasUnsent(sent: readonly RequestField[], updateFields: unknown): boolean {
	const names = ['clearFields', ...sent.map(({ field }) => field.name)];
	return Object.entries(mapIn(updateFields)).some(
		([name, value]) => !names.includes(name) && !isBlank(pickedValue(value)),
	);
}

function enteredValues(sent: readonly RequestField[], parameters: ParameterValues): IDataObject {
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
function parsedValues(sent: readonly RequestField[], entered: IDataObject, row: Row): IDataObject {
	const values: IDataObject = {};
	const reads = sent.map((each) => () => {
		const { property } = each.routing.send;
		const parsed = parsedValue(each, entered[property], row);
		if (parsed !== undefined) values[property] = parsed;
	});
	runAll(reads);
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
	const isAny = field.type === 'string' || routing.isOpen === true;
	const checked = isAny ? value : checkedValue(field, value);
	const parsed = routing.parse(label, checked, row);
	return isEmpty(parsed) ? undefined : parsed;
}

const isEmpty = (value: unknown): boolean =>
	isBlank(value) || (isRecord(value) && Object.keys(value).length === 0);

/** A body or a query with the members of its extra field. @param ownNames that the operation adds @throws Failure if one is extra */
function withExtra(
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
function clearedValues(
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
