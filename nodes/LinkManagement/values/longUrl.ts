// Long URLs: with query parameters, and in one form for comparison.

import type { IDataObject } from 'n8n-workflow';

import { recordsIn, textIn } from '../../shared/values/json';
import { urlIn } from '../../shared/values/webAddress';
import { besidePlaceholders } from './placeholders';

/** An address with these query parameters in place of those of the same names. The rest stays as it was entered. */
export function withQuery(url: string, values: IDataObject): string {
	const [, start = '', query = '', fragment = ''] =
		/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
	const added = new Map(
		Object.entries(values).map((pair) => [pair[0], pair.map(encoded).join('=')]),
	);
	const pairs = query.split('&').map((pair) => {
		const name = parameterName(pair);
		if (!Object.hasOwn(values, name)) return pair;
		const replaced = added.get(name) ?? '';
		added.delete(name);
		return replaced;
	});
	return `${start}?${[...pairs, ...added.values()].filter(Boolean).join('&')}${fragment}`;
}

const parameterName = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? '';

const encoded = (value: unknown): string => besidePlaceholders(String(value), encodeURIComponent);

/** The addresses that a link of this body may lead to: services may have its parameters in the long URL. */
export function addressesOf({ url, parameters }: IDataObject): string[] {
	const plain = textIn(url) ?? '';
	const pairs = recordsIn(parameters).map(
		({ name, value }) => [textIn(name) ?? '', value] as const,
	);
	return pairs.length > 0 ? [withQuery(plain, Object.fromEntries(pairs)), plain] : [plain];
}

export const leadsTo = (longUrl: unknown, body: IDataObject): boolean =>
	addressesOf(body)
		.map(canonicalUrl)
		.includes(canonicalUrl(textIn(longUrl) ?? ''));

/** An address as a browser normalizes it, with one encoding for its query. */
export function canonicalUrl(address: string): string {
	const url = urlIn(address);
	if (!url) return address;
	if (url.search !== '') url.search = url.searchParams.toString();
	return url.href;
}
