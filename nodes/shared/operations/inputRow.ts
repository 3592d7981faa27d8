import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';

import { mapIn } from '../values/json';
import type { ReadParameter } from '../values/path';

/** The columns of an input row that fill fields; undefined if the fields are filled by hand. */
export type MappedColumns = (
	read: ReadParameter,
	row: IDataObject,
) => readonly string[] | undefined;

export type AddInputRow = (result: IDataObject) => IDataObject;

/**
 * Adds the columns of the input row to a result if the user wants that. If both have a column, the result's value is used, and
 * a different one of the row is kept as `input_<name>`, unless the column filled a field.
 */
export function inputRowAdder(
	context: IExecutePaginationFunctions,
	read: ReadParameter,
	mappedColumns?: MappedColumns,
): AddInputRow {
	// n8n would take an item with a column `error` for a failed one.
	const { error: _error, ...row } = context.getInputData().json;
	const mapped = mappedColumns?.(read, row);
	if (!mapped && mapIn(read('options')).includeInputFields !== true) return (result) => result;
	return (result) => {
		const given = Object.entries(result).filter(([, value]) => value !== undefined);
		const replaced = given.filter(
			([name, value]) =>
				name in row && !mapped?.includes(name) && asText(row[name]) !== asText(value),
		);
		const kept = replaced.map(([name]) => [`input_${name}`, row[name]] as const);
		return deepCopy({ ...row, ...Object.fromEntries(kept), ...Object.fromEntries(given) });
	};
}

/** A sheet may hold a number as a text. */
const asText = (value: unknown): string =>
	typeof value === 'string' ? value : JSON.stringify(value ?? '');
