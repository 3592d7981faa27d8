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
	const changes = mapIn(row.parameters.updateFields);
	const values = parsedValues(fields, entered, row);
	const cleared = clearedValues(fields, changes.clearFields, values);
	const composed = operation.body?.(values, row) ?? values;
	const body = { ...withExtra(composed, fields), ...cleared };
	if (!isUpdate || Object.keys(body).length > 0 || hasUnsent(fields, changes)) return body;
	throw inputFailure(
		'There is nothing to update',
		"Add a field with a value under 'Update Fields', or name in 'Clear Fields' what is to be emptied",
	);
}

/** Whether there is a change that no body holds, such as a campaign, which is assigned. */
function hasUnsent(sent: readonly RequestField[], changes: IDataObject): boolean {
	const names = ['clearFields', ...sent.map(({ field }) => field.name)];
	return Object.entries(changes).some(
		([name, value]) => !names.includes(name) && !isBlank(pickedValue(value)),
	);
}

function enteredValues(sent: readonly RequestField[], parameters: ParameterValues): IDataObject {
	const entered = sent.flatMap(({ field, routing, collection }) => {
		const from = collection === undefined ? parameters : mapIn(parameters[collection]);
		const held = from[field.name];
		const value = field.type === 'resourceLocator' ? pickedValue(held) : held;
		return value === undefined || value === null ? [] : [[routing.send.property, value] as const];
	});
	return mapIn(Object.fromEntries(entered));
}

export const columnLabel = ({ column }: Cell): string => `Column ${quoted(column)}`;

/** What is sent: each value parsed as its field says. @throws Failure that names all that cannot be sent */
function parsedValues(sent: readonly RequestField[], entered: IDataObject, row: Row): IDataObject {
	const values: IDataObject = {};
	const reads = sent.map((each) => () => {
		const { property } = each.routing.send;
		const parsed = parsedValue(each, entered[property], row);
		const isEmpty = isBlank(parsed) || (isRecord(parsed) && Object.keys(parsed).length === 0);
		if (!isEmpty) values[property] = parsed;
	});
	runAll(reads);
	return values;
}

/** Blank changes nothing, so it is not sent. @returns undefined then @throws Failure if it cannot be sent */
function parsedValue(
	{ field, routing }: RequestField,
	value: IDataObject[string],
	row: Row,
): IDataObject[string] {
	const cell = row.columns?.get(routing.send.property);
	const label = cell ? columnLabel(cell) : field.displayName;
	if (field.required === true && isBlank(value)) throw emptyFailure(label);
	if (isBlank(value)) return undefined;
	const isAny = field.type === 'string' || routing.isOpen === true;
	return routing.parse(label, isAny ? value : checkedValue(field, value), row);
}

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
	const emptied: IDataObject = {};
	for (const name of names.map((each) => parseLine('Clear Fields', each)).filter(Boolean)) {
		const found = sent.find(
			({ field, routing }) => field.name === name && routing.cleared !== undefined,
		);
		if (!found) {
			const problem = `must be fields that can be empty, but has ${quoted(name)}`;
			throw fieldFailure('Clear Fields', problem);
		}
		const { property } = found.routing.send;
		if (property in values)
			throw fieldFailure(
				found.field.displayName,
				"has a value, and is among 'Clear Fields'",
				'Remove one of the two',
			);
		emptied[property] = found.routing.cleared;
	}
	return emptied;
}
