import type { IDataObject } from 'n8n-workflow';

import { requireRecord } from '../shared/http/response';
import { mapIn, withIntegers } from '../shared/values/json';

/** What the link service's records look like in the output: the document's member names, whole numbers as numbers. */

/** A record that has no whole number but its id. */
export const record = (entry: IDataObject): IDataObject => withIntegers(entry, ['id']);

/** A campaign; some answers have its name under `domain` (document: "Campaign"). */
export function campaignRecord(entry: IDataObject): IDataObject {
	const {
		error: _error,
		message: _message,
		id,
		domain,
		name,
		...members
	} = withIntegers(entry, ['id']);
	return { id, name: name ?? domain, ...members };
}

/** A QR code as the list has it (document: "QR code"). */
export const qrCodeRecord = (entry: IDataObject): IDataObject =>
	withIntegers(entry, ['id', 'scans']);

/** A QR code's details with its statistics beside them. */
export const qrCodeDetails = (body: IDataObject): IDataObject => ({
	...qrCodeRecord(requireRecord(body, 'details')),
	statistics: statistics(body.data),
});

/** A short link as the list has it (document: "Short link"). */
export const linkRecord = (entry: IDataObject): IDataObject =>
	withIntegers(entry, ['id', 'clicks']);

/** A short link's details with its statistics beside them (document: "Detail record"). */
export function linkDetails(body: IDataObject): IDataObject {
	const details = requireRecord(body, 'details');
	return {
		...withIntegers(details, ['id']),
		location: mapIn(details.location),
		device: mapIn(details.device),
		statistics: statistics(body.data),
	};
}

const TOP_LISTS = ['topCountries', 'topReferrers', 'topBrowsers', 'topOs'] as const;

/** Clicks and where they came from. The `top…` members are whole numbers or maps; an empty map may come as a list. */
export function statistics(data: unknown): IDataObject {
	const given = mapIn(data);
	const socialCount = mapIn(given.socialCount);
	const lists = TOP_LISTS.filter((name) => Array.isArray(given[name])).map(
		(name) => [name, {}] as const,
	);
	return {
		...withIntegers(given, ['clicks', 'uniqueClicks', ...TOP_LISTS]),
		...Object.fromEntries(lists),
		socialCount: withIntegers(socialCount, Object.keys(socialCount)),
	};
}
