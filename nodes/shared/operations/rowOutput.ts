// What an item outputs: its result or its error. The columns of its row come with it if the user wants them, or if they are
// mapped.

import { deepCopy, type IDataObject } from 'n8n-workflow';

import { mapIn, without } from '../values/json';
import type { Form } from './form';
import type { OperationPlan } from './operationPlan';

export interface RowOutput {
	result(json: IDataObject): IDataObject;
	failed(error: string): IDataObject;
	/** Nothing was to do for the row. */
	skipped(): IDataObject;
}

/** Without the columns of the row. */
export const RESULT_ALONE: RowOutput = {
	result: (json) => json,
	failed: (error) => ({ error }),
	skipped: () => ({}),
};

/**
 * Puts the columns of the row before those of the result, and `error` after both: a table takes its columns from the first row,
 * which may have failed. If row and result have a column, the result's value is used.
 *
 * Only a failed row has an `error`. n8n takes a first item with any for a failed one: Retry On Fail of a following node that
 * outputs its input, as Google Sheets does, would append all rows again.
 * @param hasErrorOutput then n8n adds the input row itself, and recognizes a failed item by its only member, `error`
 */
export function rowOutput(
	{ input, mapped, parameter, parameters }: Form,
	noResult: OperationPlan['noResult'],
	hasErrorOutput: boolean,
): RowOutput {
	if (!mapped && mapIn(parameter('options')).includeInputFields !== true) return RESULT_ALONE;

	// An error of an earlier step is not of this one.
	const row = without(input.item, 'error');
	/** The columns of a result; what the row has in those that are null stays. */
	const withoutResult = (why: 'failed' | 'skipped'): IDataObject => {
		const columns = Object.entries(noResult?.(why, parameters) ?? {});
		return Object.fromEntries(columns.filter(([name, value]) => value !== null || !(name in row)));
	};
	const columns = Object.keys(noResult?.('failed', parameters) ?? {});
	// A row that this operation output before, and a sheet has kept: a sheet keeps nothing but columns, so only their names tell.
	const isOwnOutput = columns.length > 0 && columns.every((name) => name in row);
	return {
		result(json) {
			const members = Object.entries(json).filter(([, value]) => value !== undefined);
			const replaced = members.filter(
				([name, value]) =>
					name in row && !mapped?.names.includes(name) && asText(row[name]) !== asText(value),
			);
			const kept = (isOwnOutput ? [] : replaced).map(
				([name]) => [`input_${name}`, row[name]] as const,
			);
			return deepCopy({ ...row, ...Object.fromEntries(members), ...Object.fromEntries(kept) });
		},
		failed: (error) =>
			hasErrorOutput ? { error } : deepCopy({ ...row, ...withoutResult('failed'), error }),
		skipped: () => deepCopy({ ...row, ...withoutResult('skipped') }),
	};
}

/** A sheet may hold a number as a text, and nothing as an empty one. */
function asText(value: unknown): string {
	const held = value ?? '';
	return typeof held === 'string' ? held : JSON.stringify(held);
}
