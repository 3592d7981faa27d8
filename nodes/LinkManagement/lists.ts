import type { IDataObject } from 'n8n-workflow';

import type { SearchedList } from '../shared/lists/listSearch';
import type { ListSource } from '../shared/lists/pages';
import type { NamedList } from '../shared/lists/recordIndex';
import { idIn, integerIn, requireRecord, textIn } from '../shared/values/json';
import { aliasIn, campaignRecord, hostIn, spelled } from './records';

/** The lists of the service: their paths, and the names of their records. */

type PagedList = Omit<SearchedList, 'source'> & { source: ListSource };

type List = NamedList & PagedList;

/** The names that are there. A service may write a name of digits as a number. */
const present = (...names: unknown[]): string[] =>
	names.flatMap((name) => textIn(typeof name === 'number' ? String(name) : name) ?? []);

/** The parts of a label; those that a record does not have are left out. */
const joined = (...parts: unknown[]): string => present(...parts).join(' – ');

const name = (record: IDataObject): string => textIn(record.name) ?? `#${idIn(record.id) ?? '?'}`;

const nameWithType = (record: IDataObject): string => joined(name(record), record.type);

/** An address without scheme and query, as people write it: `go.example.com/spring`. */
function bareAddress(address: string): string {
	const url = /^https?:\/\//i.test(address) ? address : `http://${address}`;
	if (!URL.canParse(url)) return address;
	const { host, pathname } = new URL(url);
	return `${host}${spelled(pathname)}`.replace(/\/$/, '');
}

const addressIn = (value: unknown): string | undefined => {
	const address = textIn(value);
	return address === undefined ? undefined : bareAddress(address);
};

/** Where one link, or one QR code, is read. */
export const linkPath = (id: number): string => `/api/url/${id}`;
export const qrCodePath = (id: number): string => `/api/qr/${id}`;

/** A short URL has a host, which has a dot or a port; an alias may have slashes, too. */
const isShortUrl = (text: string): boolean => {
	const [host = '', ...path] = text.split('/');
	return path.length > 0 && /[.:]/.test(host);
};

const aliasOf = ({ alias, shorturl }: IDataObject): string[] =>
	present(alias ?? aliasIn(shorturl)).map(spelled);

/** A link is named by its short URL, which no other has, or by the alias, which may exist on several domains. */
export const links: List = {
	source: { path: '/api/urls', listName: 'urls' },
	what: 'link',
	names: (record) => [...aliasOf(record), ...present(addressIn(record.shorturl))],
	mistakenFor: ({ longurl }) => present(addressIn(longurl)),
	nameOf: (text) => (isShortUrl(text) ? bareAddress(text) : spelled(text)),
	isUnique: isShortUrl,
	label: ({ alias, title, longurl, shorturl }) =>
		joined(textIn(shorturl)?.replace(/^https?:\/\//i, '') ?? alias, textIn(title) ?? longurl),
	keywords: ({ alias, shorturl, longurl }) => [alias, shorturl, longurl],
	url: ({ shorturl }) => textIn(shorturl),
	byId: { path: linkPath, read: (body) => requireRecord(body, 'details') },
};

/** An alias on a domain; without a domain, on any. */
export const aliasName = (alias: string, domain?: string): string =>
	domain === undefined ? spelled(alias) : `//${hostIn(domain) ?? domain}/${spelled(alias)}`;

/** Links named by `aliasName`: the entered text is always an alias. */
export const linksByAlias: NamedList = {
	...links,
	names: (record) =>
		aliasOf(record).flatMap((alias) => [
			alias,
			...present(hostIn(record.shorturl)).map((host) => aliasName(alias, host)),
		]),
	nameOf: (name) => name,
	isUnique: (name) => name.startsWith('//'),
};

/** Links named by their long URL. URLs that are the same to a browser have the same name. */
export const linksByLongUrl: NamedList = {
	...links,
	names: ({ longurl }) => present(longurl).map(canonicalUrl),
	nameOf: canonicalUrl,
	isUnique: () => false,
};

/** An address as a browser normalizes it, with one encoding for its query. */
export function canonicalUrl(address: string): string {
	if (!URL.canParse(address)) return address;
	const url = new URL(address);
	if (url.search !== '') url.search = url.searchParams.toString();
	return url.href;
}

export const campaigns: List = {
	source: { path: '/api/campaigns', listName: 'campaigns' },
	what: 'campaign',
	names: (record) => present(campaignRecord(record).name),
	label: (record) => name(campaignRecord(record)),
	url: ({ list }) => textIn(list),
};

export const channels: List = {
	source: { path: '/api/channels', listName: 'channels' },
	what: 'channel',
	names: (record) => present(record.name),
	label: name,
};

export const ctaOverlays: List = {
	source: { path: '/api/overlay', listName: 'cta' },
	what: 'overlay',
	names: (record) => present(record.name),
	label: nameWithType,
};

export const domains: List = {
	source: { path: '/api/domains', listName: 'domains' },
	what: 'domain',
	names: ({ domain }) => present(addressIn(domain)),
	nameOf: bareAddress,
	label: ({ domain }) => textIn(domain) ?? '',
};

/** A domain by its host alone. */
export const domainsByHost: NamedList = {
	...domains,
	names: ({ domain }) => present(hostIn(domain)),
	nameOf: (host) => host,
};

export const pixels: List = {
	source: { path: '/api/pixels', listName: 'pixels' },
	what: 'pixel',
	names: (record) => present(record.name),
	label: nameWithType,
};

/** QR codes cannot be looked up by name: the service gives all of one type the same name. */
export const qrCodes: PagedList = {
	source: { path: '/api/qr', listName: 'qrs' },
	names: (record) => present(record.name),
	label: (record) => {
		const day = textIn(record.date)?.slice(0, 10);
		const scans = `${integerIn(record.scans) ?? 0} scans`;
		return joined(`${name(record)} #${idIn(record.id) ?? '?'}`, day, scans);
	},
	url: ({ link }) => textIn(link),
	byId: { path: qrCodePath, read: (body) => requireRecord(body, 'details') },
};

export const splashPages: List = {
	source: { path: '/api/splash', listName: 'splash' },
	what: 'splash page',
	names: (record) => present(record.name),
	label: name,
};
