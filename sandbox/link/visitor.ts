import { createHash } from 'node:crypto';

/** Who visits, as far as the request tells. */
export interface Visitor {
	/** A hash of address and browser: the same for the same visitor. */
	fingerprint: string;
	country: string;
	browser: string;
	os: string;
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

const SYSTEMS: ReadonlyArray<[RegExp, string]> = [
	[/iPhone|iPad/, 'iOS'],
	[/Android/, 'Android'],
	[/Windows/, 'Windows'],
	[/Mac OS X|Macintosh/, 'macOS'],
	[/Linux|X11/, 'Linux'],
];

const UNKNOWN = 'Unknown';
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

type Headers = Record<string, string | string[] | undefined>;

/** The country comes from the header a content delivery network adds, `CF-IPCountry: DE`. */
export function visitorOf(address: string, headers: Headers): Visitor {
	const userAgent = header(headers, 'user-agent');
	const countryCode = header(headers, 'cf-ipcountry').toUpperCase();
	const referrerHost = hostOf(header(headers, 'referer'));
	const named = /^[A-Z]{2}$/.test(countryCode) ? regionNames.of(countryCode) : undefined;
	return {
		fingerprint: createHash('sha256').update(`${address}\n${userAgent}`).digest('hex').slice(0, 16),
		country: named ?? UNKNOWN,
		browser: BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? UNKNOWN,
		os: SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? UNKNOWN,
		referrer: referrerHost || 'Direct',
		social: networkOf(referrerHost),
	};
}

function header(headers: Headers, name: string): string {
	const value = headers[name];
	return typeof value === 'string' ? value : (value?.[0] ?? '');
}

const hostOf = (url: string): string =>
	URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';

function networkOf(host: string): string | null {
	const found = Object.entries(SOCIAL_HOSTS).find(([, hosts]) =>
		hosts.some((known) => host === known || host.endsWith(`.${known}`)),
	);
	return found?.[0] ?? null;
}
