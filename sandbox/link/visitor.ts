import { createHash } from 'node:crypto';

/** Who visits, as far as the request tells. */
export interface Visitor {
	/** A hash of address and browser: the same for the same visitor. */
	fingerprint: string;
	/** ISO 3166 code in upper case; '' when unknown. */
	countryCode: string;
	country: string;
	/** Lower-case codes the browser prefers, best first: `de-at`, `de`. */
	languages: string[];
	browser: string;
	os: string;
	/** Lower-case names a device target may use for this visitor. */
	devices: string[];
	referrer: string;
	social: string | null;
}

/** Networks counted in `socialCount`, and the hosts their visitors come from. */
const SOCIAL_HOSTS = {
	facebook: ['facebook.com', 'fb.com', 'fb.me'],
	instagram: ['instagram.com'],
	linkedin: ['linkedin.com', 'lnkd.in'],
	twitter: ['twitter.com', 'x.com', 't.co'],
} as const;
export const SOCIAL_NETWORKS = Object.keys(SOCIAL_HOSTS);

/** First match wins: many browsers also call themselves by the name of another. */
const BROWSERS: ReadonlyArray<[RegExp, string]> = [
	[/Edg(e|A|iOS)?\//, 'Edge'],
	[/OPR\/|Opera/, 'Opera'],
	[/Firefox\/|FxiOS\//, 'Firefox'],
	[/Chrome\/|CriOS\//, 'Chrome'],
	[/Safari\//, 'Safari'],
];

const SYSTEMS: ReadonlyArray<{ pattern: RegExp; os: string; devices: string[] }> = [
	{ pattern: /iPhone/, os: 'iOS', devices: ['iphone', 'ios', 'mobile'] },
	{ pattern: /iPad/, os: 'iOS', devices: ['ipad', 'ios', 'tablet'] },
	{ pattern: /Android.*Mobile/, os: 'Android', devices: ['android', 'mobile'] },
	{ pattern: /Android/, os: 'Android', devices: ['android', 'tablet'] },
	{ pattern: /Windows/, os: 'Windows', devices: ['windows', 'desktop'] },
	{ pattern: /Mac OS X|Macintosh/, os: 'macOS', devices: ['macos', 'mac', 'desktop'] },
	{ pattern: /Linux|X11/, os: 'Linux', devices: ['linux', 'desktop'] },
];

const UNKNOWN = 'Unknown';
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

type Headers = Record<string, string | string[] | undefined>;

/** The country comes from the header a content delivery network adds, `CF-IPCountry: DE`. */
export function visitorOf(address: string, headers: Headers): Visitor {
	const userAgent = header(headers, 'user-agent');
	const countryCode = header(headers, 'cf-ipcountry').toUpperCase();
	const system = SYSTEMS.find(({ pattern }) => pattern.test(userAgent));
	const referrerHost = hostOf(header(headers, 'referer'));
	const named = /^[A-Z]{2}$/.test(countryCode) ? regionNames.of(countryCode) : undefined;
	return {
		fingerprint: createHash('sha256').update(`${address}\n${userAgent}`).digest('hex').slice(0, 16),
		countryCode: named ? countryCode : '',
		country: named ?? UNKNOWN,
		languages: languagesOf(header(headers, 'accept-language')),
		browser: BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? UNKNOWN,
		os: system?.os ?? UNKNOWN,
		devices: system?.devices ?? [],
		referrer: referrerHost || 'Direct',
		social: networkOf(referrerHost),
	};
}

/** Names a location target may use for this visitor, in lower case: `germany`, `de`. */
export const locationNames = (visitor: Visitor): string[] =>
	visitor.countryCode ? [visitor.country.toLowerCase(), visitor.countryCode.toLowerCase()] : [];

/** Names a language target may use, in lower case, best first: `de-at`, `austrian german`, `de`, `german`. */
export const languageTargets = (visitor: Visitor): string[] =>
	visitor.languages.flatMap((code) => {
		const name = languageNames.of(code);
		return name ? [code, name.toLowerCase()] : [code];
	});

function header(headers: Headers, name: string): string {
	const value = headers[name];
	return typeof value === 'string' ? value : (value?.[0] ?? '');
}

function languagesOf(accepted: string): string[] {
	const codes = accepted
		.split(',')
		.map((part) => part.split(';', 1)[0]?.trim().toLowerCase() ?? '')
		.filter((code) => /^[a-z]{2,3}(-[a-z]{2})?$/.test(code));
	return [...new Set(codes.flatMap((code) => [code, code.split('-', 1)[0] ?? code]))];
}

const hostOf = (url: string): string =>
	URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';

function networkOf(host: string): string | null {
	const found = Object.entries(SOCIAL_HOSTS).find(([, hosts]) =>
		hosts.some((known) => host === known || host.endsWith(`.${known}`)),
	);
	return found?.[0] ?? null;
}
