import { randomBytes } from 'node:crypto';
import { type Clock, datetime } from '../clock.ts';
import { DEMO } from '../demo.ts';
import type { Dialect } from '../dialects.ts';
import { register, type Tables } from '../records.ts';
import { newLink } from './linkFields.ts';
import { newQrCode } from './qrCodes.ts';
import { PIXEL_TYPES } from './resources.ts';
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

const DEMO_LINKS = 40;

/** What the demo account has. */
const DOMAINS = [
	{ domain: 'https://go.example.com', redirectroot: 'https://www.example.com', redirect404: '' },
	{ domain: 'https://news.example.org', redirectroot: '', redirect404: '' },
];
const CAMPAIGNS = [
	{ name: 'Spring Sale', slug: 'spring-sale', public: true },
	{ name: 'Newsletter', slug: 'newsletter', public: false },
	{ name: 'Conference', slug: '', public: false },
];
const CHANNEL_ITEMS = [
	{ type: 'links', id: DEMO_LINKS },
	{ type: 'bio', id: 1 },
	{ type: 'qr', id: 1 },
];
const CHANNELS = [
	{ name: 'Social', description: 'Posts', color: '#1877f2', starred: true, items: CHANNEL_ITEMS },
	{ name: 'Print', description: 'Flyers and posters', color: '#e67e22', starred: false },
	{ name: 'Partners', description: '', color: '#2ecc71', starred: false },
];
const PIXELS = [
	{ kind: 0, name: 'Web shop', tag: 'GTM-DEMO123' },
	{ kind: 1, name: 'Visits', tag: 'UA-DEMO-1' },
	{ kind: 3, name: 'Adverts', tag: 'AW-DEMO-42' },
];
const QR_CODES = [
	{ type: 'link', data: 'https://www.example.com/menu' },
	{ type: 'wifi', data: { ssid: 'Guests', encryption: 'WPA', pass: 'welcome-in' } },
	{ type: 'vcard', data: { fname: 'Dana', lname: 'Merchant', email: 'dana@example.com' } },
	{ type: 'text', data: 'Seat 12, row C' },
];
const LINKS = [
	{
		longurl: 'https://www.example.com/spring',
		alias: 'spring',
		title: 'Spring Sale',
		description: 'Everything for the garden',
		location: { germany: 'https://www.example.com/de/spring' },
	},
	{ longurl: 'https://www.example.com/press', alias: 'press' },
	{ longurl: 'https://www.example.com/talk', alias: 'talk' },
	{ longurl: 'https://example.org/letter', alias: 'letter', domain: 'https://news.example.org' },
];

/** Every so many links has been visited. */
const VISITED_LINKS = 7;

/** Makes the demo account with `links` links; a database that has the account stays as it is. */
export function seedLinkService(
	tables: Tables,
	now: number,
	{ shapes }: Dialect,
	links = DEMO_LINKS,
): void {
	if (tables.linkAccounts.count(0) > 0) return;
	const { id } = register(tables.linkAccounts, DEMO.link, now);
	const content = linkContent(tables, () => now);
	content.addOverlay(id, 'Ask for a call', 'contact');
	content.addOverlay(id, 'Ten percent off');
	content.addSplashPage(id, 'Please wait');
	content.addBioPage(id, 'All our links');
	for (const domain of DOMAINS) tables.domains.add(id, domain);
	for (const campaign of CAMPAIGNS) tables.campaigns.add(id, campaign);
	for (const channel of CHANNELS) tables.channels.add(id, channel);
	for (const { kind, ...pixel } of PIXELS) {
		const type = PIXEL_TYPES[shapes][kind];
		tables.pixels.add(id, { type, ...pixel, date: datetime(now) });
	}
	for (const code of QR_CODES) tables.qrCodes.add(id, newQrCode(code, now));
	content.addVisits('qr', 1, 5);
	content.addLinks(id, Math.max(0, links - LINKS.length));
	for (const link of LINKS.slice(0, links)) {
		tables.links.add(id, { ...newLink(link.longurl, now), ...link });
	}
	for (let age = 3; age < links; age += VISITED_LINKS) {
		content.addVisits('link', links - age, age);
	}
}
