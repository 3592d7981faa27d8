import type { IDataObject } from 'n8n-workflow';

import {
	booleanIn,
	integerIn,
	mapIn,
	requireRecord,
	textIn,
	withTypes,
} from '../shared/values/json';
import { normalized } from '../shared/values/text';
import { urlIn } from '../shared/values/webAddress';

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

/** The last part of a short URL's path. @param expected an alias with slashes is known only to those who chose it */
export function aliasIn(shortUrl: unknown, expected?: string): string | undefined {
	const url = typeof shortUrl === 'string' ? urlIn(shortUrl) : undefined;
	if (!url) return undefined;
	const path = spelled(url.pathname);
	const alias = path.split('/').findLast((part) => part !== '');
	return expected !== undefined && path.endsWith(`/${spelled(expected)}`) ? expected : alias;
}

/** Decodes percent-encoding, so that a name has one spelling: `größe` for `gr%C3%B6%C3%9Fe`. */
export const spelled = (text: string): string =>
	normalized(text.replace(/(?:%[\da-f]{2})+/gi, decodedIfPossible));

function decodedIfPossible(encoded: string): string {
	try {
		return decodeURIComponent(encoded);
	} catch {
		return encoded;
	}
}

/** The host of an address that may have no scheme, with its port unless that is the default one. */
export function hostIn(address: unknown): string | undefined {
	const url = urlIn(`http://${textIn(address)?.replace(/^https?:\/\//i, '') ?? ''}`);
	return url?.host.replace(/:443$/, '').replace(/\.$/, '');
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
