import type { IDataObject } from 'n8n-workflow';

import { MAPPED } from '../../../shared/operations/fields';
import type { Form } from '../../../shared/operations/form';
import { inputFailure } from '../../../shared/values/failure';
import { mapIn } from '../../../shared/values/json';
import { isBlank, type ReadParameter } from '../../../shared/values/input';
import { UTM_NAMES, utmLabel } from './body';

/**
 * The columns of each member of the body; the first of them with a value counts. Long URL and Alias come last, because a sheet
 * to which results were written back has `longurl` and `alias` of the last run.
 */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
	url: ['URL', 'Target URL', 'Long URL'],
	custom: ['Custom Alias', 'Slug', 'Alias'],
	domain: ['Domain'],
	expiry: ['Expiry'],
	password: ['Password'],
	metatitle: ['Meta Title'],
	metadescription: ['Meta Description'],
	metaimage: ['Meta Image'],
};

const UTM_COLUMNS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
	UTM_NAMES.map((name) => [name, [utmLabel(name)]]),
);

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

const nameOf = (column: string): string => column.toLowerCase().replace(/[\s_-]/g, '');

/** Reads the value of a column by its name, whatever the spelling; undefined if the cell is blank. */
function cellsOf(row: IDataObject): (column: string) => IDataObject[string] {
	const cells = new Map<string, IDataObject[string]>();
	for (const [column, value] of Object.entries(row)) {
		const isEmpty = isBlank(typeof value === 'string' ? value.trim() : value);
		if (!isEmpty && !cells.has(nameOf(column))) cells.set(nameOf(column), value);
	}
	return (column) => cells.get(nameOf(column));
}

function valuesOf(row: IDataObject): IDataObject {
	const cell = cellsOf(row);
	const read = (members: typeof COLUMNS): IDataObject =>
		Object.fromEntries(
			Object.entries(members).flatMap(([member, columns]) => {
				const value = columns.map(cell).find((found) => found !== undefined);
				return value === undefined ? [] : [[member, value]];
			}),
		);
	const utm = read(UTM_COLUMNS);
	return { ...read(COLUMNS), ...(Object.keys(utm).length > 0 ? { utm } : {}) };
}

/** A cell with the name of a place. */
export interface PlaceColumn {
	what: (typeof PLACE_COLUMNS)[number]['what'];
	/** Of the column, as the input has it. */
	name: string;
	text: unknown;
}

/** The cells of a row with the name of a campaign or a channel. */
export function placeColumns({ read, input: { item } }: Form): PlaceColumn[] {
	if (read('mappingMode') !== MAPPED) return [];
	const cell = cellsOf(item);
	return PLACE_COLUMNS.flatMap(({ what, column }) => {
		const text = cell(column);
		const name = Object.keys(item).find((each) => nameOf(each) === nameOf(column)) ?? column;
		return text === undefined ? [] : [{ what, name, text }];
	});
}

const NAMES = new Set(ALL_COLUMNS.flat().map(nameOf));

/** The columns that fill fields; see `OperationPlan.mappedColumns`. */
export const mappedColumns = (
	read: ReadParameter,
	row: IDataObject,
): readonly string[] | undefined =>
	read('mappingMode') === MAPPED
		? Object.keys(row).filter((column) => NAMES.has(nameOf(column)))
		: undefined;

/** Whether any of these items has a URL; kept, because each item without one needs to know. */
const haveUrl = new WeakMap<object, boolean>();

/**
 * What the fields of a new link hold, from the panel or from the columns of the item.
 * @param entered what the fields of the panel hold
 * @returns undefined if the item has no value in any column
 * @throws Failure if none of the items has a URL
 */
export function enteredLink(
	entered: IDataObject,
	{ read, input: { item, items } }: Form,
): IDataObject | undefined {
	if (read('mappingMode') !== MAPPED) return entered;
	const values = valuesOf(item);
	if (values.url === undefined) requireUrl(items);
	if (Object.keys(values).length === 0) return undefined;
	return { ...entered, ...values, utm: { ...mapIn(entered.utm), ...mapIn(values.utm) } };
}

function requireUrl(items: Form['input']['items']): void {
	const found = haveUrl.get(items) ?? items.some(({ json }) => valuesOf(json).url !== undefined);
	haveUrl.set(items, found);
	if (found) return;
	const columns = [...new Set(items.flatMap(({ json }) => Object.keys(json)))];
	const names = columns.slice(0, 20).map((column) => `"${column}"`);
	throw inputFailure(
		`No item has a URL; the input has ${names.length === 0 ? 'no columns' : `the columns ${names.join(', ')}`}`,
		'Name the column with the long URLs "url", or set Mapping Mode to Map Each Field Below',
	);
}
