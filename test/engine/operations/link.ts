import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Collection, Fields, Sample } from '../operationSample.ts';
import {
	FIRST_PAGE,
	column,
	deletion,
	fresh,
	idIn,
	inOrder,
	invalid,
	isOf,
	listed,
	listing,
	maker,
	named,
	serial,
	unknown,
	webAddress,
	withRecord,
} from '../operationSample.ts';
import type { Stage } from '../support.ts';
import { A_NUMBER, DATETIME, like, textOf } from '../support.ts';
import { figuresOf, NO_VISITS, visit, visitsOf } from '../visits.ts';

/** A name in a locator, typed or by expression. */
const byName = (value: string): INodeParameters => ({ __rl: true, mode: 'name', value });

const shortUrl = ({ custom }: IDataObject, { sandbox }: Stage): string =>
	`${sandbox.linkUrl}/${textOf(custom)}`;

const LINKS: Collection = {
	what: 'link',
	locator: 'linkId',
	path: '/api/url',
	list: '/api/urls',
	make: maker('/api/url', () => ({ url: webAddress(), custom: `alias-${serial()}` })),
	record: (row, stage) => ({
		id: row.id,
		alias: row.custom,
		shorturl: shortUrl(row, stage),
		longurl: row.url,
		clicks: row.clicks ?? 0,
		title: 'example.com',
		description: '',
		date: DATETIME,
	}),
};
export const newLink = LINKS.make;

const detailsOf = (row: IDataObject, stage: Stage): Fields => ({
	id: row.id,
	alias: row.custom,
	shorturl: shortUrl(row, stage),
	longurl: row.url,
	title: 'example.com',
	description: '',
	location: {},
	device: {},
	expiry: null,
	date: DATETIME,
});

/** What comes of a create or an update; its alias is chosen by the service unless it is given. */
const written = (longurl: unknown, alias: unknown = like(/^\w+$/)): Fields => ({
	id: A_NUMBER,
	shorturl: like(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]+$/),
	longurl,
	alias,
});

const updatedLink = (row: IDataObject, stage: Stage, longurl: unknown): Fields => ({
	...written(longurl, row.custom),
	id: row.id,
	shorturl: shortUrl(row, stage),
});

const GERMANY = { geotarget: [{ location: 'Germany', link: 'https://example.de/' }] };

/** A link that somebody has visited, so that its statistics hold something. */
async function visitedLink(stage: Stage): Promise<IDataObject> {
	const { geotarget: _target, ...link } = await newLink(stage, GERMANY);
	await visit(shortUrl(link, stage));
	return link;
}

/** Two links, the older one with a click. */
async function oneClicked(stage: Stage): Promise<IDataObject[]> {
	const links = [await newLink(stage), await newLink(stage)];
	await fetch(shortUrl(links[0] ?? {}, stage), { redirect: 'manual' });
	return links;
}

const ADDRESS = 'https://example.com/';

/** An expiry as it is entered, and as it is sent. */
const EXPIRIES: Array<[what: string, expiry: string, sent: string, timezone?: string]> = [
	['of a date picker', "={{ '2030-06-01T12:00:00' }}", '2030-06-01 12:00:00'],
	['with a zone', "={{ '2030-06-01T12:00:00+02:00' }}", '2030-06-01 10:00:00'],
	['without a time', "={{ '2030-06-01' }}", '2030-06-01 00:00:00'],
	['of Luxon', "={{ DateTime.fromISO('2030-06-01T12:00:00Z') }}", '2030-06-01 12:00:00'],
	['of JavaScript', '={{ new Date(Date.UTC(2030, 5, 1, 12)) }}', '2030-06-01 12:00:00'],
	['in summer', '2030-06-01T12:00:00Z', '2030-06-01 14:00:00', 'Europe/Berlin'],
	['in winter', '2030-12-01T12:00:00Z', '2030-12-01 13:00:00', 'Europe/Berlin'],
];

