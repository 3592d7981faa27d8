import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../shared/values/failure';
import {
	booleanIn,
	idIn,
	integerIn,
	mapIn,
	requireRecord,
	textIn,
	withTypes,
} from '../shared/values/json';
import { decodeEntities } from '../shared/values/text';
import { aliasIn } from './values/shortUrl';

/** The link service's records as the output has them: with the document's names and types. */

export const record = (entry: IDataObject): IDataObject =>
	withTypes(entry, {
		id: integerIn,
		clicks: integerIn,
		scans: integerIn,
		public: booleanIn,
		starred: booleanIn,
		description: decodedText,
		longurl: decodedText,
		name: decodedText,
		tag: decodedText,
		title: decodedText,
	});

const decodedText = (value: unknown): string | undefined =>
	typeof value === 'string' ? decodeEntities(value) : undefined;

/** A link of the list; some services show in which campaign and channel it is. */
export const linkRecord = (entry: IDataObject): IDataObject =>
	withTypes(record(entry), { campaign: integerIn, channel: integerIn });

/** Whether these links have the newest first, and were read up to this time. Those that were made in one second are known by their IDs. */
export function isReadUntil(links: readonly IDataObject[], date: string): boolean {
	const dates = links.map((link) => textIn(link.date));
	const isSorted = dates.every((each, at) => each !== undefined && each <= (dates[at - 1] ?? each));
	const [newest, oldest] = [links[0], links.at(-1)].map((link) => idIn(link?.id) ?? 0);
	return isSorted && (oldest ?? 0) <= (newest ?? 0) && (dates.at(-1) ?? date) < date;
}

/** A campaign; some responses have its name under `domain` (document: "Campaign") or `campaign`. */
export function campaignRecord(entry: IDataObject): IDataObject {
	const { id, domain, campaign, name = domain ?? campaign, ...members } = entry;
	return record({ id, name, ...members });
}

/**
 * A QR code's details with its statistics beside them. Some services have the date among the statistics.
 * @throws Failure if it is another one
 */
export function qrCodeDetails(body: IDataObject, id: number): IDataObject {
	const details = record(requireRecord(body, 'details'));
	if ((details.id ?? id) !== id) throw noRecord('QR code', id);
	const { date, ...figures } = mapIn(body.data);
	return { ...details, date: details.date ?? date ?? null, statistics: statistics(figures) };
}

/** A short link's details with its statistics beside them (document: "Detail record"). */
export function linkDetails(body: IDataObject): IDataObject {
	const details = requireRecord(body, 'details');
	const { id, ...members } = record({ id: body.id, ...details });
	return {
		id,
		alias: aliasIn(details.shorturl) ?? null,
		...members,
		location: mapIn(details.location),
		device: mapIn(details.device),
		statistics: statistics(body.data),
	};
}

/** The details of the link that was asked for. Some services respond to an unknown one with id 0. @throws Failure if it is another */
export function linkDetailsOf(body: IDataObject, id: number): IDataObject {
	const details = linkDetails(body);
	const shown = details.id ?? id;
	if (shown === id && textIn(details.shorturl) !== undefined) return { ...details, id };
	throw noRecord('link', id);
}

const noRecord = (what: string, id: number): Failure =>
	new Failure({
		kind: 'missing',
		message: `There is no ${what} with the ID ${id}`,
		advice: 'It may have been deleted, or belong to another account',
	});

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
