// The columns of a sheet that fill the fields of a link, with *Map Automatically*.

import type { IDataObject } from 'n8n-workflow';

import type { RowInput, Cell, Columns } from '../../../shared/operations/operation';
import { inputFailure, quoted } from '../../../shared/values/failure';
import { mapIn } from '../../../shared/values/json';
import { isBlank, isNothing } from '../../../shared/values/input';
import { visibleText } from '../../../shared/values/text';
import { UTM_NAMES, utmLabel } from './body';
import { requireKnownColumn } from './unknownColumns';

/** By what they fill, the names of columns; the first of them with a value counts. */
type Names = Readonly<Record<string, readonly string[]>>;

/**
 * The columns of members of the body, under our names and those of other tools:
 * - Bitly's API and its panel: long_url, custom_bitlink, back-half
 * - Dub's export: Destination URL, Expires at
 * - Google's Campaign URL Builder: website URL; Google Ads: final URL
 * - Rebrandly's API: destination, slashtag
 * - Shlink's export and API: longUrl, shortCode, validUntil
 * - Short.io's API: originalURL
 *
 * What often means something else is left out: YOURLS's keyword, Short.io's path, Dub's key. In exports of Bitly and Dub, `link`
 * is the short URL, so it counts only without a long one.
 */
const LINK_COLUMNS = {
	url: [
		'URL',
		'Target URL',
		'Destination URL',
		'Destination',
		'Website URL',
		'Landing Page',
		'Final URL',
		'Original URL',
		'Long URL',
		'Link',
	],
	custom: [
		'Custom Alias',
		'Slug',
		'Short Code',
		'Back Half',
		'Slashtag',
		'Custom Bitlink',
		'Alias',
	],
	domain: ['Domain'],
	expiry: ['Expiry', 'Expires', 'Expires At', 'Expiry Date', 'Valid Until'],
	password: ['Password'],
	metatitle: ['Meta Title', 'Title'],
	metadescription: ['Meta Description'],
	metaimage: ['Meta Image'],
} as const satisfies Names;

/** Google's Campaign URL Builder calls the tag of the campaign its name. */
const googleLabel = (name: string): string =>
	name === 'campaign' ? 'Campaign Name' : utmLabel(name).replace('UTM', 'Campaign');

const UTM_COLUMNS: Names = Object.fromEntries(
	UTM_NAMES.map((name) => [name, [utmLabel(name), googleLabel(name)]]),
);

const COLUMNS: Names = {
	...LINK_COLUMNS,
	campaignId: ['Campaign'],
	channelId: ['Channel'],
	...UTM_COLUMNS,
};

/** A note at a name, as in `URL*`, `*URL` and `URL (required)`. */
const NOTE = /^\*|(?:[*:]|[(（][^()（）]*[)）]|\[[^[\]]*\]){1,3}$/;

