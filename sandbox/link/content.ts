import { randomBytes } from 'node:crypto';
import { DEMO } from '../demo.ts';
import type { Dialect } from '../dialects.ts';
import { type Clock, datetime, type Fields } from '../fields.ts';
import { register, type Tables } from '../records.ts';
import { newLink } from './linkFields.ts';
import { newQrCode } from './qrCodes.ts';
import { PIXEL_TYPES } from './resources.ts';
import { countVisits } from './visits.ts';

/** Makes links and visits in bulk. */
export function linkContent({ links, qrCodes }: Tables, clock: Clock) {
	return {
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

const LINKS = [
	{
		longurl: 'https://www.example.com/spring',
		alias: 'spring',
		title: 'Spring Sale',
		description: 'Everything for the garden',
		location: { germany: 'https://www.example.com/de/spring' },
	},
	{ longurl: 'https://www.example.com/press', alias: 'press' },
	{ longurl: 'https://example.org/letter', alias: 'letter', domain: 'https://news.example.org' },
];

const QR_CODES = [
	{ type: 'link', data: 'https://www.example.com/menu' },
	{ type: 'wifi', data: { ssid: 'Guests', encryption: 'WPA', pass: 'welcome-in' } },
	{ type: 'vcard', data: { fname: 'Dana', lname: 'Merchant', email: 'dana@example.com' } },
	{ type: 'text', data: 'Seat 12, row C' },
];

/** What the demo account has beside links. */
function demoRecords(now: number, { shapes }: Dialect): Partial<Record<keyof Tables, Fields[]>> {
	const date = datetime(now);
	const items = [{ type: 'links', id: DEMO_LINKS }];
	const [manager, analytics, , adverts] = PIXEL_TYPES[shapes];
	return {
		bioPages: [{ title: 'All our links', alias: 'all', date }],
		campaigns: [
			{ name: 'Spring Sale', slug: 'spring-sale', public: true },
			{ name: 'Newsletter', slug: 'newsletter', public: false },
			{ name: 'Conference', slug: '', public: false },
		],
		channels: [
			{ name: 'Social', description: 'Posts', color: '#1877f2', starred: true, items },
			{ name: 'Print', description: 'Flyers and posters', color: '#e67e22', starred: false },
			{ name: 'Partners', description: '', color: '#2ecc71', starred: false },
		],
		domains: ['https://go.example.com', 'https://news.example.org'].map((domain) => ({
			domain,
			redirectroot: 'https://www.example.com',
			redirect404: '',
		})),
		overlays: [
			{ type: 'contact', name: 'Ask for a call', date },
			{ type: 'message', name: 'Ten percent off', date },
		],
		pixels: [
			{ type: manager, name: 'Web shop', tag: 'GTM-DEMO123', date },
			{ type: analytics, name: 'Visits', tag: 'UA-DEMO-1', date },
			{ type: adverts, name: 'Adverts', tag: 'AW-DEMO-42', date },
		],
		qrCodes: QR_CODES.map((code) => newQrCode(code, now)),
		splashPages: [{ name: 'Please wait', date }],
	};
}

/** Makes the demo account with `count` links; a database that has the account stays as it is. */
export function seedLinkService(
	tables: Tables,
	now: number,
	dialect: Dialect,
	count = DEMO_LINKS,
): void {
	if (tables.linkAccounts.count(0) > 0) return;
	const { id } = register(tables.linkAccounts, DEMO.link, now);
	const content = linkContent(tables, () => now);
	for (const [table, records] of Object.entries(demoRecords(now, dialect)))
		for (const record of records) tables[table as keyof Tables].add(id, record);
	content.addVisits('qr', 1, 5);
	content.addLinks(id, Math.max(0, count - LINKS.length));
	for (const link of LINKS.slice(0, count))
		tables.links.add(id, { ...newLink(link.longurl, now), ...link });
	for (let age = 3; age < count; age += 7) content.addVisits('link', count - age, age);
}