export const link: Record<string, Sample> = {
	create: {
		kind: 'write',
		request: 'POST /api/url/add',
		parameters: { url: column('url'), additionalFields: {} },
		rows: fresh(() => ({ url: webAddress() })),
		body: ({ url }) => ({ url }),
		output: ({ url }) => written(url),
		written: listed(LINKS.list, (record, row) => record.longurl === row.url),
		...invalid('The alias api is reserved.', {
			row: { url: 'https://example.com' },
			parameters: { additionalFields: { customAlias: 'api' } },
			advice: 'Enter another value, or use the record that has it',
		}),
		examples: [
			{
				title: 'sends every field as the document has it, and the service understands it',
				async rows(stage) {
					const domain = `https://go-${serial()}.example.com`;
					await stage.make('/api/domain/add', { domain });
					return [{ country: 'Germany', domain, custom: `all-${serial()}` }];
				},
				parameters: {
					url: 'https://example.com/all',
					additionalFields: {
						customAlias: column('custom'),
						redirectType: 'direct',
						password: 'open sesame',
						domain: byName(column('domain')),
						expiry: '2030-12-31T23:59:00',
						geoTargets: {
							target: [
								{ location: byName(column('country')), link: 'https://example.de/' },
								{ location: byName('France'), link: 'https://example.fr/' },
							],
						},
						deviceTargets: {
							target: [{ device: byName('iphone'), link: 'https://example.com/iphone' }],
						},
						languageTargets: {
							target: [{ language: byName('nl'), link: 'https://example.nl/' }],
						},
						metaTitle: 'A title',
						metaDescription: 'A description',
						metaImage: 'https://example.com/a.png',
						parameters: { parameter: [{ name: 'ref', value: column('country') }] },
						utm: { medium: 'email', source: 'newsletter', term: '' },
					},
				},
				body: ({ custom, domain }) => ({
					url: 'https://example.com/all',
					custom,
					type: 'direct',
					password: 'open sesame',
					domain,
					expiry: '2030-12-31 23:59:00',
					geotarget: [
						{ location: 'Germany', link: 'https://example.de/' },
						{ location: 'France', link: 'https://example.fr/' },
					],
					devicetarget: [{ device: 'iphone', link: 'https://example.com/iphone' }],
					languagetarget: [{ language: 'nl', link: 'https://example.nl/' }],
					metatitle: 'A title',
					metadescription: 'A description',
					metaimage: 'https://example.com/a.png',
					parameters: [
						{ name: 'ref', value: 'Germany' },
						{ name: 'utm_source', value: 'newsletter' },
						{ name: 'utm_medium', value: 'email' },
					],
				}),
				output: ({ domain, custom }) => ({
					...written('https://example.com/all', custom),
					shorturl: `${textOf(domain)}/${textOf(custom)}`,
				}),
				async then(stage, [created]) {
					const alias = new URL(textOf(created?.shorturl)).pathname;
					const opened = await fetch(`${stage.sandbox.linkUrl}${alias}`, {
						method: 'POST',
						redirect: 'manual',
						headers: { 'Content-Type': 'application/json', 'CF-IPCountry': 'FR' },
						body: JSON.stringify({ password: 'open sesame' }),
					});
					expect(opened.headers.get('location')).toBe(
						'https://example.fr/?ref=Germany&utm_source=newsletter&utm_medium=email',
					);
				},
			},
			{
				title: 'takes an address of another program',
				parameters: { url: 'mailto:ann@example.com' },
				body: { url: 'mailto:ann@example.com' },
				output: written('mailto:ann@example.com'),
			},
			{
				title: 'sends the splash page that visitors see first by its ID',
				parameters: {
					url: ADDRESS,
					additionalFields: { redirectType: 'customSplash', splashPageId: idIn('page') },
				},
				rows: async ({ sandbox, linkAccount }) =>
					await Promise.resolve([{ page: sandbox.links.addSplashPage(linkAccount.id, 'Wait') }]),
				body: ({ page }) => ({ url: ADDRESS, type: String(Number(page)) }),
				output: written(ADDRESS),
				async then(_stage, [created]) {
					const shown = await fetch(textOf(created?.shorturl));
					expect(await shown.text()).toContain('Wait');
				},
			},
			{
				title: 'sends the overlay that visitors see first by its ID',
				parameters: {
					url: ADDRESS,
					additionalFields: { redirectType: 'overlay', ctaOverlayId: idIn('page') },
				},
				rows: async ({ sandbox, linkAccount }) =>
					await Promise.resolve([{ page: sandbox.links.addOverlay(linkAccount.id, 'Sale') }]),
				body: ({ page }) => ({ url: ADDRESS, type: `overlay-${Number(page)}` }),
				output: written(ADDRESS),
			},
			...EXPIRIES.map(([what, expiry, sent, timezone = 'UTC']) => ({
				title: `sends an expiry ${what} as the service writes it in ${timezone}`,
				parameters: { additionalFields: { expiry } },
				credential: { timezone },
				body: ({ url }: IDataObject) => ({ url, expiry: sent }),
			})),
		],
	},
	delete: deletion(LINKS),
	get: {
		kind: 'read',
		request: 'GET /api/url/:id',
		parameters: { linkId: idIn('id') },
		rows: withRecord(visitedLink),
		output: (row, stage) => ({
			...detailsOf(row, stage),
			location: { germany: 'https://example.de/' },
			statistics: visitsOf(stage.dialect.topStatistics),
		}),
		...unknown('link'),
		examples: [
			{
				title: 'gives empty maps and statistics of a link that nobody visited',
				rows: async (stage) => [await newLink(stage, { expiry: '2099-01-01 00:00:00' })],
				output: (row, stage) => ({
					...detailsOf(row, stage),
					expiry: '2099-01-01 00:00:00',
					statistics: NO_VISITS,
				}),
			},
		],
	},
	getAll: {
		...listing(LINKS),
		...invalid('order must be one of: date, click.', {
			parameters: { options: { order: '={{ "size" }}' } },
			told: 'Order By (order) must be one of: date, click.',
			advice: 'Check Order By',
		}),
		examples: [
			{
				title: 'lists in the order that was asked for',
				parameters: { options: { order: column('order') } },
				async rows(stage) {
					const links = await oneClicked(stage);
					return ['click', 'date'].map((order) => ({ order, links }));
				},
				query: ({ order }) => ({ ...FIRST_PAGE, order }),
				output({ order, links }, stage) {
					const records = (links as IDataObject[]).map((row, index) =>
						LINKS.record({ ...row, clicks: index === 0 ? 1 : 0 }, stage),
					);
					return inOrder(stage, order === 'click' ? records.toReversed() : records);
				},
			},
		],
	},
	upsert: {
		kind: 'upsert',
		request: 'POST /api/url/add',
		looksIn: 'GET /api/urls',
		parameters: { url: column('url'), customAlias: column('custom'), additionalFields: {} },
		rows: fresh(() => ({ url: webAddress(), custom: `alias-${serial()}` })),
		body: ({ url, custom }) => ({ url, custom }),
		output: ({ url, custom }) => ({ ...written(url, custom), created: true }),
		written: listed(LINKS.list, (record, row) => record.longurl === row.url),
		...invalid('The alias api is reserved.', {
			row: { url: 'https://example.com', custom: 'api' },
			advice: 'Enter another value, or use the record that has it',
		}),
		examples: [
			{
				title: 'updates the link that has the alias',
				request: 'PUT /api/url/:id/update',
				parameters: { url: ADDRESS, additionalFields: { metaTitle: 'Again' } },
				rows: async (stage) => [await newLink(stage), await newLink(stage)],
				body: { url: ADDRESS, metatitle: 'Again' },
				output: (row, stage) => ({ ...updatedLink(row, stage, ADDRESS), created: false }),
			},
			{
				title: 'updates the oldest link that leads to the URL, and changes its alias',
				request: 'PUT /api/url/:id/update',
				parameters: {
					matchBy: 'longUrl',
					additionalFields: { customAlias: column('alias') },
				},
				async rows(stage) {
					const url = 'HTTPS://example.com:443/same';
					const [oldest] = [await newLink(stage, { url: 'https://example.com/same' })];
					await newLink(stage, { url: 'https://example.com/same' });
					return [{ ...oldest, url, alias: `changed-${serial()}` }];
				},
				body: ({ url, alias }) => ({ url, custom: alias }),
				output: ({ id, url, alias }, stage) => ({
					...updatedLink({ id, custom: alias }, stage, url),
					created: false,
				}),
			},
		],
	},
	getStatistics: {
		kind: 'read',
		request: 'GET /api/url/:id',
		parameters: { linkId: idIn('id') },
		rows: withRecord(visitedLink),
		output: ({ id }, { dialect }) => figuresOf(id, dialect.topStatistics),
		...unknown('link'),
		examples: [
			{
				title:
					'gives the totals of a link that nobody visited, and no labels but those of networks',
				rows: async (stage) => [await newLink(stage)],
				output: ({ id }) => figuresOf(id, 'integer').map((figure) => ({ ...figure, count: 0 })),
			},
		],
	},
	update: {
		kind: 'write',
		request: 'PUT /api/url/:id/update',
		asks: 'GET /api/url/:id',
		parameters: { linkId: idIn('id'), updateFields: { metaTitle: column('title') } },
		rows: withRecord(newLink, () => ({ title: named('Retitled') })),
		// The API wants the long URL, so that the present one is sent again.
		body: ({ title, url }) => ({ metatitle: title, url }),
		output: (row, stage) => updatedLink(row, stage, row.url),
		written: listed(LINKS.list, (record, row) => isOf(record, row) && record.title === row.title),
		...unknown('link', { title: 'x' }),
		examples: [
			{
				title: 'with a new URL does not ask for the present one',
				asks: undefined,
				parameters: { updateFields: { url: ADDRESS, metaDescription: 'New' } },
				body: { url: ADDRESS, metadescription: 'New' },
				output: (row, stage) => updatedLink(row, stage, ADDRESS),
			},
			{
				title: 'sends an overlay by its ID',
				asks: undefined,
				parameters: {
					updateFields: { url: ADDRESS, redirectType: 'overlay', ctaOverlayId: idIn('page') },
				},
				rows: async (stage) => [
					{
						...(await newLink(stage)),
						page: String(stage.sandbox.links.addOverlay(stage.linkAccount.id, 'Sale')),
					},
				],
				body: ({ page }) => ({ url: ADDRESS, type: `overlay-${textOf(page)}` }),
				output: (row, stage) => updatedLink(row, stage, ADDRESS),
			},
			{
				title: 'sends what was added empty empty, which clears it',
				asks: undefined,
				rows: async (stage) => [
					await newLink(stage, {
						...GERMANY,
						metadescription: 'Description',
						password: 'secret',
						parameters: [{ name: 'ref', value: 'x' }],
					}),
				],
				parameters: {
					updateFields: {
						url: ADDRESS,
						customAlias: '',
						password: '',
						domain: byName(''),
						expiry: '',
						geoTargets: {},
						deviceTargets: {},
						languageTargets: {},
						metaTitle: '',
						metaDescription: '',
						metaImage: '',
						parameters: {},
						utm: {},
					},
				},
				body: {
					url: ADDRESS,
					custom: '',
					password: '',
					domain: '',
					expiry: '',
					geotarget: [],
					devicetarget: [],
					languagetarget: [],
					metatitle: '',
					metadescription: '',
					metaimage: '',
					parameters: [],
				},
				output: ({ id }) => ({ ...written(ADDRESS, like(/^alias-\d+$/)), id }),
				async then(_stage, [cleared]) {
					const opened = await fetch(textOf(cleared?.shorturl), { redirect: 'manual' });
					expect(opened.headers.get('location')).toBe(ADDRESS);
				},
			},
		],
	},
};
