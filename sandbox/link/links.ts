import type { Dialect } from '../dialects.ts';
import { Failure, Undocumented } from '../failure.ts';
import { type OrderedResponse, page } from '../faults.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import type { Filter, Tables } from '../records.ts';
import { locationOf, mapOf } from './answers.ts';
import { putIntoChannel } from './channels.ts';
import { linkAddress, shortUrl } from './linkAddress.ts';
import { bodyOfLink, linkReader, newLink, takesImage } from './linkFields.ts';
import { type Call, deletionRoute, type LinkRoutes, listRoute } from './routes.ts';
import { statisticsOf } from './visits.ts';

const SEARCHED = ['longurl', 'alias', 'title'].map((name) => `record ->> '${name}' LIKE ?`);

const NO_PICTURE = { message: 'The picture was not saved: use a link to a jpg or png file.' };

/** What is shown of a link that does not exist. */
const NO_LINK: Fields = { id: 0, alias: null, longurl: null, title: null, description: null };

export function linkRoutes(tables: Tables, dialect: Dialect): LinkRoutes {
	const { campaigns, channels, links } = tables;
	const read = linkReader(tables, dialect);
	const { linkAt } = linkAddress(tables, dialect);
	const body = bodyOfLink(dialect);

	const sameUrl = ({ accountId }: Call, { longurl, alias }: Fields): Fields | undefined =>
		dialect.sameUrl === 'new' || alias
			? undefined
			: links.first("account_id = ? AND record ->> 'longurl' = ?", accountId, String(longurl));

	const placesOf = (link: Fields, { accountId }: Call): Fields =>
		dialect.createReadsPlaces === 'no'
			? {}
			: {
					campaign: campaigns.idOf(accountId, link.campaign),
					channel: channels.idOf(accountId, link.channel),
				};

	const searched = ({ query: { q } }: Call): Filter | undefined =>
		q && dialect.readsSearch === 'yes'
			? { condition: `(${SEARCHED.join(' OR ')})`, values: SEARCHED.map(() => `%${q}%`) }
			: undefined;

	const list = listRoute(
		'urls',
		links,
		(link, call) => {
			const { id, alias, longurl, clicks, title, description, date } = link;
			const shorturl = shortUrl(link, call);
			const documented = { id, alias, shorturl, longurl, clicks, title, description, date };
			return { ...documented, ...placesOf(link, call) };
		},
		{ date: ["record ->> 'date'", 'id'], click: ["record ->> 'clicks'", 'id'] },
		searched,
	);

	return {
		'GET /api/urls': {
			...list,
			single: (call) => {
				const { short } = call.query;
				const { readsShort } = dialect;
				if (!short || readsShort === 'no') return undefined;
				if (readsShort === 'yes') return detailed(linkAt(short, call), call, dialect);
				throw new Undocumented(LOOK_UP_ANSWERS[readsShort]);
			},
		},
		'GET /api/url/:id': {
			answer(call) {
				const { accountId, params } = call;
				const found = links.first('account_id = ? AND id = ?', accountId, Number(params.id));
				const isShown = found ?? dialect.unknownLink === 'nulls';
				const link = isShown ? (found ?? NO_LINK) : links.get(accountId, params.id);
				return detailed(link, call, dialect);
			},
		},
		'POST /api/url/add': {
			body,
			answer(call) {
				const { accountId, now } = call;
				checkPlan(links.count(accountId), dialect);
				if (!takesImage(call.body, dialect)) return NO_PICTURE;
				const given = read(call);
				const same = sameUrl(call, given);
				if (same) return written(same, call, dialect);
				const link = { ...newLink(String(given.longurl), now), ...given };
				const id = links.add(accountId, link);
				const channelId = channels.idOf(accountId, call.body.channel);
				if (channelId) putIntoChannel(tables, channels.get(accountId, channelId), 'links', id);
				return written({ id, ...link }, call, dialect);
			},
		},
		'PUT /api/url/:id/update': {
			body,
			answer(call) {
				const link = links.get(call.accountId, call.params.id);
				if (!takesImage(call.body, dialect)) return NO_PICTURE;
				return written(links.change(link.id, read(call, link)), call, dialect, true);
			},
		},
		'DELETE /api/url/:id/delete': deletionRoute(links),
	};
}

/** How a service answers a look-up that it does not have. */
const LOOK_UP_ANSWERS: Record<Exclude<Dialect['readsShort'], 'no' | 'yes'>, OrderedResponse> = {
	page: page(200),
	'404': page(404),
	'500': page(500),
	'403': { status: 403, body: { error: 1, message: 'This is not allowed.' } },
	redirect: { status: 302, headers: { location: '/login' } },
};

/** @throws if the plan has no more links */
function checkPlan(links: number, { plan, planLinks }: Dialect): void {
	if (links < planLinks) return;
	const message = 'Your plan has no more links.';
	if (plan === 'used-up-429') {
		throw new Undocumented({ status: 429, body: { error: 429, message } });
	}
	if (plan === 'used-up') throw new Undocumented(page(500));
	if (plan === 'used-up-message') throw new Failure(422, message);
}

/** The response with the details of a link. */
function detailed(link: Fields, call: Call, dialect: Dialect): Fields {
	const { id, longurl, title, description, expiry = null, date = null } = link;
	const isInside = dialect.shapes === 'documented';
	return {
		...(isInside ? {} : { id }),
		details: {
			...(isInside ? { id } : {}),
			shorturl: link.alias === null ? null : shortUrl(link, call),
			longurl,
			title,
			description,
			location: locationOf(fieldsOf(link.location), dialect),
			device: mapOf(fieldsOf(link.device), dialect),
			expiry,
			date,
		},
		data: statisticsOf(link, dialect, true),
	};
}

/** The response to a create or an update. */
function written(link: Fields, call: Call, { linkAnswer }: Dialect, isUpdate = false): Fields {
	const { id } = link;
	const url = shortUrl(link, call);
	const answers: Record<Dialect['linkAnswer'], Fields> = {
		'as-documented': isUpdate ? { id, short: url } : { id, shorturl: url },
		shorturl: { id, shorturl: url },
		nested: { data: { id, shorturl: url } },
		'without-id': isUpdate ? { message: 'The link has been updated.' } : { short: url },
		short_url: { id, short_url: url },
	};
	return answers[linkAnswer];
}
