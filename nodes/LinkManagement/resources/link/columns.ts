// The columns of a sheet that fill the fields of a link, with *Map Automatically*.

import type { IDataObject } from 'n8n-workflow';

import type { Cell, Columns, Row } from '../../../shared/operations/operation';
import { inputFailure, quoted } from '../../../shared/values/failure';
import { mapIn } from '../../../shared/values/json';
import { cellValue, isBlank, isNothing } from '../../../shared/values/input';
import { visibleText } from '../../../shared/values/text';
import { UTM_NAMES, utmLabel } from './utm';

/** By what they fill, the names of columns; the first of them with a value counts. */
type Names = Readonly<Record<string, readonly string[]>>;

/**
 * The columns of members of the body, under our names and those of other tools:
 * - Bitly's API and its panel: long_url, back-half
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
	custom: ['Custom Alias', 'Slug', 'Short Code', 'Back Half', 'Slashtag', 'Alias'],
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

/** A name without what people write in many ways: case, spaces, `_`, `-`, and a note that the column is required or not. */
const columnName = (column: string): string =>
	visibleText(column)
		.toLowerCase()
		.replace(/\((?:required|optional)\)$|[\s_-]/g, '');

const NAMES_BY_USE = Object.entries({
	...LINK_COLUMNS,
	campaignId: ['Campaign'],
	channelId: ['Channel'],
	...UTM_COLUMNS,
}).map(([use, names]) => [use, names.map(columnName)] as const);

/** Those that fill no field. @param results whose columns a sheet has from an earlier run */
export function unusedColumns(json: IDataObject, results: IDataObject): string {
	const names = NAMES_BY_USE.flatMap(([, each]) => each);
	const written = ['error', 'row_number', 'shorturl', ...Object.keys(results)];
	return Object.keys(json)
		.filter((column) => !names.includes(columnName(column)) && !written.includes(column))
		.map(visibleText)
		.join(', ');
}

/** An earlier run has output them, so they count last. */
const WRITTEN_COLUMNS = ['longurl', 'alias'];

const rank = ({ column }: Cell, names: readonly string[]): number =>
	names.indexOf(columnName(column)) + (WRITTEN_COLUMNS.includes(column) ? names.length : 0);

/** The columns with a value, whatever their spelling. */
export function mappedColumns(json: IDataObject): Columns {
	const filled = Object.entries(json)
		.filter(([, value]) => !isBlank(cellValue(value)) && !isNothing(cellValue(value)))
		.map(([column, value]) => ({ column: visibleText(column), value }));
	const cells = new Map<string, Cell>();
	for (const [use, names] of NAMES_BY_USE) {
		const [cell] = filled
			.filter(({ column }) => names.includes(columnName(column)))
			.sort((a, b) => rank(a, names) - rank(b, names));
		if (cell) cells.set(use, cell);
	}
	return cells;
}

/** What the row says of a link. @returns undefined if no column of a link has a value @throws Failure without a column for the URL */
export function enteredLink(
	entered: IDataObject,
	columns: Columns,
	row: Row,
): IDataObject | undefined {
	const link = valuesOf(columns, LINK_COLUMNS);
	const utm = valuesOf(columns, UTM_COLUMNS);
	requireUrlColumn(row);
	if (Object.keys({ ...link, ...utm }).length === 0) return undefined;
	return { ...entered, ...link, utm: { ...mapIn(entered.utm), ...utm } };
}

const valuesOf = (columns: Columns, members: Names): IDataObject =>
	Object.fromEntries(
		[...columns].filter(([use]) => use in members).map(([use, { value }]) => [use, value]),
	);

/** A reader of files may leave blank cells out of a row, so the first rows of the table count, too. @throws Failure if none has one */
function requireUrlColumn({ json: own, node }: Row): void {
	const items = node.getExecuteData().data.main?.[0] ?? [];
	const columns = [own, ...items.slice(0, 100).map(({ json }) => json)].flatMap(Object.keys);
	const known: readonly string[] = LINK_COLUMNS.url.map(columnName);
	if (columns.some((column) => known.includes(columnName(column)))) return;
	const names = [...new Set(columns)].slice(0, 20).map(visibleText).map(quoted).join(', ');
	throw inputFailure(
		`No column has the long URLs; the columns are ${names || 'none'}`,
		'Name that column "url". If all names are in one, set \'Delimiter\' in Extract from File',
	);
}
