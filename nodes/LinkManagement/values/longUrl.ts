// Long URLs: with query parameters, and in one form for comparison.

import type { IDataObject } from 'n8n-workflow';

import { recordsIn, textIn } from '../../shared/values/json';
import { decoded, decodeEntities } from '../../shared/values/text';
import { urlIn } from '../../shared/values/webAddress';

/** An address with these query parameters instead of those of the same names. The rest stays as it was entered. */
export function withQuery(address: string, values: IDataObject): string {
	const url = urlIn(address);
	if (!url) return address;
	const kept = url.search
		.slice(1)
		.split('&')
		.filter((pair) => pair !== '' && !Object.hasOwn(values, parameterName(pair)));
	const added = Object.entries(values).map((pair) => pair.map(encoded).join('='));
	url.search = [...kept, ...added].join('&');
	return url.href;
}

const parameterName = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? '';

const encoded = (value: unknown): string => encodeURIComponent(String(value)).replace(/'/g, '%27');

/** The addresses that a link of this body may lead to: services may have its parameters in the long URL. */
export function addressesOf({ url, parameters }: IDataObject): string[] {
	const address = textIn(url) ?? '';
	const pairs = recordsIn(parameters).map(
		({ name, value }) => [textIn(name) ?? '', value] as const,
	);
	return pairs.length > 0 ? [withQuery(address, Object.fromEntries(pairs)), address] : [address];
}

export const leadsTo = (longUrl: unknown, body: IDataObject): boolean =>
	addressesOf(body)
		.map(canonicalUrl)
		.includes(canonicalUrl(textIn(longUrl) ?? ''));

/** With each character encoded in one way. */
const recoded = (part: string): string => encodeURIComponent(decoded(part));

/** An address in one spelling: without final slash, with its query in one order and encoding. Only for comparison. */
export function canonicalUrl(address: string): string {
	const url = urlIn(decodeEntities(address));
	if (!url) return address;
	const { protocol, host, username, pathname, hash } = url;
	// Parameters of one name keep their order, which may mean something.
	url.searchParams.sort();
	const path = pathname.replace(/\/$/, '').split('/').map(recoded).join('/');
	return `${protocol}//${username}@${host}${path}${url.search}${recoded(hash)}`;
}
