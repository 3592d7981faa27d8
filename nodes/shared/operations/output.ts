// What a row outputs: what happened, the columns of the row, and the result; and the error that stops a run.

import {
	deepCopy,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';

import type { Failure } from '../values/failure';
import { integerIn, mapIn, without } from '../values/json';
import { isBlank } from '../values/input';
import type { RowInput, RowResult } from './operation';

/** The items of a row: its results, beside its columns if they are wanted. */
export function outputOf(results: RowResult[], input: RowInput): INodeExecutionData[] {
	const columns = columnsBeside(input);
	const pairedItem = { item: input.node.getItemIndex() };
	return results.map(({ json, ...file }) => ({
		json: columns ? mergeIntoRow(columns, json) : json,
		...file,
		pairedItem,
	}));
}

/** The columns that are output beside a result, if the fields come from columns or *Include Input Fields* is on. */
const columnsBeside = ({ columns, parameter, row }: RowInput): IDataObject | undefined =>
	columns || mapIn(parameter('options')).includeInputFields === true ? row : undefined;

/**
 * Only a failed row has an `error`: n8n takes a first item with any for a failed one. A column that the result replaces by another
 * value stays as `input_<name>`, unless the row has the `outcome` of the last run: its sheet would grow in each run.
 */
export function mergeIntoRow(row: IDataObject, result: IDataObject): IDataObject {
	const { outcome, error, ...members } = defined(result);
	const columns = without(row, 'outcome', 'error');
	const replaced = Object.entries(columns)
		.filter(([name, value]) => name in members && !isBlank(value) && !isEqual(value, members[name]))
		.map(([name, value]) => [`input_${name}`, value] as const);
	const isWrittenBack = 'outcome' in row;
	return deepCopy({
		...defined({ outcome, error }),
		...columns,
		...(isWrittenBack ? {} : Object.fromEntries(replaced)),
		...withoutDuplicates(members, columns),
	});
}

const defined = (members: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Without members that a column of the same name in other letters already has: `alias` beside `Alias`. */
function withoutDuplicates(members: IDataObject, columns: IDataObject): IDataObject {
	const cellOf = ([name, value]: [string, unknown]) => `${name.toLowerCase()} ${inSheet(value)}`;
	const cells = Object.entries(columns).map(cellOf);
	const others = Object.entries(members).filter((member) => !cells.includes(cellOf(member)));
	return Object.fromEntries(others);
}

/** Whether they look the same in a sheet, which may have a number as a text. */
const isEqual = (a: unknown, b: unknown): boolean => inSheet(a) === inSheet(b);

const inSheet = (value: unknown): string =>
	typeof value === 'string' ? value : JSON.stringify(value ?? null);

/** How messages name a row: by its number in the sheet, if a node for sheets gave one. */
export const rowLabel = ({ row_number }: IDataObject, index: number, rowCount: number): string =>
	integerIn(row_number) === undefined
		? `item ${index + 1} of ${rowCount}`
		: `row ${integerIn(row_number)}`;

export function nodeError(node: INode, failure: Failure): NodeApiError {
	const { message, advice: description, httpCode, cause } = failure;
	const status = httpCode === undefined ? {} : { httpCode: String(httpCode) };
	const error = new NodeApiError(node, { message }, { message, description, ...status });
	if (cause instanceof Error) error.cause = cause;
	// The editor would add n8n's number of the item, which counts from 0, to a message that counts from 1.
	Object.defineProperty(error.context, 'itemIndex', { get: () => undefined, set: () => undefined });
	return error;
}
