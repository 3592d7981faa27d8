// The columns of a sheet that fill the fields of a link, if *Mapping Mode* says so.

import type { IDataObject } from 'n8n-workflow';

import { MAPPED } from '../../../shared/operations/fields';
import type { Form } from '../../../shared/operations/form';
import {
	type Cell,
	columnLabel,
	type MappedColumns,
} from '../../../shared/operations/mappedColumns';
import { inputFailure, quoted } from '../../../shared/values/failure';
import { mapIn, textIn } from '../../../shared/values/json';
import { type GetParameter, looksBlank, trimmed } from '../../../shared/values/input';
import { UTM_NAMES, utmLabel } from './body';

/** By what they fill, the names of columns. */
type Columns = Readonly<Record<string, readonly [first: string, ...others: string[]]>>;

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
} as const satisfies Columns;

/** The columns of UTM tags. */
const UTM_COLUMNS: Columns = Object.fromEntries(UTM_NAMES.map((name) => [name, [utmLabel(name)]]));

const COLUMNS: Columns = {
	...LINK_COLUMNS,
	campaignId: ['Campaign'],
	channelId: ['Channel'],
	...UTM_COLUMNS,
};

/** For the panel: `URL (or Target URL, Long URL), …, UTM Source, …` */
export const COLUMN_NAMES = Object.values(COLUMNS)
	.map(([first, ...others]) => (others.length === 0 ? first : `${first} (or ${others.join(', ')})`))
	.join(', ');

const columnName = (column: string): string => column.toLowerCase().replace(/[\s_-]/g, '');

/** The columns by what they fill, in the spelling of `columnName`. */
const NAMES_BY_USE = Object.entries(COLUMNS).map(
	([use, columns]) => [use, columns.map(columnName)] as const,
);

const URL_NAMES = LINK_COLUMNS.url.map(columnName);

/** The names of all columns, as `columnName` gives them. */
export const KNOWN_COLUMNS: ReadonlySet<string> = new Set(
	NAMES_BY_USE.flatMap(([, names]) => names),
);

/** Separated by commas or line breaks; an expression may give a list. */
function ignoredColumns(parameter: GetParameter): Set<string> {
	const { ignoredColumns: held } = mapIn(parameter('options'));
	const names = Array.isArray(held) ? held.map(String) : (textIn(held) ?? '').split(/[,\n]/);
	return new Set(names.map((name) => columnName(name.trim())));
}

/** See `OperationPlan.mappedColumns`. */
export const mappedColumns = (
	parameter: GetParameter,
	row: IDataObject,
): MappedColumns | undefined =>
	parameter('mappingMode') === MAPPED ? columnsIn(row, ignoredColumns(parameter)) : undefined;

/** The columns of a row, whatever their spelling. If two have the same name, the first with a value counts. */
function columnsIn(row: IDataObject, ignored: ReadonlySet<string>): MappedColumns {
	const names: string[] = [];
	const filled = new Map<string, Cell>();
	for (const [column, value] of Object.entries(row)) {
		const name = columnName(column);
		if (!KNOWN_COLUMNS.has(name) || ignored.has(name)) continue;
		names.push(column);
		if (!looksBlank(value) && !filled.has(name)) filled.set(name, { column, value });
	}
	const cells = new Map<string, Cell>();
	for (const [use, columns] of NAMES_BY_USE) {
		const cell = columns.map((name) => filled.get(name)).find((each) => each !== undefined);
		if (cell) cells.set(use, cell);
	}
	return { names, cells };
}

/**
 * What the fields of a new link hold, from the panel or from the columns of the item.
 * @param entered what the fields of the panel hold
 * @returns undefined if the item has no value in any column of a link
 * @throws Failure if none of the items has a URL, or this one has a value that cannot be meant
 */
