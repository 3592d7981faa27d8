import { randomBytes } from 'node:crypto';
import { datetime } from '../clock.ts';
import type { Dialect } from '../dialects.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import type { Tables } from '../records.ts';
import { mapOf } from './answers.ts';
import { BODY, linkReader } from './linkFields.ts';
import { deletionRoute, type LinkRoutes, listRoute } from './routes.ts';
import { statisticsOf } from './visits.ts';

export function linkRoutes(tables: Tables, dialect: Dialect): LinkRoutes {
	const { links } = tables;
	const read = linkReader(tables, dialect);

	const sameUrl = (accountId: number, longurl: unknown): Fields | undefined =>
		dialect.sameUrl === 'existing'
			? links.first("account_id = ? AND record ->> 'longurl' = ?", accountId, String(longurl))
			: undefined;

	return {
		'GET /api/urls': listRoute(
			'urls',
			links,
			(link, { baseUrl }) => {
				const { id, alias, longurl, clicks, title, description, date } = link;
				const shorturl = shortUrl(link, baseUrl);
				return { id, alias, shorturl, longurl, clicks, title, description, date };
			},
			{ date: ["record ->> 'date'", 'id'], click: ["record ->> 'clicks'", 'id'] },
		),
		'GET /api/url/:id': {
			answer({ accountId, params, baseUrl }) {
				const link = links.get(accountId, params.id);
				const { id, longurl, title, description, expiry, date } = link;
				return {
					details: {
						id,
						shorturl: shortUrl(link, baseUrl),
						longurl,
						title,
						description,
						location: mapOf(fieldsOf(link.location), dialect),
						device: mapOf(fieldsOf(link.device), dialect),
						expiry,
						date,
					},
					data: statisticsOf(link, dialect, true),
				};
			},
		},
		'POST /api/url/add': {
			body: BODY,
			answer(call) {
				const { accountId, now, baseUrl } = call;
				const given = read(call);
				const same = sameUrl(accountId, given.longurl);
				if (same) return written(same, baseUrl, dialect);
				const link = { ...newLink(String(given.longurl), now), ...given };
				return written({ id: links.add(accountId, link), ...link }, baseUrl, dialect);
			},
		},
		'PUT /api/url/:id/update': {
			body: BODY,
			answer(call) {
				const link = links.get(call.accountId, call.params.id);
				return written(links.change(link.id, read(call, link)), call.baseUrl, dialect, true);
			},
		},
		'DELETE /api/url/:id/delete': deletionRoute(links),
	};
}

/** The response to a create or an update. */
function written(link: Fields, baseUrl: string, { linkAnswer }: Dialect, isUpdate = false): Fields {
	const { id } = link;
	const url = shortUrl(link, baseUrl);
	const answers: Record<Dialect['linkAnswer'], Fields> = {
		'as-documented': isUpdate ? { id, short: url } : { id, shorturl: url },
		shorturl: { id, shorturl: url },
		nested: { data: { id, shorturl: url } },
		'without-id': isUpdate ? { message: 'The link has been updated.' } : { short: url },
		short_url: { id, short_url: url },
	};
	return answers[linkAnswer];
}

/** A link of which nothing is known but where it leads. @param now epoch milliseconds */
export const newLink = (longurl: string, now: number): Fields => ({
	alias: randomBytes(4).toString('hex'),
	longurl,
	title: URL.parse(longurl)?.hostname ?? '',
	description: '',
	domain: null,
	expiry: null,
	clicks: 0,
	date: datetime(now),
});

/** The address of a link: on its branded domain if it has one. */
export function shortUrl({ alias, domain }: Fields, baseUrl: string): string {
	const path = String(alias).split('/').map(encodeURIComponent).join('/');
	return `${typeof domain === 'string' ? domain : baseUrl}/${path}`;
}
