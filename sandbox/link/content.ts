import { randomBytes } from 'node:crypto';
import { type Clock, datetime } from '../clock.ts';
import type { Tables } from '../records.ts';
import { newLink } from './linkFields.ts';
import { countVisits } from './visits.ts';

/** Makes what the API cannot make, as its owner does in the web interface, and returns its id; also links and visits in bulk. */
export function linkContent(tables: Tables, clock: Clock) {
	const { bioPages, links, overlays, qrCodes, splashPages } = tables;
	const date = (): string => datetime(clock());

	return {
		addOverlay: (accountId: number, name: string, type = 'message'): number =>
			overlays.add(accountId, { type, name, date: date() }),

		addSplashPage: (accountId: number, name: string): number =>
			splashPages.add(accountId, { name, date: date() }),

		addBioPage(accountId: number, title: string): number {
			const alias = randomBytes(4).toString('hex');
			return bioPages.add(accountId, { title, alias, date: date() });
		},

		/** Adds links, one made every `spacingSeconds`, the last one now; 100,000 take some seconds. */
		addLinks(accountId: number, count: number, spacingSeconds = 60): void {
			const now = clock();
			const code = randomBytes(3).toString('hex');
			const link = newLink('https://www.example.com/', now);
			for (let number = 1; number <= count; number += 1) {
				links.add(accountId, {
					...link,
					longurl: `https://www.example.com/articles/${number}`,
					alias: `${code}${number.toString(36)}`,
					title: `Article ${number}`,
					description: number % 3 === 0 ? '' : `What article ${number} is about`,
					date: datetime(now - (count - number) * spacingSeconds * 1000),
				});
			}
		},

		/** Counts that many clicks of a link or scans of a QR code. */
		addVisits(kind: 'link' | 'qr', id: number, count: number, country?: string): void {
			countVisits(kind === 'link' ? links : qrCodes, id, count, country);
		},
	};
}
