import type { ApiKeys } from '../apiKeys.ts';
import { integer, transaction } from '../database.ts';
import { DEMO } from '../demo.ts';
import type { Fields } from '../input.ts';
import { registerLinkAccount } from './accounts.ts';
import { LinkContent } from './content.ts';
import type { ActionRoute, LinkContext } from './routes.ts';
import { linkServiceRoutes } from './server.ts';
import { visitorOf } from './visitor.ts';
import { visitCounter } from './visitCounter.ts';

const DEMO_LINKS = 40;
const HOUR_MS = 3600 * 1000;

const DOMAINS = [
	{ domain: 'https://go.example.com', redirectroot: 'https://www.example.com' },
	{ domain: 'https://news.example.org', redirect404: 'https://www.example.org/lost' },
];
const CAMPAIGNS = [
	{ name: 'Spring Sale', slug: 'spring-sale', public: true },
	{ name: 'Newsletter', slug: 'newsletter', public: false },
	{ name: 'Conference' },
];
const CHANNELS = [
	{ name: 'Social', description: 'Posts and stories', color: '#1877f2', starred: true },
	{ name: 'Print', description: 'Flyers and posters', color: '#e67e22', starred: false },
	{ name: 'Partners', description: '', color: '#2ecc71', starred: false },
];
const PIXELS = [
	{ type: 'tagmanagerpixel', name: 'Web shop', tag: 'GTM-DEMO123' },
	{ type: 'analyticspixel', name: 'Visits', tag: 'UA-DEMO-1' },
	{ type: 'adspixel', name: 'Adverts', tag: 'AW-DEMO-42' },
];
const QR_CODES = [
	{ type: 'link', data: 'https://www.example.com/menu', foreground: 'rgb(20,60,120)' },
	{ type: 'wifi', data: { ssid: 'Guests', encryption: 'WPA', pass: 'welcome-in' } },
	{
		type: 'vcard',
		data: { fname: 'Dana', lname: 'Merchant', email: 'dana@example.com', phone: '+1 555 0100' },
	},
	{ type: 'text', data: 'Seat 12, row C' },
];
const LINKS = [
	{
		url: 'https://www.example.com/spring',
		custom: 'spring',
		metatitle: 'Spring Sale',
		metadescription: 'Everything for the garden',
		geotarget: [{ location: 'Germany', link: 'https://www.example.com/de/spring' }],
		devicetarget: [{ device: 'iPhone', link: 'https://apps.example.com/spring' }],
		parameters: [{ name: 'utm_source', value: 'demo' }],
	},
	{ url: 'https://www.example.com/press', custom: 'press', type: 'frame', password: 'press' },
	{ url: 'https://www.example.com/talk', custom: 'talk', type: 'splash' },
	{ url: 'https://www.example.org/letter', custom: 'letter', domain: 'https://news.example.org' },
];

/** Visitors of the seeded links: user agent, country, language, where they came from. */
const VISITORS = [
	['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36', 'US', 'en-US', ''],
	['Mozilla/5.0 (iPhone; CPU iPhone OS 19) Safari/604.1', 'DE', 'de', 'https://t.co/x'],
	['Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0', 'FR', 'fr', 'https://www.facebook.com/'],
	['Mozilla/5.0 (Macintosh) Safari/605.1', 'US', 'en', 'https://www.linkedin.com/feed'],
	[
		'Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile Safari',
		'IN',
		'hi',
		'https://example.net/',
	],
].map(([agent, country, language, referer], index) =>
	visitorOf(`192.0.2.${index + 1}`, {
		'user-agent': agent,
		'cf-ipcountry': country,
		'accept-language': language,
		referer,
	}),
);
/** Every so many links has been visited. */
const VISITED_LINKS = 7;

/**
 * Makes the demo account with `links` links; a database that has the account stays as it is. All but links in bulk goes
 * through the endpoints, so the demo has nothing that they would refuse.
 */
export function seedLinkService(
	context: LinkContext,
	keys: ApiKeys,
	now: number,
	links = DEMO_LINKS,
): void {
	const { database } = context;
	if (database.prepare('SELECT id FROM link_accounts WHERE email = ?').get(DEMO.link.email)) return;
	const content = new LinkContent(database, () => now);
	const { dialect } = context;
	const documented = { ...dialect, linkAnswer: 'as-documented', sameUrl: 'new' } as const;
	const routes = linkServiceRoutes({ ...context, dialect: documented });
	let accountId = 0;
	const post = (path: string, body: Fields, params: Record<string, string> = {}): number => {
		const route = routes.find(
			(candidate): candidate is ActionRoute =>
				candidate.method === 'POST' && candidate.path === path && 'answer' in candidate,
		);
		return Number(route?.answer({ accountId, params, body, now }).id);
	};

	transaction(database, () => {
		accountId = registerLinkAccount(database, keys, DEMO.link, now).id;
		for (const domain of DOMAINS) post('/api/domain/add', domain);
		content.addOverlay(accountId, 'Ask for a call', 'contact');
		content.addOverlay(accountId, 'Ten percent off');
		content.addSplashPage(accountId, 'Please wait');
		content.addSplashPage(accountId, 'Our sponsor');
		const bio = content.addBioPage(accountId, 'All our links');
		content.addBioPage(accountId, 'Meet the team');
		const campaigns = CAMPAIGNS.map((campaign) => post('/api/campaign/add', campaign));
		const channels = CHANNELS.map((channel) => post('/api/channel/add', channel));
		for (const pixel of PIXELS) post('/api/pixel/add', pixel);
		const codes = QR_CODES.map((code) => post('/api/qr/add', code));
		content.addLinks(accountId, Math.max(0, links - LINKS.length));
		const named = LINKS.slice(0, links).map((link) => post('/api/url/add', link));

		for (const linkId of named.slice(0, 2)) {
			post(
				'/api/campaign/:campaignid/assign/:linkid',
				{},
				{ campaignid: String(campaigns[0]), linkid: String(linkId) },
			);
		}
		const items: Array<[string, number | undefined]> = [
			['links', named[0]],
			['bio', bio],
			['qr', codes[0]],
		];
		for (const [type, itemId] of items) {
			if (itemId === undefined) continue;
			post(
				'/api/channel/:channelid/assign/:type/:itemid',
				{},
				{ channelid: String(channels[0]), type, itemid: String(itemId) },
			);
		}
		seedVisits(context, accountId, now);
	});
}

function seedVisits({ database }: LinkContext, accountId: number, now: number): void {
	const count = visitCounter(database);
	const links = database.prepare('SELECT id FROM links WHERE account_id = ? ORDER BY id DESC');
	const codes = database.prepare('SELECT id FROM qr_codes WHERE account_id = ? LIMIT 1');
	for (const [index, row] of links.all(accountId).entries()) {
		if (index % VISITED_LINKS !== 3) continue;
		for (const [nth, visitor] of VISITORS.slice(0, 1 + (index % VISITORS.length)).entries()) {
			count('link', integer(row, 'id'), visitor, now - nth * HOUR_MS);
		}
	}
	for (const row of codes.all(accountId)) {
		for (const visitor of VISITORS) count('qr', integer(row, 'id'), visitor, now);
	}
}
