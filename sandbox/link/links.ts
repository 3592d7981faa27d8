import { randomBytes } from 'node:crypto';
import { datetime } from '../clock.ts';
import { type Fields, isRecord } from '../input.ts';
import { Records } from '../records.ts';
import { mapOf } from './answers.ts';
import { BODY, linkReader } from './linkFields.ts';
import { deletionRoute, listRoute } from './lists.ts';
import { type Call, idIn, type LinkContext, type LinkRoute } from './routes.ts';
import { statisticsOf, topOfLink } from './visits.ts';

export function linkRoutes(context: LinkContext): LinkRoute[] {
	const { database, dialect, baseUrl } = context;
	const links = new Records(database, 'links', 'link');
	const read = linkReader(context, links);
	const linkIn = (call: Call): Fields => links.get(call.accountId, idIn(call, 'id', 'link'));

	const sameUrl = (accountId: number, longurl: unknown): Fields | undefined =>
		links.first("account_id = ? AND record ->> 'longurl' = ?", accountId, String(longurl));

	/** The response to a create or an update. */
	const written = (link: Fields, isUpdate: boolean): Fields => {
		const { id } = link;
		const url = shortUrl(link, baseUrl());
		switch (dialect.linkAnswer) {
			case 'as-documented':
				return isUpdate ? { id, short: url } : { id, shorturl: url };
			case 'shorturl':
				return { id, shorturl: url };
			case 'nested':
				return { data: { id, shorturl: url } };
			case 'without-id':
				return isUpdate ? { message: 'The link has been updated.' } : { short: url };
			case 'short_url':
				return { id, short_url: url };
		}
	};

	const inList = (link: Fields): Fields => {
		const { id, alias, longurl, clicks, title, description, date } = link;
		const shorturl = shortUrl(link, baseUrl());
		return { id, alias, shorturl, longurl, clicks, title, description, date };
	};

	return [
		listRoute(database, links, '/api/urls', 'urls', inList, {
			date: ["record ->> 'date'", 'id'],
			click: ["record ->> 'clicks'", 'id'],
		}),
		{
			method: 'GET',
			path: '/api/url/:id',
			answer(call) {
				const link = linkIn(call);
				const { id, longurl, title, description, location, device, expiry, date } = link;
				return {
					details: {
						id,
						shorturl: shortUrl(link, baseUrl()),
						longurl,
						title,
						description,
						location: mapOf(isRecord(location) ? location : {}, dialect),
						device: mapOf(isRecord(device) ? device : {}, dialect),
						expiry,
						date,
					},
					data: statisticsOf(link, topOfLink(dialect)),
				};
			},
		},
		{
			method: 'POST',
			path: '/api/url/add',
			body: BODY,
			answer(call) {
				const given = read(call);
				const same = dialect.sameUrl === 'existing' && sameUrl(call.accountId, given.longurl);
				if (same) return written(same, false);
				const link = { ...newLink(String(given.longurl), call.now), ...given };
				return written({ id: links.add(call.accountId, link), ...link }, false);
			},
		},
		{
			method: 'PUT',
			path: '/api/url/:id/update',
			body: BODY,
			answer(call) {
				const link = linkIn(call);
				return written(links.change(link, read(call, link)), true);
			},
		},
		deletionRoute(links, '/api/url/:id/delete'),
	];
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
