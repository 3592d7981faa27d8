import type { Dialect } from '../dialects.ts';
import { type Fields, isRecord } from '../input.ts';
import type { Records } from '../records.ts';
import { mapOf } from './answers.ts';

/** Clicks of links and scans of QR codes: how they are counted, in the record itself, and what its statistics say. */

export const HOME = 'Germany';

/** Counts visits. Each country has one visitor, and all of them use the same browser on the same system. */
export function countVisits(records: Records, id: number, times = 1, country = HOME): void {
	const record = records.first('id = ?', id) ?? {};
	const member = records.table === 'links' ? 'clicks' : 'scans';
	const known = countriesOf(record);
	records.change(record, {
		[member]: Number(record[member]) + times,
		countries: { ...known, [country]: Number(known[country] ?? 0) + times },
	});
}

const countriesOf = ({ countries }: Fields): Fields => (isRecord(countries) ? countries : {});

/** "Statistics (`data`)" of a link or a QR code. */
export function statisticsOf(record: Fields, show: (counts: Fields) => unknown): Fields {
	const clicks = Number(record.clicks ?? record.scans);
	const countries = countriesOf(record);
	const all = (label: string): Fields => (clicks === 0 ? {} : { [label]: clicks });
	return {
		clicks,
		uniqueClicks: Object.keys(countries).length,
		topCountries: show(countries),
		topReferrers: show(all('t.co')),
		topBrowsers: show(all('Chrome')),
		topOs: show(all('Windows')),
		socialCount: { facebook: 0, instagram: 0, linkedin: 0, twitter: clicks },
	};
}

/** "each an object from a label to a count given as a string" */
export const topOf =
	(dialect: Dialect) =>
	(counts: Fields): Fields | [] =>
		mapOf(
			Object.fromEntries(Object.entries(counts).map(([label, count]) => [label, String(count)])),
			dialect,
		);

/** "In link details the top* members appear as integers; their shape when there is traffic: not shown." */
export const topOfLink =
	(dialect: Dialect) =>
	(counts: Fields): unknown => {
		const labels = Object.keys(counts).length;
		return dialect.topStatistics === 'integer' || labels === 0 ? labels : topOf(dialect)(counts);
	};