/** A name without its note, and without what people write in many ways: case, blanks, `_`, `-`, quotes, characters that nobody sees. */
const columnName = (column: string): string =>
	visibleText(column)
		.toLowerCase()
		.replace(/[\s_"'-]/g, '')
		.replace(NOTE, '');

const NAMES_BY_USE = Object.entries(COLUMNS).map(
	([use, names]) => [use, names.map(columnName)] as const,
);

/** The names of all columns that fill a field, as `columnName` gives them. */
const KNOWN_COLUMNS: ReadonlySet<string> = new Set(NAMES_BY_USE.flatMap(([, names]) => names));

const URL_NAMES: ReadonlySet<string> = new Set(LINK_COLUMNS.url.map(columnName));

const isUrlColumn = (column: string): boolean => URL_NAMES.has(columnName(column));

/** What a sheet has from an earlier run, and its row number. */
const RESULT_COLUMNS: ReadonlySet<string> = new Set([
	'clicks',
	'date',
	'error',
	'id',
	'outcome',
	'qrcode',
	'qrcodeid',
	'rownumber',
	'shorturl',
]);

export function unusedColumns({ row }: RowInput): string {
	const unused = Object.keys(row).filter((column) => {
		const name = columnName(column);
		return !KNOWN_COLUMNS.has(name) && !RESULT_COLUMNS.has(name);
	});
	return unused.map(visibleText).join(', ');
}

/**
 * The columns with a value, whatever their spelling. Of several for one field, one with a note counts after the others, and
 * `longurl` and `alias`, which an earlier run has output, count last.
 */
export function mappedColumns(row: IDataObject): Columns {
	const filled = Object.entries(row)
		.filter(([, value]) => !isBlank(value) && !isNothing(value))
		.map(([column, value]) => ({
			name: columnName(column),
			column: visibleText(column),
			value,
		}));
	const isResult = ({ column }: Cell) => column === 'longurl' || column === 'alias';
	const isNoted = ({ column }: Cell) => NOTE.test(column);
	const results = filled.filter(isResult);
	const noted = filled.filter(isNoted);
	const others = filled.filter((cell) => !isResult(cell) && !isNoted(cell));
	const cells = new Map<string, Cell>();
	for (const [use, names] of NAMES_BY_USE) {
		const cell =
			firstNamed(names, others) ?? firstNamed(names, noted) ?? firstNamed(names, results);
		if (cell) cells.set(use, cell);
	}
	return cells;
}

const firstNamed = (
	names: readonly string[],
	cells: ReadonlyArray<Cell & { name: string }>,
): Cell | undefined =>
	names
		.map((wanted) => cells.find(({ name }) => name === wanted))
		.find((cell) => cell !== undefined);

/** What the row says of a link. @returns undefined if no column of a link has a value @throws Failure without a URL */
export function enteredLink(
	entered: IDataObject,
	columns: Columns,
	input: RowInput,
): IDataObject | undefined {
	const link = valuesOf(columns, LINK_COLUMNS);
	const utm = valuesOf(columns, UTM_COLUMNS);
	const tags = { ...mapIn(entered.utm), ...utm };
	if (columns.has('url')) {
		requireTagNames(input.row, link.url, tags);
		return { ...entered, ...link, utm: tags };
	}
	const column = requireKnownColumn(input, isUrlColumn);
	if (Object.keys({ ...link, ...utm }).length === 0) return undefined;
	const cell = input.row[column];
	const held = isBlank(cell) ? 'is empty' : `has only ${quoted(cell)}`;
	throw inputFailure(
		`Column ${quoted(visibleText(column))} ${held}, but others of the row have a value`,
		'Fill it in. A row without any value is skipped',
	);
}

/** In sheets that build UTM tags these two are tags. Links without them would count all clicks together. */
const SHORT_TAGS = ['source', 'medium'];

/** @throws Failure if the row has both, and no tag in its URL, another column or the panel */
function requireTagNames(row: IDataObject, url: unknown, tags: IDataObject): void {
	const isTagged = /[?&]utm_/i.test(String(url)) || !Object.values(tags).every(isBlank);
	const short = Object.keys(row).filter(
		(column) => SHORT_TAGS.includes(columnName(column)) && !isBlank(row[column]),
	);
	if (isTagged || short.length < SHORT_TAGS.length) return;
	const names = short.map(visibleText).map(quoted).join(' and ');
	throw inputFailure(
		`The columns ${names} may be UTM tags, or something else`,
		'Name tags "UTM Source", "UTM Medium" and "UTM Campaign"; rename other columns, such as "Lead Source"',
	);
}

const valuesOf = (columns: Columns, members: Names): IDataObject =>
	Object.fromEntries(
		Object.keys(members).flatMap((member) => {
			const cell = columns.get(member);
			return cell ? [[member, valueOf(cell)] as const] : [];
		}),
	);

/** A custom bitlink is an alias behind its domain. */
const valueOf = ({ column, value }: Cell): Cell['value'] =>
	columnName(column) === 'custombitlink' && typeof value === 'string'
		? value.replace(/^.*\//, '')
		: value;