export function enteredLink(entered: IDataObject, form: Form): IDataObject | undefined {
	const { cells } = form.mapped ?? {};
	if (!cells) {
		refuseFormulaErrors(LINK_COLUMNS, entered);
		refuseFormulaErrors(UTM_COLUMNS, mapIn(entered.utm));
		return entered;
	}
	if (!cells.has('url')) requireUrl(form);
	const link = valuesOf(cells, LINK_COLUMNS);
	const utm = valuesOf(cells, UTM_COLUMNS);
	if (Object.keys({ ...link, ...utm }).length === 0) return undefined;
	if (!cells.has('url')) {
		throw inputFailure(
			'URL is empty',
			'Enter one in this row, or empty the whole row: then it is skipped',
		);
	}
	return { ...entered, ...link, utm: { ...mapIn(entered.utm), ...utm } };
}

/** The values of the cells that fill these members. @throws Failure if one is a formula error */
function valuesOf(cells: MappedColumns['cells'], members: Columns): IDataObject {
	const values: IDataObject = {};
	for (const member of Object.keys(members)) {
		const cell = cells.get(member);
		if (cell) values[member] = valueOf(cell);
	}
	return values;
}

/** @throws Failure if it is a formula error */
export function valueOf(cell: Cell): Cell['value'] {
	refuseFormulaError(columnLabel(cell), cell.value);
	return cell.value;
}

function refuseFormulaErrors(members: Columns, values: IDataObject): void {
	for (const [member, value] of Object.entries(values)) {
		const [label] = members[member] ?? [];
		if (label !== undefined) refuseFormulaError(label, value);
	}
}

/** A formula error would become a part of the link, such as its alias. */
function refuseFormulaError(label: string, value: unknown): void {
	const text = typeof value === 'string' ? trimmed(value) : '';
	if (!FORMULA_ERRORS.has(text.toUpperCase())) return;
	throw inputFailure(
		`${label} has a formula error, ${quoted(text)}`,
		'Correct the formula in the sheet, or empty the cell',
	);
}

/** Errors of formulas as spreadsheets write them in English, French, German, Italian and Spanish. */
const FORMULA_ERRORS = new Set(
	[
		['#N/A', '#NV', '#N/D'],
		['#REF!', '#BEZUG!', '#RIF!', '#¡REF!'],
		['#NAME?', '#NOM?', '#NOME?', '#¿NOMBRE?'],
		['#VALUE!', '#WERT!', '#VALEUR!', '#VALORE!', '#¡VALOR!'],
		['#DIV/0!', '#¡DIV/0!'],
		['#NUM!', '#ZAHL!', '#NOMBRE!', '#¡NUM!'],
		['#NULL!', '#NUL!', '#NULLO!', '#¡NULO!'],
		['#ERROR!', '#FEHLER!', '#ERREUR!', '#ERRORE!', '#¡ERROR!'],
		['#SPILL!', '#ÜBERLAUF!', '#CALC!', '#KALK!', '#FIELD!', '#GETTING_DATA'],
	].flat(),
);

/** @throws Failure if no item has a URL */
function requireUrl({ parameter, input: { items } }: Form): void {
	const ignored = ignoredColumns(parameter);
	const hasUrl = (row: IDataObject): boolean => columnsIn(row, ignored).cells.has('url');
	if (items.some(`URL, ignoring ${[...ignored].join()}`, hasUrl)) return;
	const { columns } = items;
	const ofUrls = columns.find((column) => URL_NAMES.includes(columnName(column)));
	if (ofUrls !== undefined) {
		throw inputFailure(
			`No item has a URL: the column "${ofUrls}" is empty, or to be ignored`,
			'Check what the node before this one outputs',
		);
	}
	const names = columns.slice(0, 20).map((column) => `"${column}"`);
	throw inputFailure(
		`No item has a URL; the input has ${names.length === 0 ? 'no columns' : `the columns ${names.join(', ')}`}`,
		'Name the column with the long URLs "url", or set Mapping Mode to Map Each Field Below',
	);
}
