// Addresses as people type and paste them: what a browser makes of them is sent, and what cannot be meant is refused.

import { type Failure, fieldFailure, quoted } from '../../shared/values/failure';
import { parseLine, type ParseValue } from '../../shared/values/input';
import { decoded, decodeEntities, unquoted } from '../../shared/values/text';
import { urlIn, withoutTrailingSlashes } from '../../shared/values/webAddress';

const LONGEST_ADDRESS = 10_000;

/** An address that a link may lead to, also of an app, such as `mailto:` or `intent://`. @throws Failure if it is none */
export const parseAddress: ParseValue<string> = (label, value) => {
	const entered = oneAddress(label, value);
	const scheme = /^(?!localhost:)([a-z][a-z\d+.-]+):(?=\S)/i.exec(entered)?.[1]?.toLowerCase();
	if (isWebLike(entered) || scheme === undefined) return webAddressOf(label, entered);
	const labelled = LABELLED.exec(entered)?.[1];
	if (labelled !== undefined) throw notAddress(label, entered, labelled);
	if (!DANGEROUS_SCHEMES.includes(scheme)) return percentEncoded(entered);
	throw fieldFailure(
		label,
		`must not be the address ${quoted(entered)}`,
		`Addresses with ${scheme}: are refused, because they could harm whoever opens them`,
	);
};

/** An http or https address. @throws Failure if it is none */
export const parseWebAddress: ParseValue<string> = (label, value) =>
	webAddressOf(label, oneAddress(label, value));

/** A host with or without its scheme, which a list of domains may know better. @throws Failure if it is none */
export const parseDomain: ParseValue<string> = (label, value) => {
	const whole = withoutTrailingSlashes(parseWebAddress(label, value));
	return HTTP.test(parseLine(label, value)) ? whole : whole.replace('https://', '');
};

/** An address behind the name of its column. */
const LABELLED = /^(?:address|destination|link|page|site|target|url|website):(https?:\/\/.+)$/i;

/** They run code or show files where they are opened. */
const DANGEROUS_SCHEMES = ['blob', 'data', 'file', 'javascript', 'vbscript'];

/** http or https with a letter too many, too few, exchanged or wrong, or with other signs behind it; also several times. */
const HTTP =
	/^(?:(?:www\.)?(?:(?!ssh)[htpsx]{3,7}|[a-z]?https?[a-z]?|[a-z]ttps?|h[a-z]tps?|ht[a-z]ps?|htt[a-z]s?)(?:\s*[:;]+(?!\d)\s*[\\/]*\s*|[.,]?[\\/]{2,}:?))+/i;

