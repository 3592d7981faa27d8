// Long URLs: as people type and paste them, what a browser would open; with query parameters; and in one form for comparison.

import type { IDataObject } from 'n8n-workflow';

import { type Failure, fieldFailure, quoted } from '../../shared/values/failure';
import { isNothing, parseLine, type ParseValue } from '../../shared/values/input';
import { recordsIn, textIn } from '../../shared/values/json';
import { decodeEntities } from '../../shared/values/text';
import { hasHttp, urlIn, withoutTrailingSlashes } from '../../shared/values/webAddress';

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

/** The parser of addresses takes minutes for some that are far longer. */
const LONGEST_ADDRESS = 10_000;

/** A scheme, but not the host of `example.com:8080`. */
const SCHEME = /^(?![^:/.]*\.[^:/]*:\d)([a-z][a-z\d+.-]+):(?=\S)/i;

const HTTP_SCHEMES = ['http', 'https'];

/** They run code or show files where they are opened. */
const DANGEROUS_SCHEMES = ['blob', 'data', 'file', 'javascript', 'vbscript'];

/** `http` or `https` with a letter too many, too few or exchanged, which would be the scheme of an app. */
const MISTYPED_HTTP = /^(?!ssh)[htpsx]{3,7}$/;

/** A message that a link shares; it may name another address. */
const SHARED_TEXT = /[?&](?:body|description|message|subject|text|title)=.*$/i;

/** Another address behind one; between the values of a query, other signs than a space may be meant. */
const SECOND_ADDRESS = /(?:\s|^[^?]*[,;|])(?:https?:\/\/|www\.)/i;

/** An address that a link may lead to, also of an app, such as `mailto:` or `intent://`. @throws Failure if it is none */
export const parseAddress: ParseValue<string> = (label, value) => {
	const entered = addressLine(label, value);
	const scheme = SCHEME.exec(entered)?.[1]?.toLowerCase() ?? 'https';
	if (HTTP_SCHEMES.includes(scheme)) return webAddressOf(label, entered);
	const isRefused = DANGEROUS_SCHEMES.includes(scheme) || MISTYPED_HTTP.test(scheme);
	if (isRefused || !urlIn(entered)) throw notAddress(label, entered);
	return percentEncoded(entered);
};

/** An http or https address. @throws Failure if it is none */
export const parseWebAddress: ParseValue<string> = (label, value) =>
	webAddressOf(label, addressLine(label, value));

/** A host with or without its scheme, which a list of domains may know better. @throws Failure if it is none */
export const parseDomain: ParseValue<string> = (label, value) => {
	const whole = withoutTrailingSlashes(parseWebAddress(label, value));
	return hasHttp(parseLine(label, value)) ? whole : whole.replace('https://', '');
};

/** Without the entities of feeds and HTML. */
function addressLine(label: string, value: unknown): string {
	const entered = decodeEntities(parseLine(label, value));
	if (entered.length > LONGEST_ADDRESS)
		throw fieldFailure(label, `is too long: it has ${entered.length} characters`);
	if (SECOND_ADDRESS.test(entered.replace(SHARED_TEXT, '')))
		throw fieldFailure(label, `has more than one address: ${quoted(entered)}`);
	return entered;
}

function webAddressOf(label: string, entered: string): string {
	const isWhole = hasHttp(entered);
	const whole = isWhole ? entered : `https://${entered.replace(/^\/\//, '')}`;
	const [origin = ''] = /^[^:]+:\/\/[^/?#]*/.exec(whole) ?? [];
	const url = urlIn(besidePlaceholders(origin, String, () => 'x'));
	if (!url || !isHost(url, entered, isWhole)) throw notAddress(label, entered);
	return inAscii(origin) + percentEncoded(whole.slice(origin.length));
}

/** A number of another column, such as 3.50, is an IP address to a browser; without a scheme, a word is no host. */
function isHost({ hostname, username }: URL, entered: string, isWhole: boolean): boolean {
	if (/^\d+(?:\.\d+){3}$/.test(hostname)) return entered.includes(hostname);
	if (!/^(?:[\w-]+\.)*[\w-]+\.?$/.test(hostname)) return false;
	if (!isWhole) return hostname.includes('.') && username === '';
	return !HTTP_SCHEMES.includes(hostname) && !isNothing(hostname);
}

const inAscii = (origin: string): string =>
	/\P{ASCII}/u.test(origin) ? withoutTrailingSlashes(urlIn(origin)?.href ?? origin) : origin;

const notAddress = (label: string, entered: string): Failure =>
	fieldFailure(
		label,
		`must be a web address, but is ${quoted(entered)}`,
		'Enter a complete URL, such as https://example.com',
	);

/** Beside placeholders, encodes what no address may hold, and `'`, which services escape for HTML; the rest stays byte for byte. */
export const percentEncoded = (text: string): string =>
	besidePlaceholders(text, (part) =>
		part.replace(/[^!-~]+|["<>]/g, encodeURIComponent).replaceAll("'", '%27'),
	);

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
