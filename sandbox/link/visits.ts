import type { Dialect } from '../dialects.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import type { Records } from '../records.ts';
import { mapOf } from './answers.ts';

/** Clicks of links and scans of QR codes: how they are counted, in the record itself, and what its statistics say. */

/** Counts visits. Each country has one visitor, and all of them use the same browser on the same system. */
export function countVisits(records: Records, id: unknown, times = 1, country = 'Germany'): void {
	const { clicks = 0, countries } = records.first('id = ?', Number(id)) ?? {};
	const known = fieldsOf(countries);
	records.change(id, {
		clicks: Number(clicks) + times,
		countries: { ...known, [country]: Number(known[country] ?? 0) + times },
	});
}

/** "Statistics (`data`)" of a link or a QR code. */
export function statisticsOf(record: Fields, dialect: Dialect, isOfLink = false): Fields {
	const clicks = Number(record.clicks);
	const countries = fieldsOf(record.countries);
	// "each an object from a label to a count given as a string"; "in link details the top* members appear as integers"
	const top = (counts: Fields): unknown => {
		const entries = Object.entries(counts);
		const isInteger = dialect.topStatistics === 'integer' || entries.length === 0;
		if (isOfLink && isInteger) return entries.length;
		const texts = entries.map(([label, count]) => [label, String(count)]);
		return mapOf(Object.fromEntries(texts) as Fields, dialect);
	};
	const all = (label: string): unknown => top(clicks === 0 ? {} : { [label]: clicks });
	const tops = {
		topCountries: top(countries),
		topReferrers: all('t.co'),
		topBrowsers: all('Chrome'),
		topOs: all('Windows'),
	};
	const isWithoutTops = isOfLink && clicks === 0 && dialect.topStatistics === 'absent';
	return {
		clicks,
		uniqueClicks: Object.keys(countries).length,
		...(isWithoutTops ? {} : tops),
		socialCount: { facebook: 0, instagram: 0, linkedin: 0, twitter: clicks },
	};
}