/** A host without a scheme. Between its labels may be a comma in place of a dot. */
const BARE_HOST =
	/^(?:\/\/)?(?:[\p{L}\p{N}][\p{L}\p{N}.,-]*[.,]\p{L}[\p{L}\p{N}-]+|\d{1,3}(?:\.\d{1,3}){3})\.?(?::\d+)?(?=[\\/?#]|$)/u;

/** An address in a sentence, without what ends this. */
const IN_SENTENCE = /https?:\/\/[^\s"'<>()\]|\p{Pi}\p{Pf}„]*[^\s"'<>()\]|\p{Pi}\p{Pf}„.,;:!?]/iu;

const isWebLike = (entered: string): boolean => HTTP.test(entered) || BARE_HOST.test(entered);

function webAddressOf(label: string, entered: string): string {
	const [typed = ''] = HTTP.exec(entered) ?? [];
	const rest = entered.slice(typed.length).replace(/^\/\//, '');
	const [host = ''] = /^[^/?#\\]*/.exec(rest) ?? [];
	const path = withSlashes(rest.slice(host.length));
	const isTyped = /^https?:[\\/]{2}$/i.test(typed);
	const isBare = typed === '' && BARE_HOST.test(entered);
	if ((isTyped || isBare) && isHost(host))
		return `${inAscii(`${withSlashes(typed) || 'https://'}${host}`)}${percentEncoded(path)}`;
	const isSplit = isTyped || BARE_HOST.test(entered.replace(/(?<=[\w.])\s+(?=[\w.])/, ''));
	if (isSplit && /\S\s+\S/.test(host))
		throw fieldFailure(label, `has a blank in its host: ${quoted(entered)}`, 'Remove the blank');
	const scheme = typed === '' || /s/i.test(typed) ? 'https://' : 'http://';
	const meant = host
		.split(/[.,;]+/)
		.map((part) => part.trim())
		.filter(Boolean)
		.join('.');
	if (isWebLike(entered) && isHost(meant) && meant.includes('.'))
		throw notAddress(label, entered, scheme + meant + path);
	throw notAddress(label, entered, IN_SENTENCE.exec(rest)?.[0]);
}

const notAddress = (label: string, entered: string, meant?: string): Failure =>
	fieldFailure(
		label,
		`must be a web address, but is ${quoted(entered)}`,
		meant === undefined
			? 'Enter a whole one, such as https://example.com'
			: `Did you mean ${quoted(meant)}?`,
	);

/** Whether it can be a host, with or without user and port. One name without a dot may be of an intranet. */
function isHost(host: string): boolean {
	if (host.length > 255) return false;
	const { hostname = '' } = urlIn(`http://${besidePlaceholders(host, same, () => 'x')}`) ?? {};
	const labels = hostname.replace(/\.$/, '').split('.');
	return labels.every((label) => /^[a-z\d_-]{1,63}$/.test(label));
}

const same = (text: string): string => text;

const inAscii = (origin: string): string =>
	/\P{ASCII}/u.test(origin) ? (urlIn(origin)?.href.replace(/\/$/, '') ?? origin) : origin;

/** As a browser does: before the query, a backslash counts as a slash. */
const withSlashes = (text: string): string =>
	text.replace(/^[^?#]*/, (start) => start.replaceAll('\\', '/'));

/**
 * Placeholders of mail and ad tools, which find them only as they are written.
 * `{x}`: Google Ads and Microsoft Advertising (ValueTrack). `{{x}}`: Meta Ads, HubSpot, Brevo. `${x}`: OpenRTB (AUCTION_PRICE).
 * `[x]`: Campaign Monitor. `%%X%%`: Salesforce Marketing Cloud (AMPscript). `*|X|*`: Mailchimp merge tags. `<%= x %>`: Adobe
 * Campaign. `__X__`: TikTok Ads.
 */
const MERGE_TAG =
	/(\$?\{(?:[^{}]|\{[^{}]*\})*\}|\[[^[\]]*\]|%%[^%]+%%|\*\|[^|]+\|\*|<%.*?%>|__[A-Z][A-Z\d_]*?__)/;

type Change = (part: string) => string;

/** A text with everything changed but its placeholders. @param keep what becomes of those */
export const besidePlaceholders = (
	text: string,
	change: Change,
	keep: Change = (placeholder) => placeholder,
): string =>
	text
		.split(MERGE_TAG)
		.map((part, at) => (at % 2 === 1 ? keep(part) : change(part)))
		.join('');

/** Percent-encodes what no address may hold, and `'`, which services escape for HTML; the rest stays byte for byte. */
export const percentEncoded = (text: string): string =>
	besidePlaceholders(text, (part) =>
		part.replace(/[^!-~]+|["<>]/g, encodeURIComponent).replaceAll("'", '%27'),
	);

/** Signs of an address in another format, and how the address is read from it. */
const FORMATS: ReadonlyArray<{ sign: RegExp; read: (text: string) => string }> = [
	{
		// JSON, and characters that HTML writes as numbers
		sign: /\\u[\da-f]{4}|(?:^[^?#]*|:)\\\/|&#(?:\d{2,5}|x[\da-f]{2,5});|&nbsp;/i,
		read: (text) =>
			text
				.replace(/\\u([\da-f]{4})/gi, '&#x$1;')
				.replace(/&#(\d{2,5}|x[\da-f]{2,5});/gi, (_entity, code: string) =>
					String.fromCodePoint(Number(code.replace(/x/i, '0x'))),
				)
				.replaceAll('&nbsp;', ' ')
				.replaceAll('\\/', '/'),
	},
	{
		// What stands behind an address in HTML. A bare `>` may be part of a query.
		sign: /^[^"'<>]*(?:["']>|>$|<(?:\/[a-z]|br\b))/i,
		read: (text) => text.replace(/["'<>].*/s, ''),
	},
	{
		sign: /^https?%3a/i,
		read: decoded,
	},
	{
		// Mails, as "quoted-printable". `?view=3D` alone is none.
		sign: /^(?=.*=3D\w)(?:[^=]|=3D)+$/,
		read: (text) => text.replaceAll('=3D', '='),
	},
];

/** Between two addresses. A comma may be part of a query. */
const JOINT = /[\s;|]+|,(?=https?:\/\/)(?<!\?.*)/i;

const STARTS = /^(?:https?:\/\/\S|www\.)/i;

/** The end of an address that shares a message, which may name another address. */
const SHARED_TEXT = /[?&](?:text|body|message|subject|title)=[^&]*$/i;

/** An address without quotes and without entities of HTML. @throws Failure if there are several, or the one is too long or in another format */
function oneAddress(label: string, value: unknown): string {
	const entered = typeof value === 'string' ? decodeEntities(unquoted(value)) : '';
	if (entered.length > LONGEST_ADDRESS) {
		throw fieldFailure(
			label,
			`is too long: it has ${entered.length} characters`,
			`An address has at most ${LONGEST_ADDRESS}`,
		);
	}
	const [first = '', ...others] = entered.split(JOINT).filter(Boolean);
	const isSeveral = STARTS.test(first) && others.some((part) => STARTS.test(part));
	if (isSeveral && !SHARED_TEXT.test(first)) {
		throw fieldFailure(
			label,
			`has more than one address: ${quoted(entered)}`,
			`Enter one of them, such as ${quoted(first.replace(/(?<![.,;:!?])[.,;:!?]+$/, ''))}`,
		);
	}
	const address = decodeEntities(parseLine(label, value));
	const format = FORMATS.find(({ sign }) => sign.test(address));
	if (format) throw notAddress(label, address, decodeEntities(format.read(address)).trim());
	return address;
}
