// What a table is refused with if no column of it has long URLs.

import type { IDataObject } from 'n8n-workflow';

import type { RowInput } from '../../../shared/operations/operation';
import { inputFailure, quoted } from '../../../shared/values/failure';
import { mapIn, recordsIn, textIn } from '../../../shared/values/json';
import { visibleText } from '../../../shared/values/text';

/** Whether a column of this name has the long URL. */
type IsKnown = (column: string) => boolean;

/** The first rows of the table, and this one. */
function rowsOfTable({ row, node }: RowInput): IDataObject[] {
	const items = node.getExecuteData().data.main?.[0] ?? [];
	return [...items.slice(0, 100).map(({ json }) => json), row];
}

/** @returns the column for the long URL @throws Failure if no row has one */
export function requireKnownColumn(input: RowInput, isKnown: IsKnown): string {
	const rows = rowsOfTable(input);
	// A reader of files may leave blank cells out of a row.
	const columns = [...new Set(rows.flatMap(Object.keys))];
	const known = columns.find(isKnown);
	if (known !== undefined) return known;
	const names = columns.slice(0, 20).map(visibleText).map(quoted).join(', ') || 'none';
	throw inputFailure(
		`No column has the long URLs; the columns are ${names}`,
		likelyCause(input.row, rows.slice(0, MOST_TITLE_ROWS), isKnown),
	);
}

/** Above the names of the columns, sheets have a title, and maybe more. */
const MOST_TITLE_ROWS = 10;

/** Why no such column is known, as far as a row and the first ones show it, and what to do. */
function likelyCause(
	row: IDataObject,
	firstRows: readonly IDataObject[],
	isKnown: IsKnown,
): string {
	const columns = Object.keys(row);
	const separator =
		[';', '\t', '|', ','].find((sign) =>
			columns.some((column) => column.includes(sign) && column.split(sign).some(isKnown)),
		) ?? (columns.length === 1 ? /[;\t|]/.exec(columns.join())?.[0] : undefined);
	if (separator !== undefined) {
		const isTab = separator === '\t';
		const name = isTab ? 'a tab' : quoted(separator);
		const delimiter = isTab ? "the expression {{ '\\t' }}" : 'it';
		return `The file has ${name} between its columns: in Extract from File, set 'Delimiter' to ${delimiter}`;
	}
	const hasKnown = (record: IDataObject) => Object.keys(record).some(isKnown);
	const values = [...pathsIn(row), ...columns.flatMap((name) => pathsIn(row[name], name))];
	const outer = values.find(([, value]) => hasKnown(mapIn(value)))?.[0];
	if (outer !== undefined) {
		return `The columns are inside ${quoted(outer)}: output only that, as JSON in an Edit Fields node before this one`;
	}
	const list = values.find(([, value]) => recordsIn(value).some(hasKnown))?.[0];
	if (list !== undefined)
		return `The rows are inside ${quoted(list)}: put a Split Out node before this one`;
	const text = values.find(([, value]) => isKnown(firstNameIn(value)))?.[0];
	if (text !== undefined)
		return `The columns are in the text of ${quoted(text)}: output it with JSON.parse, as JSON in an Edit Fields node before this one`;
	const cells = firstRows.flatMap((each) => Object.values(each));
	// Of a CSV file, all columns without a name are one.
	const isTitle = columns.length > 1 && columns.filter((name) => name.trim() !== '').length === 1;
	if (isTitle || cells.some((cell) => typeof cell === 'string' && isKnown(cell)))
		return 'The names of the columns are in a row below the first: remove the rows above them';
	if (columns.some((column) => /^https?:\/\//i.test(column)))
		return 'The first row was read as the names of the columns: add a row with names above it';
	return 'Name the column with the long URLs "url"';
}

const pathsIn = (value: unknown, ...path: string[]): Array<[path: string, member: unknown]> =>
	Object.entries(mapIn(value)).map(([name, member]) => [[...path, name].join('.'), member]);

const firstNameIn = (json: unknown): string =>
	/^\s*[[{][\s{]*"([^"]+)"/.exec(textIn(json) ?? '')?.[1] ?? '';
