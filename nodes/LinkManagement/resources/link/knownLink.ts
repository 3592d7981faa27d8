// A link as list and details show it: what of a row it does not have yet, and what an update has to send back, because services may
// empty what an update does not send.

import type { IDataObject } from 'n8n-workflow';

import { toFailure } from '../../../shared/values/failure';
import { LARGEST_PAGE, pageIn } from '../../../shared/lists/pages';
import {
	idIn,
	isRecord,
	mapIn,
	recordsIn,
	textIn,
	textsIn,
	without,
} from '../../../shared/values/json';
import { parseId } from '../../../shared/values/input';
import { linkDetailsOf, linkRecord } from '../../records';
import { linkPath } from '../../serviceLists';
import { inZone } from '../../values/dateTime';
import { decodeEntities } from '../../../shared/values/text';
import { urlIn } from '../../../shared/values/webAddress';
import { canonicalUrl, leadsTo } from '../../values/longUrl';
import { aliasIn, hostIn, isWrittenAs } from '../../values/shortUrl';
import { brandedDomain, isListed, type LinkRow } from './linkRun';

/** By member of a body, whether a link has what it says. What no response shows is not among them. */
const SHOWN: Readonly<Record<string, (link: IDataObject, body: IDataObject) => boolean>> = {
	url: ({ longurl }, body) => leadsTo(longurl, body),
	custom: hasAlias,
	domain: ({ shorturl }, { domain }) => hostIn(shorturl) === hostIn(domain),
	metatitle: ({ title }, { metatitle }) => isSameText(title, metatitle),
	metadescription: ({ description }, { metadescription }) =>
		isSameText(description, metadescription),
	expiry: ({ expiry }, body) => (textIn(expiry) ?? '') === (textIn(body.expiry) ?? ''),
	geotarget: ({ location }, { geotarget }) => isSameTargets(location, geotarget, 'location'),
	devicetarget: ({ device }, { devicetarget }) => isSameTargets(device, devicetarget, 'device'),
};

/** What only the details show. */
const IN_DETAILS = ['expiry', 'geotarget', 'devicetarget'];

/** The names of what an update would change, or may change because no response shows it. Reads the details if the list cannot tell. */
export async function changedMembers(
	link: IDataObject,
	body: IDataObject,
	row: LinkRow,
): Promise<string[]> {
	const names = Object.keys(body);
	const needsDetails =
		names.every((name) => name in SHOWN) && names.some((name) => IN_DETAILS.includes(name));
	const shown = needsDetails ? await withDetails(link, row) : link;
	return names.filter((name) => SHOWN[name]?.(shown, body) !== true);
}

/** Whether a link has the alias of a body, as people or the service write it. */
export function hasAlias({ alias, shorturl }: IDataObject, { custom }: IDataObject): boolean {
	const asked = textIn(custom);
	if (asked === undefined) return true;
	// An alias may have slashes, which only those who chose it know.
	return textsIn(alias, aliasIn(shorturl, asked)).some((present) => isWrittenAs(asked, present));
}

/** Services trim texts, and write line breaks and entities in their own way. */
const isSameText = (a: unknown, b: unknown): boolean => {
	const [one, other] = [a, b].map((text) =>
		decodeEntities(textIn(text) ?? '')
			.replace(/\s+/g, ' ')
			.trim(),
	);
	return one === other;
};

const isSameTargets = (shown: unknown, sent: unknown, name: string): boolean => {
	const comparable = (targets: IDataObject[]) =>
		targets
			.map((target) => [
				textIn(target[name])?.toLowerCase(),
				canonicalUrl(textIn(target.link) ?? ''),
			])
			.sort();
	const present = targetsIn(shown, name);
	return JSON.stringify(comparable(recordsIn(sent))) === JSON.stringify(comparable(present));
};

/** `{country: address}` or `{country: {all: address}}` as a body has it. */
const targetsIn = (map: unknown, name: string): IDataObject[] =>
	Object.entries(mapIn(map)).flatMap(([key, target]) => {
		const link = textIn(isRecord(target) ? target.all : target);
		return link === undefined ? [] : [{ [name]: key, link: decodeEntities(link) }];
	});

/** A link with its details: those of the look-up that found it, or read now. */
export async function withDetails(link: IDataObject, row: LinkRow): Promise<IDataObject> {
	const id = parseId('Link', link.id);
	const { index } = row;
	const known = index.get(id) ?? link;
	if ('location' in known) return known;
	const { body } = await row.send({ method: 'GET', path: linkPath(id) });
	return index.put(linkDetailsOf(body, id));
}

/** A link without what only its details show. */
export const withoutDetails = (link: IDataObject): IDataObject =>
	without(link, 'device', 'expiry', 'location', 'statistics');

/** Whether the list shows in which campaign and channel a link is; undefined if no record of it is known. */
export function showsPlaces(row: LinkRow): boolean | undefined {
	const listed = row.index.known.find(isListed);
	return listed && 'campaign' in listed && 'channel' in listed;
}

/** A link with the campaign and channel that the list shows: found by a search, or by reading on. A key may not read the list. */
export async function withPlaces(link: IDataObject, row: LinkRow): Promise<IDataObject> {
	const { index } = row;
	const id = parseId('Link', link.id);
	const isMissing = (): boolean => !isListed(index.get(id) ?? link) && showsPlaces(row) !== false;
	if (!isMissing()) return link;
	try {
		await searchList(textIn(link.alias) ?? '', row);
		while (isMissing() && (await index.readNextPage()));
	} catch (error) {
		const failure = toFailure(error);
		if (!failure.mayBeRefusal) throw failure;
	}
	return index.get(id) ?? link;
}

/** Takes in what some services find by a text; others ignore it. */
async function searchList(q: string, { index, send }: LinkRow): Promise<void> {
	const query = { q, limit: LARGEST_PAGE, page: 1 };
	const { body } = await send({ method: 'GET', path: '/api/urls', query });
	for (const entry of pageIn(body, { listName: 'urls' }).records) index.put(linkRecord(entry));
}

/** What an update of a link has to send so that it keeps it, without what the body says itself. */
export async function keptMembers(
	link: IDataObject,
	body: IDataObject,
	row: LinkRow,
): Promise<IDataObject> {
	const { to } = row.input.zones;
	const expiry = textIn(link.expiry);
	const isAhead = expiry !== undefined && expiry > inZone(Date.now(), to);
	const kept = {
		domain: await domainOf(link, row),
		expiry: isAhead ? expiry : undefined,
		geotarget: notEmpty(targetsIn(link.location, 'location')),
		devicetarget: notEmpty(targetsIn(link.device, 'device')),
		campaign: idIn(link.campaign),
	};
	const entries = Object.entries(kept).filter(
		([name, value]) => value !== undefined && !(name in body),
	);
	return Object.fromEntries(entries);
}

const notEmpty = (targets: IDataObject[]): IDataObject[] | undefined =>
	targets.length > 0 ? targets : undefined;

/** The domain of a link as the account's list spells it. The service's own host needs none. */
async function domainOf({ shorturl }: IDataObject, row: LinkRow): Promise<string | undefined> {
	const host = hostIn(shorturl);
	if (host === undefined || host === hostIn(row.session.connection.baseUrl)) return undefined;
	// A domain that cannot be looked up is sent as the short URL has it, or the link might move.
	return await brandedDomain(host, row, urlIn(textIn(shorturl) ?? '')?.origin);
}
