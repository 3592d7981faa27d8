import type { IDataObject } from 'n8n-workflow';

import type { SearchedList } from '../shared/lists/listSearch';
import type { ListSource } from '../shared/lists/pages';
import type { NamedList } from '../shared/lists/recordIndex';
import { idIn, integerIn, textIn } from '../shared/values/json';
import { normalized } from '../shared/values/text';
import { urlIn } from '../shared/values/webAddress';
import {
	aliasIn,
	campaignRecord,
	hostIn,
	linkDetails,
	qrCodeDetails,
	record,
	spelled,
} from './records';

/** The lists of the service: their paths, and the names of their records. */

/** Where the details of a record are, and how they are read. */
export interface Details {
	path(id: number): string;
	recordIn(body: IDataObject): IDataObject;
}

export interface PagedList extends SearchedList {
	source: ListSource;
	/** A record of the list as the output has it. */
	recordOf: (entry: IDataObject) => IDataObject;
	details?: Details;
}

type List = NamedList & PagedList;

/** The names that are there. A service may write a name of digits as a number. */
const present = (...names: unknown[]): string[] =>
	names.flatMap((name) => textIn(typeof name === 'number' ? String(name) : name) ?? []);

const joined = (...parts: unknown[]): string => present(...parts).join(' – ');

const name = (record: IDataObject): string => textIn(record.name) ?? `#${idIn(record.id) ?? '?'}`;

const nameWithType = (record: IDataObject): string => joined(name(record), record.type);

const listOf = (what: string, path: string, listName: string): List => ({
	what,
	source: { path, listName },
	recordOf: record,
	names: (entry) => present(entry.name),
	findsNear: true,
	label: nameWithType,
});

/** An address without scheme and query, as people write it: `go.example.com/spring`. */
function bareAddress(address: string): string {
	const url = urlIn(/^https?:\/\//i.test(address) ? address : `http://${address}`);
	return url ? `${url.host}${spelled(url.pathname)}`.replace(/\/$/, '') : address;
}

export const linkPath = (id: number): string => `/api/url/${id}`;

/** A short URL has a host, which has a dot or a port; an alias may have slashes, too. */
const isShortUrl = (text: string): boolean => {
	const [host = '', ...path] = text.split('/');
	return path.length > 0 && /[.:]/.test(host);
};

const aliasOf = ({ alias, shorturl }: IDataObject): string[] =>
	present(alias ?? aliasIn(shorturl)).map(spelled);

/** A link is named by its short URL, which no other has, or by the alias, which may exist on several domains. */
export const links: List = {
	...listOf('link', '/api/urls', 'urls'),
	findsNear: false,
	nameMode: 'By Short URL or Alias',
	names: (record) => [...aliasOf(record), ...present(record.shorturl).map(bareAddress)],
	nameOf: (text) => (isShortUrl(text) ? bareAddress(text) : spelled(text)),
	isUnique: isShortUrl,
	label: ({ alias, title, longurl, shorturl }) =>
		joined(textIn(shorturl)?.replace(/^https?:\/\//i, '') ?? alias, textIn(title) ?? longurl),
	keywords: ({ alias, shorturl, longurl }) => [alias, shorturl, longurl],
	url: ({ shorturl }) => textIn(shorturl),
	details: { path: linkPath, recordIn: linkDetails },
};

/** An alias as services may rewrite it: without regard to case and marks, and with one kind of blank, `-` and `_`. */
export const rewrittenAlias = (alias: string): string =>
	normalized(spelled(alias), 'NFD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(/[\s_-]+/g, '-');

/** An alias on a domain; without a domain, on any. */
export const aliasName = (alias: string, domain?: string): string =>
	domain === undefined ? spelled(alias) : `//${hostIn(domain) ?? domain}/${spelled(alias)}`;

/** Links as rows mean them: named by `aliasName`, so that the text is always an alias, and by `canonicalUrl` of the long URL. */
export const linksOfRows: NamedList = {
	...links,
	names: (record) => [
		...aliasOf(record).flatMap((alias) => [
			alias,
			...present(hostIn(record.shorturl)).map((host) => aliasName(alias, host)),
		]),
		...present(record.longurl).map(canonicalUrl),
	],
	nameOf: (name) => name,
};

/** An address as a browser normalizes it, with one encoding for its query. */
export function canonicalUrl(address: string): string {
	const url = urlIn(address);
	if (!url) return address;
	if (url.search !== '') url.search = url.searchParams.toString();
	return url.href;
}

export const campaigns: List = {
	...listOf('campaign', '/api/campaigns', 'campaigns'),
	recordOf: campaignRecord,
	names: (entry) => present(campaignRecord(entry).name),
	label: (entry) => name(campaignRecord(entry)),
	url: ({ list }) => textIn(list),
};

export const channels = listOf('channel', '/api/channels', 'channels');

export const ctaOverlays = listOf('overlay', '/api/overlay', 'cta');

export const domains: List = {
	...listOf('domain', '/api/domains', 'domains'),
	names: ({ domain }) => present(domain).map(bareAddress),
	nameOf: bareAddress,
	label: ({ domain }) => textIn(domain) ?? '',
};

export const domainsByHost: NamedList = {
	...domains,
	names: ({ domain }) => present(hostIn(domain)),
	nameOf: (host) => host,
};

export const pixels = listOf('pixel', '/api/pixels', 'pixels');

/** No field looks QR codes up by name: the service gives all of one type the same name. */
export const qrCodes: List = {
	...listOf('QR code', '/api/qr', 'qrs'),
	label: (code) => {
		const day = textIn(code.date)?.slice(0, 10);
		const scans = `${integerIn(code.scans) ?? 0} scans`;
		return joined(`${name(code)} #${idIn(code.id) ?? '?'}`, day, scans);
	},
	url: ({ link }) => textIn(link),
	details: { path: (id) => `/api/qr/${id}`, recordIn: qrCodeDetails },
};

export const splashPages = listOf('splash page', '/api/splash', 'splash');
