// Addresses as people type and paste them: sent as a browser would open them, or refused.

import { type Failure, fieldFailure, quoted } from '../../shared/values/failure';
import { parseLine, type ParseValue } from '../../shared/values/input';
import { decodeEntities } from '../../shared/values/text';
import { urlIn, withoutTrailingSlashes } from '../../shared/values/webAddress';

const LONGEST_ADDRESS = 10_000;

/** A scheme, but not the host of `localhost:8080`. */
const SCHEME = /^([a-z][a-z\d+-]*):(?!\d{1,5}(?:[/?#]|$))/i;

/** They run code or show files where they are opened. */
const DANGEROUS_SCHEMES = ['blob', 'data', 'file', 'javascript', 'vbscript'];

/** `http` or `https` with a letter too many, too few or exchanged, which would be the scheme of an app. */
const MISTYPED_HTTP = /^[htpsx]{3,7}$/;

/** Another address behind one, unless that shares it: `https://wa.me/?text=see https://example.com`. */
const SECOND_ADDRESS = /^[^?]*[\s,:;|]https?:\/\//i;

/** An address that a link may lead to, also of an app, such as `mailto:` or `intent://`. @throws Failure if it is none */
export const parseAddress: ParseValue<string> = (label, value) => {
	const entered = addressLine(label, value);
	const scheme = schemeIn(entered);
	if (/^https?$/.test(scheme)) return webAddressOf(label, entered);
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
	return /^https?:/i.test(parseLine(label, value)) ? whole : whole.replace('https://', '');
};

/** Without the entities of feeds and HTML. */
function addressLine(label: string, value: unknown): string {
	const entered = decodeEntities(parseLine(label, value));
	const { length } = entered;
	if (length > LONGEST_ADDRESS)
		throw fieldFailure(label, `is too long: it has ${length} characters`);
	if (SECOND_ADDRESS.test(entered))
		throw fieldFailure(label, `has more than one address: ${quoted(entered)}`, 'Enter one of them');
	return entered;
}

const schemeIn = (entered: string): string => (SCHEME.exec(entered)?.[1] ?? 'https').toLowerCase();

function webAddressOf(label: string, entered: string): string {
	const whole = /^https?:/i.test(entered) ? entered : `https://${entered.replace(/^\/\//, '')}`;
	const url = urlIn(whole);
	const isWeb = /^https?$/.test(schemeIn(entered));
	// Without a scheme, it may be an email address.
	const isMeant = whole === entered || url?.username === '';
	if (url && isWeb && isMeant && isHost(url.hostname, entered)) return percentEncoded(url.href);
	throw notAddress(label, entered);
}

/** A number of another column, such as 3.50, is an IP address to a browser. */
const isHost = (hostname: string, entered: string): boolean =>
	/^\d+(?:\.\d+){3}$/.test(hostname)
		? entered.includes(hostname)
		: /^(?:[a-z\d_-]{1,63}\.)+[a-z\d-]{1,63}\.?$|^localhost$/.test(hostname);

const notAddress = (label: string, entered: string): Failure =>
	fieldFailure(
		label,
		`must be a web address, but is ${quoted(entered)}`,
		'Enter a whole one, such as https://example.com',
	);

/** Percent-encodes what no address may hold, and `'`, which services escape for HTML; the rest stays byte for byte. */
export const percentEncoded = (text: string): string =>
	text.replace(/[^!-~]+|["<>]/g, encodeURIComponent).replaceAll("'", '%27');
