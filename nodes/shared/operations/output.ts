// What a row outputs: its results, beside its columns.

import { deepCopy, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

import { isBlank } from '../values/input';
import { mapIn, without } from '../values/json';
import type { Operation, OutputColumns, RowInput, RowResult, WrittenBy } from './operation';

export function itemsOf(
	results: RowResult[],
	{ node, row, columns, parameters, isToolCall }: RowInput,
	{ keepsColumns = false, output }: Operation,
): INodeExecutionData[] {
	const isWithColumns =
		(keepsColumns && !isToolCall) ||
		columns !== undefined ||
		mapIn(parameters.options).includeInputFields === true;
	const pairedItem = { item: node.getItemIndex() };
	return results.map(({ json, ...file }) => ({
		json: isWithColumns ? mergeIntoRow(row, json, output) : json,
		...file,
		pairedItem,
	}));
}

const DEFAULT_OUTPUT: OutputColumns = { first: ['error'], prefix: 'result' };

/**
 * A result beside the columns of its row. The row keeps its columns: where one has another value than the result, the result gets a
 * prefix, unless an earlier run wrote the column. Only a failed row has an `error`: n8n takes a first item with one for a failed one.
 */
export function mergeIntoRow(
	row: IDataObject,
	result: IDataObject,
	{ first, prefix, writtenBy, always = [], staysIfNull = [] }: OutputColumns = DEFAULT_OUTPUT,
): IDataObject {
	const present = withoutByteOrderMarks(row);
	const replaced = ['error', ...always];
	const columns = without(present, ...replaced);
	const isWritten = earlierRun(present, prefix, writtenBy);
	// An earlier run found a column of the row's own there. A sheet to which few results were written back may have an ID of its own.
	const hasOwnId = writtenBy?.idBeside !== undefined && !(writtenBy.idBeside in columns);
	const wasOwn = (name: string): boolean =>
		(name === 'id' && hasOwnId) || `${prefix}_${name}` in columns;
	const isOwn = (name: string, value: unknown): boolean =>
		!isBlank(columns[name]) && !isEqual(columns[name], value) && (!isWritten(name) || wasOwn(name));
	const isKept = (name: string, value: unknown): boolean =>
		value === null && staysIfNull.includes(name) && !isBlank(columns[name]);
	const nameOf = (name: string, value: unknown): string =>
		isOwn(name, value) ? nameOf(`${prefix}_${name}`, value) : name;
	const members = Object.entries(result)
		.filter(([name, value]) => value !== undefined && !isKept(name, value))
		.map(([name, value]) => [nameOf(name, value), value] as const);
	const results = Object.fromEntries(members);
	const moved = replaced
		.filter((name) => !isBlank(present[name]) && !isWritten(name))
		.filter((name) => !isEqual(present[name], result[name]))
		.map((name) => [`input_${name}`, present[name]] as const);
	const start = first
		.filter((name) => name in results)
		.map((name) => [name, results[name]] as const);
	return deepCopy({
		...Object.fromEntries(start),
		...columns,
		...Object.fromEntries(moved),
		...results,
	});
}

/** Which columns of a row an earlier run wrote. Of a row that failed, these are its outcome and its error alone. */
function earlierRun(
	row: IDataObject,
	prefix: string,
	writtenBy?: WrittenBy,
): (column: string) => boolean {
	if (!writtenBy) return () => false;
	const { member, beside, values, valuesAlone, isMarked } = writtenBy;
	if (isMarked?.(row) === true) return () => true;
	const prefixed = `${prefix}_${member}`;
	const said = row[prefixed] ?? row[member];
	if (values.includes(said)) return () => !isBlank(row[beside]);
	const isAlone = valuesAlone.includes(said) && (beside in row || !isBlank(row.error));
	return (column) => isAlone && [member, prefixed, 'error'].includes(column);
}

/** Excel begins a CSV file with one, which n8n leaves in the name of the first column. */
const withoutByteOrderMarks = (row: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(row).map(([name, value]) => [name.replace(/^\ufeff/, ''), value]),
	);

/** Whether they look the same in a sheet, which may have a number as a text. */
const isEqual = (a: unknown, b: unknown): boolean => inSheet(a) === inSheet(b);

const inSheet = (value: unknown): string =>
	typeof value === 'string' ? value : JSON.stringify(value ?? null);
