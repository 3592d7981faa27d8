import type { IDataObject } from 'n8n-workflow';

import type { SearchedList } from '../shared/lists/listSearch';
import type { ListSource } from '../shared/lists/pages';
import { type NamedList, nameKey } from '../shared/lists/namedList';
import { idIn, integerIn, textIn, textsIn } from '../shared/values/json';
import { withoutHttp } from '../shared/values/webAddress';
import { lookUpLink } from './lookUpLink';
import { campaignRecord, linkDetailsOf, linkRecord, qrCodeDetails, record } from './records';
import { bareAddress, hostIn, isShortUrl, linkName, linkNames } from './values/shortUrl';

/** The lists of the service: their paths, and the names of their records. */

/** Where the details of a record are, and how they are read. */
export interface Details {
	path(id: number): string;
	/** @throws Failure if it is another record */
	recordIn(body: IDataObject, id: number): IDataObject;
}

export interface PagedList extends SearchedList {
	source: ListSource;
	/** A record of the list as the output has it. */
	recordOf: (entry: IDataObject) => IDataObject;
	details?: Details;
}

type List = NamedList & PagedList;

const joined = (...parts: unknown[]): string => textsIn(...parts).join(' – ');

const name = (entry: IDataObject): string => textIn(record(entry).name) ?? `#${idIn(entry.id)}`;

const nameWithType = (entry: IDataObject): string => joined(name(entry), entry.type);

const listOf = (what: string, path: string, listName: string): List => ({
	what,
	source: { path, listName },
	recordOf: record,
	names: (entry) => textsIn(record(entry).name).map(nameKey),
	nameOf: nameKey,
	label: nameWithType,
});

export const linkPath = (id: number): string => `/api/url/${id}`;

export const links: List = {
	...listOf('link', '/api/urls', 'urls'),
	nameMode: 'By Short URL or Alias',
	names: linkNames,
	nameOf: linkName,
	isUnique: isShortUrl,
	label: ({ alias, title, longurl, shorturl }) =>
		joined(withoutHttp(textIn(shorturl) ?? '') || alias, textIn(title) ?? longurl),
	keywords: ({ alias, shorturl, longurl }) => [alias, shorturl, longurl],
	url: ({ shorturl }) => textIn(shorturl),
	searchQuery: (q) => ({ q }),
	details: { path: linkPath, recordIn: linkDetailsOf },
	recordOf: linkRecord,
	lookUp: lookUpLink,
};

export const campaigns: List = {
	...listOf('campaign', '/api/campaigns', 'campaigns'),
	recordOf: campaignRecord,
	names: (entry) => textsIn(campaignRecord(entry).name).map(nameKey),
	label: (entry) => name(campaignRecord(entry)),
	url: ({ list }) => textIn(list),
};

export const channels = listOf('channel', '/api/channels', 'channels');

export const ctaOverlays: List = {
	...listOf('overlay', '/api/overlay', 'cta'),
	source: { path: '/api/overlay', listName: 'cta', otherListName: 'overlay' },
};

export const domains: List = {
	...listOf('domain', '/api/domains', 'domains'),
	names: ({ domain }) => textsIn(domain).map(bareAddress),
	nameOf: bareAddress,
	label: ({ domain }) => textIn(domain) ?? '',
};

export const domainsByHost: NamedList = {
	...domains,
	names: ({ domain }) => textsIn(hostIn(domain)),
	nameOf: (host) => host,
};

export const pixels = listOf('pixel', '/api/pixels', 'pixels');

/** No field looks QR codes up by name: the service gives all of one type the same name. */
export const qrCodes: List = {
	...listOf('QR code', '/api/qr', 'qrs'),
	label: (code) => {
		const day = textIn(code.date)?.slice(0, 10);
		const scans = `${integerIn(code.scans) ?? 0} scans`;
		return joined(`${name(code)} #${idIn(code.id)}`, day, scans);
	},
	url: ({ link }) => textIn(link),
	details: { path: (id) => `/api/qr/${id}`, recordIn: qrCodeDetails },
};

export const splashPages = listOf('splash page', '/api/splash', 'splash');
