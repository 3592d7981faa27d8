// The columns of a sheet that fill the fields of a link, if *Mapping Mode* says so.

import type { IDataObject } from 'n8n-workflow';

import { MAPPED } from '../../../shared/operations/fields';
import { type Cell, columnLabel, type Columns, type Form } from '../../../shared/operations/form';
import { inputFailure, quoted } from '../../../shared/values/failure';
import { mapIn, textIn } from '../../../shared/values/json';
import { type GetParameter, isBlank } from '../../../shared/values/input';
import { cleaned } from '../../../shared/values/text';
import { UTM_NAMES, utmLabel } from './body';

/** By what they fill, the names of columns. */
type Names = Readonly<Record<string, readonly string[]>>;

/**
 * The columns of members of the body; the first of them with a value counts. Long URL and Alias come last, because a sheet
 * to which results were written back has `longurl` and `alias` of the last run.
 */
export const LINK_COLUMNS = {
	url: ['URL', 'Target URL', 'Long URL'],
	custom: ['Custom Alias', 'Slug', 'Alias'],
	domain: ['Domain'],
	expiry: ['Expiry'],
	password: ['Password'],
	metatitle: ['Meta Title'],
	metadescription: ['Meta Description'],
	metaimage: ['Meta Image'],
} as const satisfies Names;

const UTM_COLUMNS: Names = Object.fromEntries(UTM_NAMES.map((name) => [name, [utmLabel(name)]]));

const COLUMNS: Names = {
	...LINK_COLUMNS,
	campaignId: ['Campaign'],
	channelId: ['Channel'],
	...UTM_COLUMNS,
};

/** For the panel: `URL (or Target URL, Long URL), …, UTM Source, …` */
export const COLUMN_NAMES = Object.values(COLUMNS)
	.map(([first, ...others]) => `${first}${others.length === 0 ? '' : ` (or ${others.join(', ')})`}`)
	.join(', ');

const columnName = (column: string): string =>
	cleaned(column)
		.toLowerCase()
		.replace(/[\s_-]/g, '');

/** The names of all columns, as `columnName` gives them. */
export const KNOWN_COLUMNS: ReadonlySet<string> = new Set(
	Object.values(COLUMNS).flat().map(columnName),
);

/** Separated by commas or line breaks; an expression may give a list. */
function ignoredColumns(parameter: GetParameter): string[] {
	const { ignoredColumns: held } = mapIn(parameter('options'));
	const names = Array.isArray(held) ? held.map(String) : (textIn(held) ?? '').split(/[,\n]/);
	return names.map((name) => columnName(name.trim()));
}

/** The columns with a value, whatever their spelling. If two have the same name, the first counts. */
export function mappedColumns(parameter: GetParameter, row: IDataObject): Columns | undefined {
	if (parameter('mappingMode') !== MAPPED) return undefined;
	const ignored = ignoredColumns(parameter);
	const filled = Object.entries(row)
		.map(([column, value]) => ({ name: columnName(column), column, value }))
		.filter(({ name, value }) => !ignored.includes(name) && !isBlank(value));
	const cells = new Map<string, Cell>();
	for (const [use, columns] of Object.entries(COLUMNS)) {
		const cell = columns
			.map((column) => filled.find(({ name }) => name === columnName(column)))
			.find((each) => each !== undefined);
		if (cell) cells.set(use, cell);
	}
	return cells;
}

/**
 * What the fields of a new link hold, from the panel or from the columns of the row.
 * @param entered what the fields of the panel hold
 * @returns undefined if the row has no value in any column of a link
 * @throws Failure if it has a value but no URL
 */
export function enteredLink(entered: IDataObject, { columns, row }: Form): IDataObject | undefined {
	if (!columns) return entered;
	const link = valuesOf(columns, LINK_COLUMNS);
	const utm = valuesOf(columns, UTM_COLUMNS);
	if (Object.keys({ ...link, ...utm }).length === 0) return undefined;
	if (columns.has('url')) return { ...entered, ...link, utm: { ...mapIn(entered.utm), ...utm } };
	const names = Object.keys(row).slice(0, 20).map(quoted).join(', ');
	throw inputFailure(
		`The row has no URL; its columns are ${names}`,
		'Name the column with the long URLs "url". A row without any value is skipped',
	);
}

const valuesOf = (columns: Columns, members: Names): IDataObject =>
	Object.fromEntries(
		Object.keys(members).flatMap((member) => {
			const cell = columns.get(member);
			return cell ? [[member, valueOf(cell)] as const] : [];
		}),
	);

/** @throws Failure if it is the error of a formula, such as `#REF!`, which would become a part of the link */
export function valueOf(cell: Cell): Cell['value'] {
	const text = typeof cell.value === 'string' ? cleaned(cell.value) : '';
	if (!/^#[\p{Lu}¡¿][\p{Lu}/0]*[!?]?$/u.test(text.toUpperCase())) return cell.value;
	throw inputFailure(
		`${columnLabel(cell)} has a formula error, ${quoted(text)}`,
		'Correct the formula in the sheet, or empty the cell',
	);
}
