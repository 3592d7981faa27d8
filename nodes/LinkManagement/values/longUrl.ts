// Long URLs: with query parameters, and in one form for comparison.

import type { IDataObject } from 'n8n-workflow';

import { recordsIn, textIn } from '../../shared/values/json';
import { decodeEntities } from '../../shared/values/text';
import { urlIn } from '../../shared/values/webAddress';
import { besidePlaceholders } from './address';

/** An address with these query parameters in place of those of the same names. The rest stays as it was entered. */
export function withQuery(url: string, values: IDataObject): string {
	const [, start = '', query = '', fragment = ''] =
		/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
	const added = new Map(
		Object.entries(values).map((pair) => [pair[0], pair.map(parameterPart).join('=')]),
	);
	const pairs = query.split('&').map((pair) => {
		const name = parameterName(pair);
		if (!Object.hasOwn(values, name)) return pair;
		const replaced = added.get(name);
		added.delete(name);
		return replaced;
	});
	return `${start}?${[...pairs, ...added.values()].filter(Boolean).join('&')}${fragment}`;
}

const parameterName = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? '';

const parameterPart = (value: unknown): string =>
	besidePlaceholders(String(value), (part) => encodeURIComponent(part).replace(/'/g, '%27'));

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

/**
 * An address in one spelling of the many that people and services give it: with or without a final slash, entities, default port,
 * with its query in any order, each character encoded or not. Only for comparison.
 */
export function canonicalUrl(address: string): string {
	const url = urlIn(decodeEntities(address));
	if (!url) return address;
	const { protocol, username, password, host, pathname, search, hash } = url;
	const path = pathname.replace(/\/$/, '').split('/').map(recoded).join('/');
	const origin = [protocol, username, password, host].join('/');
	return `${origin}${path}?${canonicalQuery(search)}#${recoded(hash.slice(1))}`;
}

/** Parameters of one name keep their order, which may mean something. */
const canonicalQuery = (search: string): string =>
	search
		.slice(1)
		.split('&')
		.filter(Boolean)
		.map((pair) => pair.replaceAll('+', '%20').split('='))
		.map(([name = '', ...value]) => [recoded(name), recoded(value.join('='))] as const)
		.sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
		.map((pair) => pair.join('='))
		.join('&');

/** With each character encoded in one way. What is no UTF-8 stays. */
const recoded = (part: string): string =>
	part.replace(/%(?![\da-f]{2})/gi, '%25').replace(/(?:%[\da-f]{2})+|[^%]+/gi, (run) => {
		try {
			return encodeURIComponent(decodeURIComponent(run));
		} catch {
			return run.toUpperCase();
		}
	});
