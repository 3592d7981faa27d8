import { randomBytes } from 'node:crypto';
import type { SQLInputValue } from 'node:sqlite';
import { datetime } from '../clock.ts';
import { integer, recordIn, type Row, text, textOrNull } from '../database.ts';
import { Failure } from '../failure.ts';
import {
	type Fields,
	readDatetime,
	readRecords,
	readRequiredText,
	readTarget,
	readText,
	readUrl,
} from '../input.ts';
import { mapOf } from './answers.ts';
import { originsOf } from './domains.ts';
import { pageReader } from './pagination.ts';
import { type Call, idIn, type LinkContext, type LinkRoute, unknownId } from './routes.ts';
import { statisticsReader } from './statistics.ts';

/** First path segments that the service itself answers. */
const RESERVED_ALIASES = 'admin api avatar bio campaign login preview qr r sandbox'.split(' ');

const REDIRECT_TYPES = ['direct', 'frame', 'splash'];

/** Columns of the links table, by name. */
type Columns = Record<string, SQLInputValue>;

/** The host of a branded domain is read for the records of the page only, not for those before it. */
const SELECT_LINK = `SELECT id, alias, longurl, title, description, clicks, date, expiry, locations, devices,
	(SELECT record ->> 'domain' FROM domains WHERE domains.id = links.domain_id) AS domain FROM links`;

