// What the user entered for a row: reads and checks each field once, and makes the request of it. Sends nothing.

import type { IDataObject, IExecutePaginationFunctions, INodeProperties } from 'n8n-workflow';

import { checkedTimeZone } from '../http/credential';
import { inputFailure } from '../values/failure';
import { type GetParameter, isBlank, withoutNothing } from '../values/input';
import { mapIn, pickedValue } from '../values/json';
import type { Columns, Operation, RowInput } from './operation';
import { checkedFields, choicesIn, parameterGetter } from './parameters';
import type { NamedLists } from './panelFields';
import { listsOf, type RecordRef, parseLocator } from './locatorValue';
import {
	clearedValues,
	enteredValues,
	type RequestField,
	fieldsFor,
	parsedValues,
	withExtra,
} from './requestFields';

const PLACEHOLDER = /:([A-Za-z]+)/g;

/** Only ids and options get into a path, so no row can lead to another one. */
export const fillPath = (path: string, values: Readonly<Record<string, number | string>>): string =>
	path.replace(PLACEHOLDER, (_placeholder, name: string) =>
		encodeURIComponent(String(values[name])),
	);

/** What the path and the fields of an operation say, the same for every row. */
export interface OperationFields {
	operation: Operation;
	fields: ReadonlyMap<string, INodeProperties>;
	/** The placeholders in the path that an option fills, and those that a locator does. */
	optionPlaceholders: readonly string[];
	locators: readonly string[];
	/** Where names are looked up, by the locators that may hold them. */
	lists: NamedLists;
	body: readonly RequestField[];
	query: readonly RequestField[];
	/** Whether it has *Update Fields*, so that a request without any field is refused. */
	isUpdate: boolean;
}

export function operationFields(operation: Operation): OperationFields {
	const { request, fields } = operation;
	const placeholders = Array.from(request.url.matchAll(PLACEHOLDER), ([, name = '']) => name);
	const options = fields.filter(({ type }) => type === 'options').map(({ name }) => name);
	return {
		operation,
		fields: checkedFields(fields),
		optionPlaceholders: placeholders.filter((name) => options.includes(name)),
		locators: placeholders.filter((name) => !options.includes(name)),
		lists: listsOf(fields),
		body: fieldsFor(fields, 'body'),
		query: fieldsFor(fields, 'query'),
		isUpdate: fields.some(({ name }) => name === 'updateFields'),
	};
}

/** A request without the ids of its records, which may have to be looked up. */
interface RequestDraft {
	body: IDataObject;
	query: IDataObject;
	/** The options in the path, by their names. */
	pathOptions: Readonly<Record<string, string>>;
}

export class EnteredRow implements RowInput {
	readonly parameter: GetParameter;
	readonly row: IDataObject;
	readonly columns: Columns | undefined;
	/** By the names of locators, which records they pick. */
	readonly refs = new Map<string, RecordRef>();

	/** @param serviceZone and baseUrl as the credential says */
	constructor(
		readonly node: IExecutePaginationFunctions,
		private readonly plan: OperationFields,
		private readonly serviceZone: string,
		readonly baseUrl: string,
		readonly isToolCall: boolean,
	) {
		const evaluated: GetParameter = (path) => node.getNodeParameter(path, null);
		const get: GetParameter = isToolCall ? (path) => withoutNothing(evaluated(path)) : evaluated;
		this.parameter = parameterGetter(node.getNode().parameters, plan.fields, get);
		this.row = node.getInputData().json;
		this.columns = plan.operation.columns?.(this.parameter, this.row);
	}

	get zones(): { from: string; to: string } {
		return { from: this.node.getTimezone(), to: checkedTimeZone(this.serviceZone) };
	}

	pick(name: string, value: unknown = this.parameter(name)): void {
		const list = this.plan.lists[name];
		this.refs.set(name, parseLocator(name, value, list, this.parameter));
	}

	rawValue(name: string, collection?: string): unknown {
		const { parameters } = this.node.getNode();
		return (collection === undefined ? parameters : mapIn(parameters[collection]))[name];
	}

	/** @returns undefined if there is nothing to do for the row @throws Failure if a value cannot be sent */
	readRequest(): RequestDraft | undefined {
		const { operation, fields, optionPlaceholders, locators } = this.plan;
		choicesIn(fields).forEach(this.parameter);
		const panel = enteredValues(this.plan.body, this.parameter);
		const entered = operation.entered ? operation.entered(panel, this) : panel;
		if (!entered) return undefined;
		for (const name of locators) this.pick(name);
		return {
			body: this.readBody(entered),
			query: this.readQuery(),
			pathOptions: Object.fromEntries(
				optionPlaceholders.map((name) => [name, String(this.parameter(name))]),
			),
		};
	}

	private readBody(entered: IDataObject): IDataObject {
		const { operation, body: fields, isUpdate } = this.plan;
		const values = parsedValues(fields, entered, this);
		const { clearFields } = mapIn(this.parameter('updateFields'));
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
		return Object.entries(mapIn(this.parameter('updateFields'))).some(
			([name, value]) =>
				name !== 'clearFields' && !sent.includes(name) && !isBlank(pickedValue(value)),
		);
	}

	private readQuery(): IDataObject {
		const { operation, query: fields } = this.plan;
		const values = parsedValues(fields, enteredValues(fields, this.parameter), this);
		return withExtra(values, fields, operation.ownQuery);
	}
}
