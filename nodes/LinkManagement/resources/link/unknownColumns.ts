// Why no column of a table is known, as far as one of its rows shows it.

import type { IDataObject } from 'n8n-workflow';

import { quoted } from '../../../shared/values/failure';
import { mapIn, recordsIn } from '../../../shared/values/json';

const USUAL_ADVICE = 'Name the column with the long URLs "url"';

/** @param isKnown whether a column of this name fills a field */
export function unknownColumnsAdvice(
	row: IDataObject,
	isKnown: (column: string) => boolean,
): string {
	const columns = Object.keys(row);
	const separator = [';', '\t', '|', ','].find((sign) =>
		columns.some((column) => column.includes(sign) && column.split(sign).some(isKnown)),
	);
	if (separator !== undefined) {
		const name = separator === '\t' ? 'a tab' : quoted(separator);
		return `The file has ${name} between its columns: in Extract from File, set Delimiter to it`;
	}
	const hasKnown = (record: IDataObject) => Object.keys(record).some(isKnown);
	const outer = columns.find((column) => hasKnown(mapIn(row[column])));
	if (outer !== undefined) {
		return `The columns are inside ${quoted(outer)}: output only that, as JSON in an Edit Fields node before this one`;
	}
	const list = columns.find((column) => recordsIn(row[column]).some(hasKnown));
	if (list !== undefined)
		return `The rows are inside ${quoted(list)}: put a Split Out node before this one`;
	if (Object.values(row).some((value) => typeof value === 'string' && isKnown(value)))
		return 'The names of the columns are in a row below the first: remove the rows above them';
	if (columns.some((column) => /^https?:\/\//i.test(column)))
		return 'The first row was read as the names of the columns: add a row with names above it';
	return USUAL_ADVICE;
}
