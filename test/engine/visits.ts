import type { IDataObject } from 'n8n-workflow';

import type { Dialect } from '../../sandbox/dialects.ts';

/** What visitors leave in the statistics of links and QR codes: `SOMEBODY` of the sandbox, every time. */

/** Somebody opens a short link, or scans a QR code, twice. */
export async function visit(address: string): Promise<void> {
	for (let visits = 0; visits < 2; visits += 1) {
		await fetch(address, { redirect: 'manual' });
	}
}

const NO_NETWORK = { facebook: 0, instagram: 0, linkedin: 0, twitter: 0 };

/** The statistics after it. A service that counts labels alone says of none which. */
export const visitsOf = (top: Dialect['topStatistics']): IDataObject => {
	const map = (label: string) => (top === 'integer' ? {} : { [label]: 2 });
	return {
		clicks: 2,
		uniqueClicks: 1,
		topCountries: map('Germany'),
		topReferrers: map('t.co'),
		topBrowsers: map('Chrome'),
		topOs: map('Windows'),
		socialCount: { ...NO_NETWORK, twitter: 2 },
	};
};

/** The same, each figure by itself. */
export const figuresOf = (subject: object, top: Dialect['topStatistics']): IDataObject[] => {
	const labels: Array<[dimension: string, label: string, count: number]> = [
		['country', 'Germany', 2],
		['referrer', 't.co', 2],
		['browser', 'Chrome', 2],
		['os', 'Windows', 2],
	];
	const figures: typeof labels = [
		['total', 'clicks', 2],
		['total', 'uniqueClicks', 1],
		...(top === 'integer' ? [] : labels),
		['social', 'facebook', 0],
		['social', 'instagram', 0],
		['social', 'linkedin', 0],
		['social', 'twitter', 2],
	];
	return figures.map(
		([dimension, label, count]) => ({ ...subject, dimension, label, count }) as IDataObject,
	);
};

/** The statistics without any visit. */
export const NO_VISITS: IDataObject = {
	clicks: 0,
	uniqueClicks: 0,
	topCountries: {},
	topReferrers: {},
	topBrowsers: {},
	topOs: {},
	socialCount: NO_NETWORK,
};
