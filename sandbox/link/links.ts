import type { Dialect } from '../dialects.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import type { Filter, Tables } from '../records.ts';
import { putIntoChannel } from './channels.ts';
import { bodyOfLink, linkAt, newLink, readLink, shortUrl } from './linkFields.ts';
import { type Call, deletionRoute, type LinkRoutes, listRoute, sourceOf } from './routes.ts';
import { mapOf, statisticsOf } from './visits.ts';

const SEARCHED =
	"concat_ws(' ', record ->> 'longurl', record ->> 'alias', record ->> 'title') LIKE ?";
const ORDERS = { date: ["record ->> 'date'", 'id'], click: ["record ->> 'clicks'", 'id'] };

export function linkRoutes(tables: Tables, dialect: Dialect): LinkRoutes {
	const { links } = tables;
	const body = bodyOfLink(dialect);
	const show = (link: Fields, call: Call): Fields => listed(link, call, tables, dialect);
	const searched = ({ query: { q } }: Call): Filter | undefined =>
		q && dialect.readsSearch === 'yes' ? [SEARCHED, `%${q}%`] : undefined;
	const list = listRoute('urls', sourceOf(links, show, searched), dialect, ORDERS);

	return {
		'GET /api/urls': {
			...list,
			answer(call) {
				const { short } = call.query;
				return short && dialect.readsShort === 'yes'
					? detailed(linkAt(tables, dialect, call, short), call, dialect)
					: list.answer(call);
			},
		},
		'GET /api/url/:id': {
			answer: (call) => detailed(links.get(call.accountId, call.params.id), call, dialect),
		},
		'POST /api/url/add': {
			body,
			answer: (call) =>
				takesImage(call.body, dialect)
					? written(created(tables, dialect, call), call, dialect)
					: NO_PICTURE,
		},
		'PUT /api/url/:id/update': {
			body,
			answer(call) {
				const link = links.get(call.accountId, call.params.id);
				if (!takesImage(call.body, dialect)) return NO_PICTURE;
				const changed = links.change(link.id, readLink(tables, dialect, call, link));
				return written(changed, call, dialect, true);
			},
		},
		...deletionRoute('/api/url', links),
	};
}

/** The new link, or the one that the service gives instead. */
function created(tables: Tables, dialect: Dialect, call: Call): Fields {
	const { accountId, body, now } = call;
	const given = readLink(tables, dialect, call);
	const longurl = String(given.longurl);
	const condition = "account_id = ? AND record ->> 'longurl' = ?";
	const same = tables.links.first(condition, accountId, longurl);
	if (same && dialect.sameUrl === 'existing' && !given.alias) return same;
	const link = { ...newLink(longurl, now), ...given };
	const id = tables.links.add(accountId, link);
	const channel = tables.channels.own(accountId, body.channel);
	if (channel) putIntoChannel(tables, channel, 'links', id);
	return { id, ...link };
}

const NO_PICTURE = { message: 'The picture was not saved: use a link to a jpg or png file.' };

/** Whether the service takes the picture that was sent, if any. */
function takesImage({ metaimage }: Fields, { shapes }: Dialect): boolean {
	const path = URL.parse(String(metaimage))?.pathname ?? '';
	return shapes === 'documented' || !metaimage || /\.(?:jpe?g|png)$/i.test(path);
}

/** A link as the list shows it. */
function listed(link: Fields, call: Call, tables: Tables, dialect: Dialect): Fields {
	const { id, alias, longurl, clicks, title, description, date } = link;
	const shorturl = shortUrl(link, call);
	const documented = { id, alias, shorturl, longurl, clicks, title, description, date };
	if (dialect.createReadsPlaces === 'no') return documented;
	const campaign = tables.campaigns.own(call.accountId, link.campaign)?.id ?? null;
	const channel = tables.channels.own(call.accountId, link.channel)?.id ?? null;
	return { ...documented, campaign, channel };
}

/** The response with the details of a link. */
function detailed(link: Fields, call: Call, dialect: Dialect): Fields {
	const { id, longurl, title, description, expiry, date } = link;
	const isInside = dialect.shapes === 'documented';
	return {
		...(isInside ? {} : { id }),
		details: {
			...(isInside ? { id } : {}),
			shorturl: shortUrl(link, call),
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

function locationOf(map: Fields, { shapes }: Dialect): Fields | null {
	if (shapes === 'documented') return map;
	const entries = Object.entries(map).map(([country, all]) => [country, { all }]);
	return entries.length === 0 ? null : (Object.fromEntries(entries) as Fields);
}

/** The response to a create or an update. */
function written(link: Fields, call: Call, { shapes }: Dialect, isUpdate = false): Fields {
	const member = isUpdate && shapes === 'documented' ? 'short' : 'shorturl';
	return { id: link.id, [member]: shortUrl(link, call) };
}
