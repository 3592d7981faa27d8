import type { IDataObject } from 'n8n-workflow';

import type { Collection, Fields, Sample } from '../operationSample.ts';
import {
	column,
	deletion,
	fresh,
	idColumn,
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
		clicks: 0,
		title: 'example.com',
		description: '',
		date: DATETIME,
	}),
};
export const newLink = LINKS.make;

const whichOf = (row: IDataObject, stage: Stage): Fields => ({
	...{ id: row.id, alias: row.custom, shorturl: shortUrl(row, stage) },
});

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

/** A link that somebody has visited, so that its statistics hold something. */
export async function visitedLink(stage: Stage): Promise<IDataObject> {
	const geotarget = [{ location: 'Germany', link: 'https://example.de/' }];
	const { geotarget: _target, ...link } = await newLink(stage, { geotarget });
	await visit(shortUrl(link, stage));
	return link;
}

const ADDRESS = 'https://example.com/';

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
			parameters: { customAlias: 'api' },
		}),
	},
	delete: deletion(LINKS),
	get: {
		kind: 'read',
		request: 'GET /api/url/:id',
		parameters: { linkId: idColumn('id') },
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
	getAll: listing(LINKS),
	upsert: {
		kind: 'upsert',
		request: 'POST /api/url/add',
		looksIn: ['GET /api/urls'],
		parameters: { url: column('url'), customAlias: column('custom'), additionalFields: {} },
		rows: fresh(() => ({ url: webAddress(), custom: `alias-${serial()}` })),
		body: ({ url, custom }) => ({ url, custom }),
		output: ({ url, custom }) => ({ ...written(url, custom), outcome: 'created' }),
		written: listed(LINKS.list, (record, row) => record.longurl === row.url),
		...invalid('The alias api is reserved.', {
			row: { url: 'https://example.com', custom: 'api' },
		}),
		examples: [
			{
				title: 'updates the link that has the alias',
				request: 'PUT /api/url/:id/update',
				parameters: { url: ADDRESS, additionalFields: { metaTitle: 'Again' } },
				rows: async (stage) => [await newLink(stage), await newLink(stage)],
				body: { url: ADDRESS, metatitle: 'Again' },
				output: (row, stage) => ({ ...updatedLink(row, stage, ADDRESS), outcome: 'updated' }),
			},
			{
				title: 'updates the oldest link that leads to the URL, and changes its alias',
				request: 'PUT /api/url/:id/update',
				parameters: { matchBy: 'longUrl', customAlias: column('alias') },
				async rows(stage) {
					const url = 'HTTPS://example.com:443/same';
					const [oldest] = [await newLink(stage, { url: 'https://example.com/same' })];
					await newLink(stage, { url: 'https://example.com/same' });
					return [{ ...oldest, url, alias: `changed-${serial()}` }];
				},
				body: ({ url, alias }) => ({ url, custom: alias }),
				output: ({ id, url, alias }, stage) => ({
					...updatedLink({ id, custom: alias }, stage, url),
					outcome: 'updated',
				}),
			},
		],
	},
	getStatistics: {
		kind: 'read',
		request: 'GET /api/url/:id',
		parameters: { linkId: idColumn('id') },
		rows: withRecord(visitedLink),
		output: (row, stage) => figuresOf(whichOf(row, stage), stage.dialect.topStatistics),
		...unknown('link'),
		examples: [
			{
				title:
					'gives the totals of a link that nobody visited, and no labels but those of networks',
				rows: async (stage) => [await newLink(stage)],
				output: (row, stage) =>
					figuresOf(whichOf(row, stage), 'integer').map((figure) => ({ ...figure, count: 0 })),
			},
		],
	},
	update: {
		kind: 'write',
		request: 'PUT /api/url/:id/update',
		asks: 'GET /api/url/:id',
		parameters: { linkId: idColumn('id'), updateFields: { metaTitle: column('title') } },
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
		],
	},
};