export function linkRoutes(context: LinkContext): LinkRoute[] {
	const { database, dialect } = context;
	const statistics = statisticsReader(database, dialect);
	const count = database.prepare('SELECT link_count FROM link_accounts WHERE id = ?');
	const inAccount = `${SELECT_LINK} WHERE account_id = ?`;
	const byDate = pageReader(database, inAccount, ['date', 'id']);
	const byClicks = pageReader(database, inAccount, ['clicks', 'id']);
	const find = database.prepare(`${inAccount} AND id = ?`);
	const remove = database.prepare('DELETE FROM links WHERE account_id = ? AND id = ?');
	const findUrl = database.prepare(
		'SELECT id FROM links WHERE account_id = ? AND longurl = ? ORDER BY id LIMIT 1',
	);
	const readColumns = columnReader(context);

	const existing = (accountId: number, id: number): Row => {
		const row = find.get(accountId, id);
		if (!row) throw unknownId('link', id);
		return row;
	};

	/** The response to a create or an update. */
	const written = (accountId: number, id: number, isUpdate: boolean): Fields => {
		const url = shortUrl(existing(accountId, id), context);
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

	return [
		{
			method: 'GET',
			path: '/api/urls',
			list: 'urls',
			orders: ['date', 'click'],
			total({ accountId }) {
				const row = count.get(accountId);
				return row ? integer(row, 'link_count') : 0;
			},
			records: ({ accountId }, query) =>
				(query.order === 'click' ? byClicks : byDate)([accountId], query).map((row) => ({
					id: integer(row, 'id'),
					alias: text(row, 'alias'),
					shorturl: shortUrl(row, context),
					longurl: text(row, 'longurl'),
					clicks: integer(row, 'clicks'),
					title: text(row, 'title'),
					description: text(row, 'description'),
					date: text(row, 'date'),
				})),
		},
		{
			method: 'GET',
			path: '/api/url/:id',
			answer(call) {
				const row = existing(call.accountId, idIn(call, 'id', 'link'));
				return {
					details: {
						id: integer(row, 'id'),
						shorturl: shortUrl(row, context),
						longurl: text(row, 'longurl'),
						title: text(row, 'title'),
						description: text(row, 'description'),
						location: mapOf(recordIn(row, 'locations'), dialect),
						device: mapOf(recordIn(row, 'devices'), dialect),
						expiry: textOrNull(row, 'expiry'),
						date: text(row, 'date'),
					},
					data: statistics.ofLink(integer(row, 'id')),
				};
			},
		},
		{
			method: 'POST',
			path: '/api/url/add',
			answer(call) {
				const given = readColumns(call);
				const same = findUrl.get(call.accountId, given.longurl ?? null);
				if (same && dialect.sameUrl === 'existing') {
					return written(call.accountId, integer(same, 'id'), false);
				}
				const columns: Columns = {
					alias: randomBytes(4).toString('hex'),
					title: new URL(readTarget(call.body, 'url')).hostname,
					description: '',
					...given,
					account_id: call.accountId,
					date: datetime(call.now),
				};
				const names = Object.keys(columns);
				const { lastInsertRowid } = database
					.prepare(
						`INSERT INTO links (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
					)
					.run(...Object.values(columns));
				return written(call.accountId, Number(lastInsertRowid), false);
			},
		},
		{
			method: 'PUT',
			path: '/api/url/:id/update',
			answer(call) {
				const id = idIn(call, 'id', 'link');
				existing(call.accountId, id);
				const columns = readColumns(call, id);
				const changes = Object.keys(columns).map((name) => `${name} = ?`);
				database
					.prepare(`UPDATE links SET ${changes.join(', ')} WHERE id = ?`)
					.run(...Object.values(columns), id);
				return written(call.accountId, id, true);
			},
		},
		{
			method: 'DELETE',
			path: '/api/url/:id/delete',
			answer(call) {
				const id = idIn(call, 'id', 'link');
				existing(call.accountId, id);
				remove.run(call.accountId, id);
				return { message: 'The link has been deleted.' };
			},
		},
	];
}

/** The address of a link: on its branded domain if it has one. Needs the columns alias and domain. */
export function shortUrl(row: Row, { baseUrl }: LinkContext): string {
	const base = textOrNull(row, 'domain') ?? baseUrl();
	const alias = text(row, 'alias').split('/').map(encodeURIComponent).join('/');
	return `${base.replace(/\/+$/, '')}/${alias}`;
}

/**
 * Reads "Short link (add and update)" into columns: those that were sent, and the URL, which must be. What no response shows
 * is checked, but not stored.
 */
function columnReader({
	database,
	dialect,
	baseUrl,
}: LinkContext): (call: Call, id?: number) => Columns {
	const findAlias = database.prepare(
		'SELECT id FROM links WHERE alias = ? AND id IS NOT ? AND (? OR domain_id IS ?)',
	);
	const findLinkDomain = database.prepare('SELECT domain_id FROM links WHERE id = ?');
	const findDomain = database.prepare(
		"SELECT id FROM domains WHERE account_id = ? AND record ->> 'domain' IN (?, ?)",
	);
	const findSplashPage = database.prepare(
		'SELECT id FROM splash_pages WHERE account_id = ? AND id = ?',
	);
	const findOverlay = database.prepare('SELECT id FROM overlays WHERE account_id = ? AND id = ?');

	const alias = (custom: string, id: number | null, domain: SQLInputValue): string => {
		if (RESERVED_ALIASES.includes(custom.toLowerCase())) {
			throw new Failure(422, `The alias ${custom} is reserved.`);
		}
		const isUnique = dialect.aliases === 'unique' ? 1 : 0;
		if (findAlias.get(custom, id, isUnique, domain)) {
			throw new Failure(409, `The alias ${custom} is already taken.`);
		}
		return custom;
	};

	const domainId = (accountId: number, domain: string): number | null => {
		const url = domain.includes('://') ? domain : `http://${domain}`;
		const host = URL.canParse(url) ? new URL(url).host : '';
		if (host === new URL(baseUrl()).host) return null;
		const row = findDomain.get(accountId, ...originsOf(host));
		if (!row) throw new Failure(422, `${domain} is not a domain of this account.`);
		return integer(row, 'id');
	};

	const checkType = (accountId: number, type: string): void => {
		if (['', ...REDIRECT_TYPES].includes(type)) return;
		const [, overlay, id = ''] = /^(overlay-)?(\d{1,15})$/.exec(type) ?? [];
		const find = overlay ? findOverlay : findSplashPage;
		if (find.get(accountId, Number(id))) return;
		throw new Failure(
			422,
			'type must be direct, frame, splash, <id of a splash page> or overlay-<id of a CTA overlay>.',
		);
	};

	return ({ accountId, body, now }, id) => {
		const columns: Columns = { longurl: readTarget(body, 'url') };
		checkType(accountId, readText(body, 'type') ?? '');
		const domain = readText(body, 'domain')?.trim();
		if (domain !== undefined) columns.domain_id = domain ? domainId(accountId, domain) : null;
		const custom = readText(body, 'custom');
		if (custom) {
			const present = id === undefined ? null : (findLinkDomain.get(id)?.domain_id ?? null);
			columns.alias = alias(custom, id ?? null, columns.domain_id ?? present);
		}
		const expiry = readDatetime(body, 'expiry');
		if (expiry && expiry <= datetime(now)) {
			throw new Failure(422, 'expiry must be in the future.');
		}
		if (expiry !== undefined) columns.expiry = expiry || null;
		const locations = targets(body, 'geotarget', 'location');
		if (locations) columns.locations = locations;
		const devices = targets(body, 'devicetarget', 'device');
		if (devices) columns.devices = devices;
		targets(body, 'languagetarget', 'language');
		for (const pair of readRecords(body, 'parameters') ?? []) {
			readRequiredText(pair, 'name');
			readText(pair, 'value');
		}
		readText(body, 'password');
		const title = readText(body, 'metatitle');
		if (title !== undefined) columns.title = title;
		const description = readText(body, 'metadescription');
		if (description !== undefined) columns.description = description;
		const image = readUrl(body, 'metaimage');
		if (image && !/\.(jpe?g|png)$/i.test(new URL(image).pathname)) {
			throw new Failure(422, 'metaimage must be a link to a jpg or png image.');
		}
		return columns;
	};
}

/** `[{ <key>, link }]` as JSON of a map from the lower-case name to the link. */
function targets(body: Fields, name: string, key: string): string | undefined {
	const entries = readRecords(body, name)?.map((entry) => [
		readRequiredText(entry, key).trim().toLowerCase(),
		readTarget(entry, 'link'),
	]);
	return entries && JSON.stringify(Object.fromEntries(entries));
}
