import type { Accounts } from '../accounts.ts';
import { transaction } from '../database.ts';
import { DEMO } from '../demo.ts';
import type { Fields } from '../input.ts';
import { LinkContent } from './content.ts';
import type { ActionRoute, LinkContext, LinkRoute } from './routes.ts';
import { linkServiceRoutes } from './server.ts';
import { VisitCounter } from './visits.ts';

const DEMO_LINKS = 40;

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

/** Visitors of the seeded links and QR codes. */
const VISITORS = [
	['United States', 'Direct', 'Chrome', 'Windows', ''],
	['Germany', 't.co', 'Safari', 'iOS', 'twitter'],
	['France', 'facebook.com', 'Firefox', 'Linux', 'facebook'],
	['United States', 'linkedin.com', 'Safari', 'macOS', 'linkedin'],
	['India', 'example.net', 'Chrome', 'Android', ''],
].map(([country = '', referrer = '', browser = '', os = '', social = ''], index) => ({
	name: `visitor ${index}`,
	country,
	referrer,
	browser,
	os,
	social,
}));
/** Every so many links has been visited. */
const VISITED_LINKS = 7;

/**
 * Makes the demo account with `links` links; a database that has the account stays as it is. All but links in bulk goes
 * through the endpoints, so the demo has nothing that they would refuse.
 */
export function seedLinkService(
	context: LinkContext,
	accounts: Accounts,
	now: number,
	links = DEMO_LINKS,
): void {
	const { database, dialect } = context;
	if (accounts.idWith(DEMO.link.email) !== undefined) return;
	const content = new LinkContent(database, () => now);
	const documented = { ...dialect, linkAnswer: 'as-documented', sameUrl: 'new' } as const;
	const routes = linkServiceRoutes({ ...context, dialect: documented }, accounts);
	let accountId = 0;
	const post = (path: string, body: Fields, params: Record<string, string> = {}): number => {
		const isPosted = (route: LinkRoute): route is ActionRoute =>
			route.method === 'POST' && route.path === path;
		return Number(routes.find(isPosted)?.answer({ accountId, params, body, now }).id);
	};

	transaction(database, () => {
		accountId = accounts.register(DEMO.link, now).id;
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

		for (const linkid of named.slice(0, 2)) {
			const ids = { campaignid: String(campaigns[0]), linkid: String(linkid) };
			post('/api/campaign/:campaignid/assign/:linkid', {}, ids);
		}
		const items = Object.entries({ links: named[0], bio, qr: codes[0] });
		for (const [type, itemid] of items) {
			if (itemid === undefined) continue;
			const ids = { channelid: String(channels[0]), type, itemid: String(itemid) };
			post('/api/channel/:channelid/assign/:type/:itemid', {}, ids);
		}
		seedVisits(context, links, Number(codes[0]));
	});
}

function seedVisits({ database }: LinkContext, lastLink: number, code: number): void {
	const visits = new VisitCounter(database);
	for (let age = 3; age < lastLink; age += VISITED_LINKS) {
		for (const visitor of VISITORS.slice(0, 1 + (age % VISITORS.length))) {
			visits.count('link', lastLink - age, visitor);
		}
	}
	for (const visitor of VISITORS) visits.count('qr', code, visitor);
}
