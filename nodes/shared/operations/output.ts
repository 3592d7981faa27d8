// What a row outputs: its results, beside its columns.

import { deepCopy, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

import { isBlank, type ParameterValues } from '../values/input';
import { mapIn } from '../values/json';
import type { Operation, OutputColumns, Row, RowResult } from './operation';

export function itemsOf(
	results: RowResult[],
	{ node, json: row, columns, parameters, isToolCall }: Row,
	{ keepsColumns = false, output }: Operation,
): INodeExecutionData[] {
	const isWithColumns =
		(keepsColumns && !isToolCall) ||
		columns !== undefined ||
		mapIn(parameters.options).includeInputFields === true;
	return results.map(({ json, ...file }) => ({
		json: isWithColumns ? mergeIntoRow(row, json, output) : json,
		...file,
		pairedItem: { item: node.getItemIndex() },
	}));
}

/** Results win. What one replaces stays as `input_<name>`, unless the row has it. n8n takes an item with an `error` for a failed one. */
export function mergeIntoRow(
	row: IDataObject,
	result: IDataObject,
	{ first }: OutputColumns = { first: ['error'] },
): IDataObject {
	const results = new Map(Object.entries(result).filter(([, value]) => value !== undefined));
	const output = new Map(first.map((name) => [name, results.get(name)]));
	const inputs = new Map<string, IDataObject[string]>();
	for (const [column, value] of Object.entries(row)) {
		// Excel begins a CSV file with a byte order mark, which n8n leaves in the name of the first column.
		const name = column.replace(/^\ufeff/, '');
		const isReplaced = results.has(name) || name === 'error';
		output.set(name, isReplaced ? results.get(name) : value);
		const isOther = !isBlank(value) && inSheet(value) !== inSheet(results.get(name));
		if (isReplaced && isOther && isBlank(row[`input_${name}`])) inputs.set(`input_${name}`, value);
	}
	const members = [...output, ...inputs, ...results].filter(([, value]) => value !== undefined);
	return deepCopy(Object.fromEntries(members));
}

/** As a sheet shows it, which may have a number as a text. */
const inSheet = (value: unknown): string =>
	typeof value === 'string' ? value : JSON.stringify(value ?? null);

/** The members of a record that people look for, unless *Simplify* is off. */
export const simplified = (
	record: IDataObject,
	parameters: ParameterValues,
	names: readonly string[],
): IDataObject => {
	if (parameters.simplify !== true) return record;
	const present = names.filter((name) => name in record);
	return Object.fromEntries(present.map((name) => [name, record[name]]));
};
