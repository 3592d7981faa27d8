import type { IDataObject } from 'n8n-workflow';

import { booleanIn, integerIn, mapIn, requireRecord, withTypes } from '../shared/values/json';
import { aliasIn } from './values/shortUrl';

/** The link service's records as the output has them: with the document's names and types. */

export const record = (entry: IDataObject): IDataObject =>
	withTypes(entry, {
		id: integerIn,
		clicks: integerIn,
		scans: integerIn,
		public: booleanIn,
		starred: booleanIn,
	});

/** A campaign; some responses have its name under `domain` (document: "Campaign"). */
export function campaignRecord(entry: IDataObject): IDataObject {
	const { id, domain, name, ...members } = record(entry);
	return { id, name: name ?? domain, ...members };
}

export const qrCodeDetails = (body: IDataObject): IDataObject => ({
	...record(requireRecord(body, 'details')),
	statistics: statistics(body.data),
});

/** A short link's details with its statistics beside them (document: "Detail record"). */
export function linkDetails(body: IDataObject): IDataObject {
	const details = requireRecord(body, 'details');
	const { id, ...members } = record(details);
	return {
		id,
		alias: aliasIn(details.shorturl) ?? null,
		...members,
		location: mapIn(details.location),
		device: mapIn(details.device),
		statistics: statistics(body.data),
	};
}

const DIMENSIONS = {
	country: 'topCountries',
	referrer: 'topReferrers',
	browser: 'topBrowsers',
	os: 'topOs',
	social: 'socialCount',
} as const;

/** Each `top…` as a map from a label to a number. Some services give the number of labels, which becomes an empty map. */
export function statistics(data: unknown): IDataObject {
	const figures = mapIn(data);
	const maps = Object.values(DIMENSIONS).map((name) => [name, counts(figures[name])] as const);
	const totals = withTypes(figures, { clicks: integerIn, uniqueClicks: integerIn });
	return { ...totals, ...Object.fromEntries(maps) };
}

/** The statistics of a link or a QR code, one record for each number in them; each says whose number it is. */
export function statisticsRows(subject: IDataObject, details: IDataObject): IDataObject[] {
	const { clicks, uniqueClicks, ...maps } = mapIn(details.statistics);
	const labels = Object.entries(DIMENSIONS).map(([name, list]) => [name, maps[list]] as const);
	return [['total', { clicks, uniqueClicks }] as const, ...labels].flatMap(([dimension, map]) =>
		Object.entries(counts(map)).map(([label, count]) => ({ ...subject, dimension, label, count })),
	);
}

/** The entries of a map that are whole numbers, also in strings. */
function counts(value: unknown): IDataObject {
	const numbers = Object.entries(mapIn(value)).flatMap(([label, count]) => {
		const number = integerIn(count);
		return number === undefined ? [] : [[label, number] as const];
	});
	return Object.fromEntries(numbers);
}
