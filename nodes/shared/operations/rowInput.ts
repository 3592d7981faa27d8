// What the user entered for a row: reads and checks each field once, and makes the request of it. Sends nothing.

import type { IDataObject, IExecutePaginationFunctions, INodeProperties } from 'n8n-workflow';

import { checkedTimeZone, type ServiceCredential } from '../http/credential';
import { fieldFailure, inputFailure, quoted, runAll } from '../values/failure';
import { emptyFailure, isBlank, type ParameterValues, parseLine } from '../values/input';
import { isRecord, mapIn, pickedValue } from '../values/json';
import type { Cell, Columns, Operation, RowInput } from './operation';
import { MAPPED } from './panelFields';
import { checkedValue, parametersOf, parseLocator, type RecordRef } from './parameters';
import type { OperationFields, RequestField } from './requestFields';

export class EnteredRow implements RowInput {
	readonly parameters: ParameterValues;
	readonly row: IDataObject;
	readonly columns: Columns | undefined;
	/** The address of links without a domain. */
	readonly shortBase: string;
	readonly refs = new Map<string, RecordRef>();

	constructor(
		readonly node: IExecutePaginationFunctions,
		private readonly plan: OperationFields,
		private readonly credential: ServiceCredential,
		readonly isToolCall: boolean,
	) {
		const { operation } = plan;
		this.parameters = parametersOf(node, operation.fields, isToolCall);
		this.row = node.getInputData().json;
		const isMapped = this.parameters.mappingMode === MAPPED;
		this.columns = isMapped ? operation.columns?.(this.row) : undefined;
		this.shortBase = credential.shortBase;
	}

	get zones(): { from: string; to: string } {
		return { from: this.node.getTimezone(), to: checkedTimeZone(this.credential.timezone) };
	}

	pick(locator: INodeProperties, value: unknown = this.parameters[locator.name]): void {
		const { [locator.name]: list } = this.plan.lists;
		this.refs.set(locator.name, parseLocator(locator, value, list, this.parameters));
	}

	/** @returns undefined if there is nothing to do for the row @throws Failure if a value cannot be sent */
	readRequest(): { body: IDataObject; query: IDataObject } | undefined {
		const { operation, locators, body: fields } = this.plan;
		const { columns } = this;
		const panel = enteredValues(fields, this.parameters);
		const entered = columns && operation.entered ? operation.entered(panel, columns, this) : panel;
		if (!entered) return undefined;
		for (const locator of locators) this.pick(locator);
		return { body: this.readBody(entered), query: this.readQuery() };
	}

	private readQuery(): IDataObject {
		const { operation, query: fields } = this.plan;
		const values = parsedValues(fields, enteredValues(fields, this.parameters), this);
		return withExtra(values, fields, operation.ownQuery);
	}

	private readBody(entered: IDataObject): IDataObject {
		const { operation, body: fields, isUpdate } = this.plan;
		const values = parsedValues(fields, entered, this, operation.check);
		const { clearFields } = mapIn(this.parameters.updateFields);
		const cleared = clearedValues(fields, clearFields, values);
		const composed = operation.body?.(values, this) ?? values;
		const body = { ...withExtra(composed, fields), ...cleared };
		if (!isUpdate || Object.keys(body).length > 0 || this.hasUnsentField()) return body;
		throw inputFailure(
			'There is nothing to update',
			"Add a field with a value under 'Update Fields', or name in 'Clear Fields' what is to be emptied",
		);
	}

	/** Whether *Update Fields* has a value that no body holds, such as a campaign, which is assigned. */
	private hasUnsentField(): boolean {
		const sent = this.plan.body.map(({ field }) => field.name);
		return Object.entries(mapIn(this.parameters.updateFields)).some(
			([name, value]) =>
				name !== 'clearFields' && !sent.includes(name) && !isBlank(pickedValue(value)),
		);
	}
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
function parsedValues(
	sent: readonly RequestField[],
	entered: IDataObject,
	input: RowInput,
	check?: Operation['check'],
): IDataObject {
	const values: IDataObject = {};
	const reads = sent.map((each) => () => {
		const { property } = each.routing.send;
		const parsed = parsedValue(each, entered[property], input);
		if (parsed !== undefined) values[property] = parsed;
	});
	runAll([...reads, () => check?.(input)]);
	return values;
}

/** Blank changes nothing, so it is not sent. @returns undefined then @throws Failure if it cannot be sent */
function parsedValue(
	sent: RequestField,
	value: IDataObject[string],
	input: RowInput,
): IDataObject[string] {
	const { field, routing } = sent;
	const cell = input.columns?.get(routing.send.property);
	const label = cell ? columnLabel(cell) : field.displayName;
	if (field.required === true && isBlank(value)) throw emptyFailure(label);
	if (isBlank(value)) return undefined;
	const checked = routing.isOpen ? value : checkedValue(field, value);
	const parsed = routing.parse(label, checked, input);
	const isEmpty = isBlank(parsed) || (isRecord(parsed) && Object.keys(parsed).length === 0);
	return isEmpty ? undefined : parsed;
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
