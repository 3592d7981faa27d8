import type { Stage } from './support.ts';

/** What visitors leave in the statistics of links and QR codes. */

/** Somebody opens a short link, or scans a QR code, twice. */
export async function visit(address: string): Promise<void> {
	const headers = {
		'User-Agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0',
		'CF-IPCountry': 'DE',
		Referer: 'https://t.co/abc',
	};
	for (let visits = 0; visits < 2; visits += 1) {
		await fetch(address, { headers, redirect: 'manual' });
	}
}

const NO_NETWORK = { facebook: 0, instagram: 0, linkedin: 0, twitter: 0 };

const statistics = (visits: number, top: (label: string) => unknown) => ({
	clicks: visits,
	uniqueClicks: Math.min(visits, 1),
	topCountries: top('Germany'),
	topReferrers: top('t.co'),
	topBrowsers: top('Chrome'),
	topOs: top('Windows'),
	socialCount: { ...NO_NETWORK, twitter: visits },
});

/** The statistics after it: those of a QR code, or of a link in the dialect of a stage. */
export function visitsOf(linkOf?: Stage): ReturnType<typeof statistics> {
	const isCount = linkOf?.dialect.topStatistics === 'integer';
	return statistics(2, (label) => (isCount ? 1 : { [label]: '2' }));
}

/** Those of a QR code that nobody scanned. */
export const NO_VISITS = statistics(0, () => ({}));

/** Those of a link that nobody opened. */
export const noVisitsOf = ({ dialect: { topStatistics } }: Stage): ReturnType<typeof statistics> =>
	statistics(0, () => (topStatistics === 'integer' || topStatistics === 'as-documented' ? 0 : {}));
