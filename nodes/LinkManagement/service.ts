import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../shared/answer';
import { Failure } from '../shared/failure';
import { idIn, mapIn, textIn, withIntegers } from '../shared/json';
import type { OperationPlan, Pagination } from '../shared/operation';
import { everyPage, oneRequest } from '../shared/operation';
import { promisedMember } from '../shared/promised';
import type { Service } from '../shared/service';
import { authenticateLinkRequest } from './authenticate';

/** What the link service calls success: `error` as a number or, on its lists, a string; the overlay list has none. */
const SUCCESS: readonly unknown[] = [0, '0', false, 'false', null, ''];

/** What successful answers hold; tells one without `error` from the JSON of another service. */
const SUCCESS_MEMBERS = ['data', 'details', 'id', 'message', 'cta'] as const;

/** The link management service: its API document under "Authentication" and "Errors". */
export const linkService: Service = {
	serviceName: 'the link service',
	credentialType: 'linkManagementApi',
	authenticate: authenticateLinkRequest,
	testPath: '/api/account',
	readEnvelope(body: IDataObject): Envelope {
		const message = textIn(body.message);
		if ('error' in body) {
			return {
				outcome: SUCCESS.includes(body.error) ? 'success' : 'failure',
				message: message ?? textIn(body.error),
			};
		}
		const isAnswer = SUCCESS_MEMBERS.some((name) => name in body);
		return { outcome: isAnswer ? 'success' : 'unknown', message };
	},
};

/** An operation of one request. */
export const linkOperation = (plan: OperationPlan): Pagination => oneRequest(linkService, plan);

/** A list operation; see `everyPage`. */
export const linkList = (
	listName: string,
	record: (entry: IDataObject) => IDataObject,
): Pagination => everyPage(linkService, listName, record);

/** A member that the document promises. Failure: it is not there. */
export const promisedRecord = (body: IDataObject, name: string): IDataObject =>
	promisedMember(body, name, linkService);

/** What an update or an assign answers: its message, beside the ids it was about. */
export const done: OperationPlan['results'] = (body, { ids }) => [
	{ success: true, ...onlyId(ids), message: textIn(body.message) ?? '' },
];

/** What a delete answers. */
export const deleted: OperationPlan['results'] = (_body, { ids }) => [
	{ deleted: true, ...onlyId(ids) },
];

/** One id is called `id`; where there are two, each keeps the name of its parameter. */
function onlyId(ids: Record<string, number>): IDataObject {
	const values = Object.values(ids);
	return values.length === 1 ? { id: values[0] } : { ...ids };
}

/** A record that has no whole number but its id. */
export const record = (entry: IDataObject): IDataObject => withIntegers(entry, ['id']);

/** What a create answers: the new record's id, and whatever the service says of it. */
export const createdRecord: OperationPlan['results'] = (body) => {
	const { error: _error, message: _message, ...members } = body;
	return [{ ...members, id: promisedId(body) }];
};

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
	...qrCodeRecord(promisedRecord(body, 'details')),
	statistics: statistics(body.data),
});

/** A short link as the list has it (document: "Short link"). */
export const linkRecord = (entry: IDataObject): IDataObject =>
	withIntegers(entry, ['id', 'clicks']);

/** A short link's details with its statistics beside them (document: "Detail record"). */
export function linkDetails(body: IDataObject): IDataObject {
	const details = promisedRecord(body, 'details');
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

/** The id of a new record. Failure: it is not there. */
export function promisedId(body: IDataObject): number {
	const id = idIn(body.id);
	if (id !== undefined) return id;
	throw new Failure({
		kind: 'unreadable',
		message: 'The answer of the link service holds no ID of the new record',
		advice: 'Look in the service whether it was created, before you run it again',
		mayBeDone: true,
	});
}
