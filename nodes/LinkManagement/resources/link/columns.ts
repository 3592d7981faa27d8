import type { IDataObject } from 'n8n-workflow';

import { MAPPED } from '../../../shared/operations/fields';
import type { Form } from '../../../shared/operations/form';
import { inputFailure, quoted } from '../../../shared/values/failure';
import { mapIn, textIn } from '../../../shared/values/json';
import { type GetParameter, looksBlank, trimmed } from '../../../shared/values/input';
import { UTM_NAMES, utmLabel } from './body';

/** By member, the names of its columns. */
type Columns = Readonly<Record<string, readonly string[]>>;

/**
 * The columns of each member of the body; the first of them with a value counts. Long URL and Alias come last, because a sheet
 * to which results were written back has `longurl` and `alias` of the last run.
 */
const COLUMNS = {
	url: ['URL', 'Target URL', 'Long URL'],
	custom: ['Custom Alias', 'Slug', 'Alias'],
	domain: ['Domain'],
	expiry: ['Expiry'],
	password: ['Password'],
	metatitle: ['Meta Title'],
	metadescription: ['Meta Description'],
	metaimage: ['Meta Image'],
} as const satisfies Columns;

const UTM_COLUMNS: Columns = Object.fromEntries(UTM_NAMES.map((name) => [name, [utmLabel(name)]]));

/** The columns with the name of a place that the link is put into. */
const PLACE_COLUMNS = [
	{ what: 'campaign', column: 'Campaign' },
	{ what: 'channel', column: 'Channel' },
] as const;

const ALL_COLUMNS = [
	...Object.values(COLUMNS),
	...PLACE_COLUMNS.map(({ column }) => [column]),
	...Object.values(UTM_COLUMNS),
];

/** For the panel: `URL (or Target URL, Long URL), …, UTM Source, …` */
export const COLUMN_NAMES = ALL_COLUMNS.map(([first, ...others]) =>
	others.length === 0 ? first : `${first} (or ${others.join(', ')})`,
).join(', ');

const columnName = (column: string): string => column.toLowerCase().replace(/[\s_-]/g, '');

interface Cell {
	/** As the input has it. */
	column: string;
	value: IDataObject[string];
}

/** Reads the cell of a column by its name, whatever the spelling; undefined if it is blank, or to be ignored. */
function cellsOf(row: IDataObject, parameter: GetParameter): (column: string) => Cell | undefined {
	const ignored = ignoredColumns(parameter);
	const cells = new Map<string, Cell>();
	for (const [column, value] of Object.entries(row)) {
		const name = columnName(column);
		if (!looksBlank(value) && !ignored.has(name) && !cells.has(name))
			cells.set(name, { column, value });
	}
	return (column) => cells.get(columnName(column));
}

/** Separated by commas or line breaks; an expression may give a list. */
function ignoredColumns(parameter: GetParameter): Set<string> {
	const { ignoredColumns: held } = mapIn(parameter('options'));
	const names = Array.isArray(held) ? held.map(String) : (textIn(held) ?? '').split(/[,\n]/);
	return new Set(names.map((name) => columnName(name.trim())));
}

/** The cells that fill members of the body, or UTM tags. */
function cellsIn(cellOf: ReturnType<typeof cellsOf>, members: Columns): ReadonlyMap<string, Cell> {
	const found = Object.entries(members).flatMap(([member, columns]) => {
		const cell = columns.map(cellOf).find((each) => each !== undefined);
		return cell === undefined ? [] : [[member, cell] as const];
	});
	return new Map(found);
}

const valuesOf = (cells: ReadonlyMap<string, Cell>): IDataObject =>
	Object.fromEntries([...cells].map(([member, { value }]) => [member, value] as const));

/** A cell with the name of a place. */
export interface PlaceColumn {
	what: (typeof PLACE_COLUMNS)[number]['what'];
	/** Of the column, as the input has it. */
	name: string;
	text: unknown;
}

/** The cells of a row with the name of a campaign or a channel. */
export function placeColumns({ parameter, input: { item } }: Form): PlaceColumn[] {
	if (parameter('mappingMode') !== MAPPED) return [];
	const cellOf = cellsOf(item, parameter);
	return PLACE_COLUMNS.flatMap(({ what, column }) => {
		const cell = cellOf(column);
		if (cell === undefined) return [];
		refuseFormulaError(columnLabel(cell.column), cell.value);
		return [{ what, name: cell.column, text: cell.value }];
	});
}

const NAMES = new Set(ALL_COLUMNS.flat().map(columnName));

/** The columns that fill fields; see `OperationPlan.mappedColumns`. */
export function mappedColumns(
	parameter: GetParameter,
	row: IDataObject,
): readonly string[] | undefined {
	if (parameter('mappingMode') !== MAPPED) return undefined;
	const ignored = ignoredColumns(parameter);
	return Object.keys(row).filter((column) => {
		const name = columnName(column);
		return NAMES.has(name) && !ignored.has(name);
	});
}

/** Whether any of these items has a URL; kept, because each item without one needs to know. */
const haveUrl = new WeakMap<object, boolean>();

/**
 * What the fields of a new link hold, from the panel or from the columns of the item.
 * @param entered what the fields of the panel hold
 * @returns undefined if the item has no value in any column
 * @throws Failure if none of the items has a URL, or this one has a value that cannot be meant
 */
export function enteredLink(
	entered: IDataObject,
	{ parameter, input: { item, items } }: Form,
): IDataObject | undefined {
	if (parameter('mappingMode') !== MAPPED) {
		refuseFormulaErrors(COLUMNS, entered);
		refuseFormulaErrors(UTM_COLUMNS, mapIn(entered.utm));
		return entered;
	}
	const cellOf = cellsOf(item, parameter);
	const cells = cellsIn(cellOf, COLUMNS);
	const utm = cellsIn(cellOf, UTM_COLUMNS);
	if (!cells.has('url')) requireUrl(items, parameter);
	if (cells.size + utm.size === 0) return undefined;
	for (const cell of [...cells.values(), ...utm.values()])
		refuseFormulaError(columnLabel(cell.column), cell.value);
	if (!cells.has('url')) {
		throw inputFailure(
			'URL is empty',
			'Enter one in this row, or empty the whole row: then it is skipped',
		);
	}
	return { ...entered, ...valuesOf(cells), utm: { ...mapIn(entered.utm), ...valuesOf(utm) } };
}

/** See `OperationPlan.labels`. */
export const columnLabels = ({ parameter, input: { item } }: Form): Record<string, string> =>
	parameter('mappingMode') === MAPPED
		? Object.fromEntries(
				[...cellsIn(cellsOf(item, parameter), COLUMNS)].map(
					([member, cell]) => [member, columnLabel(cell.column)] as const,
				),
			)
		: {};

/** As errors name it. */
export const columnLabel = (column: string): string => `Column "${column}"`;

function refuseFormulaErrors(members: Columns, values: IDataObject): void {
	for (const [member, [label = '']] of Object.entries(members))
		refuseFormulaError(label, values[member]);
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

function requireUrl(items: Form['input']['items'], parameter: GetParameter): void {
	const found =
		haveUrl.get(items) ??
		items.some(({ json }) => cellsIn(cellsOf(json, parameter), COLUMNS).has('url'));
	haveUrl.set(items, found);
	if (found) return;
	const columns = [...new Set(items.flatMap(({ json }) => Object.keys(json)))];
	const ofUrls = columns.find((column) => COLUMNS.url.map(columnName).includes(columnName(column)));
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
