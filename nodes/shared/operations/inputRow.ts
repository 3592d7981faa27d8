import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';

import { mapIn } from '../values/json';
import type { ReadParameter } from '../values/path';
import type { OperationPlan } from './prepareItem';

export type AddInputRow = (result: IDataObject) => IDataObject;

/** Adds the columns of the input row to a result if the user wants that. If both have a column, the result's value is used. */
export function inputRowAdder(
	context: IExecutePaginationFunctions,
	read: ReadParameter,
	mappedColumns: OperationPlan['mappedColumns'],
): AddInputRow {
	// n8n would take an item with a column `error` for a failed one.
	const { error: _error, ...row } = context.getInputData().json;
	const mapped = mappedColumns?.(read, row);
	if (!mapped && mapIn(read('options')).includeInputFields !== true) return (result) => result;
	return (result) => {
		const members = Object.entries(result).filter(([, value]) => value !== undefined);
		const replaced = members.filter(
			([name, value]) =>
				name in row && !mapped?.includes(name) && asText(row[name]) !== asText(value),
		);
		const kept = replaced.map(([name]) => [`input_${name}`, row[name]] as const);
		return deepCopy({ ...row, ...Object.fromEntries(kept), ...Object.fromEntries(members) });
	};
}

/** A sheet may hold a number as a text. */
const asText = (value: unknown): string =>
	typeof value === 'string' ? value : JSON.stringify(value ?? '');
