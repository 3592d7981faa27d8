// Long URLs: with query parameters, and in one form for comparison.

import type { IDataObject } from 'n8n-workflow';

import { recordsIn, textIn } from '../../shared/values/json';
import { decodeEntities } from '../../shared/values/text';
import { urlIn } from '../../shared/values/webAddress';

/**
 * Placeholders of mail and ad tools, which find them only as they are written.
 * `{x}`: Google Ads and Microsoft Advertising (ValueTrack). `{{x}}`: Meta Ads, HubSpot, Brevo. `${x}`: OpenRTB (AUCTION_PRICE).
 * `[x]`: Campaign Monitor. `%%X%%`: Salesforce Marketing Cloud (AMPscript). `*|X|*`: Mailchimp merge tags. `<%= x %>`: Adobe
 * Campaign. `__X__`: TikTok Ads.
 */
const PLACEHOLDER =
	/(\$?\{(?:[^{}]|\{[^{}]*\})*\}|\[[^[\]]*\]|%%[^%]+%%|\*\|[^|]+\|\*|<%.*?%>|__[A-Z][A-Z\d_]*?__)/;

type Change = (part: string) => string;

/** Changes a text but for the placeholders in it. @param keep what becomes of those */
export const besidePlaceholders = (
	text: string,
	change: Change,
	keep: Change = (placeholder) => placeholder,
): string =>
	text
		.split(PLACEHOLDER)
		.map((part, at) => (at % 2 === 1 ? keep(part) : change(part)))
		.join('');

/** An address with these query parameters instead of those of the same names. The rest stays byte for byte. */
export function withQuery(address: string, values: IDataObject): string {
	const [beforeFragment = '', ...fragment] = address.split(/(?=#)/);
	const [start = '', ...query] = beforeFragment.split('?');
	const kept = query
		.join('?')
		.split('&')
		.filter((pair) => pair !== '' && !Object.hasOwn(values, parameterName(pair)));
	const added = Object.entries(values).map((pair) => pair.map(encoded).join('='));
	return `${start}?${[...kept, ...added].join('&')}${fragment.join('')}`;
}

const parameterName = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? '';

const encoded = (value: unknown): string =>
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

/** An address in one spelling: without final slash, with its query in one order and encoding. Only for comparison. */
export function canonicalUrl(address: string): string {
	const url = urlIn(decodeEntities(address));
	if (!url) return address;
	const { protocol, host, username, pathname, search, hash } = url;
	const path = pathname.replace(/\/$/, '').split('/').map(recoded).join('/');
	return `${protocol}//${username}@${host}${path}?${canonicalQuery(search)}${recoded(hash)}`;
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
