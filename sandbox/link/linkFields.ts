import { randomBytes } from 'node:crypto';
import type { Dialect } from '../dialects.ts';
import { Failure } from '../faults.ts';
import { bodyOf, datetime, type Fields, isRecord, TEXT, textIn } from '../fields.ts';
import type { Tables } from '../records.ts';
import { escaped } from '../written.ts';
import type { Call } from './routes.ts';

/** "Short link (add and update)": what a body may hold, what it makes of a link, and where its short URL leads. */

/** Every account may use it. */
export const SHARED_DOMAIN = 'https://shared.example.net';

/** The main one, where it is not that of the API. */
export const OTHER_MAIN_DOMAIN = 'https://main.example.net';

/** First path segments that the service itself answers. */
const RESERVED_ALIASES = ['admin', 'api', 'login', 'qr'];

/** What becomes one `-` where aliases are rewritten. */
const SIGNS = /[\s!"#$%&'()*+,\-./_|]+/g;

const listOf = (properties: Record<string, object>, ...required: string[]) => ({
	type: 'array',
	items: bodyOf(properties, ...required),
});
const DOCUMENTED = {
	url: TEXT,
	custom: TEXT,
	type: TEXT,
	password: TEXT,
	domain: TEXT,
	expiry: TEXT,
	geotarget: listOf({ location: TEXT, link: TEXT }, 'location', 'link'),
	devicetarget: listOf({ device: TEXT, link: TEXT }, 'device', 'link'),
	languagetarget: listOf({ language: TEXT, link: TEXT }, 'language', 'link'),
	metatitle: TEXT,
	metadescription: TEXT,
	metaimage: TEXT,
	parameters: listOf({ name: TEXT, value: TEXT }, 'name'),
};
const BEYOND = {
	campaign: TEXT,
	channel: TEXT,
	pixels: { type: 'array', items: { type: 'integer' } },
	status: TEXT,
	description: TEXT,
};

export const bodyOfLink = ({ createReadsPlaces }: Dialect) =>
	bodyOf(createReadsPlaces === 'yes' ? { ...DOCUMENTED, ...BEYOND } : DOCUMENTED, 'url');

/** What an update empties, where it replaces what is not sent. */
const EMPTIED: Fields = {
	password: '',
	expiry: null,
	location: {},
	device: {},
	language: {},
	parameters: [],
	pixels: [],
	note: '',
	campaign: null,
	domain: null,
};

/** A link of which nothing is known but where it leads. @param now epoch milliseconds */
export const newLink = (longurl: string, now: number): Fields => ({
	alias: randomBytes(4).toString('hex'),
	longurl,
	title: URL.parse(longurl)?.hostname ?? '',
	description: '',
	image: '',
	type: 'direct',
	public: false,
	...EMPTIED,
	clicks: 0,
	date: datetime(now),
});

/** What was sent of a link. @param present the link that is updated */
export function readLink(
	tables: Tables,
	dialect: Dialect,
	call: Call,
	present: Fields = {},
): Fields {
	const { accountId, body } = call;
	const isUpdate = present.id !== undefined;
	const isReplaced = isUpdate && dialect.linkUpdate === 'replaces';
	const url = String(textIn(body, 'url'));
	const domain = domainOf(tables, dialect, call);
	const alias = aliasOf(body, dialect);
	const kept = isReplaced ? null : (present.domain ?? null);
	if (alias) checkAlias(tables, dialect, alias, present.id, domain === undefined ? kept : domain);
	const fields = {
		longurl: isUpdate ? escaped(url, dialect) : url,
		alias,
		domain,
		type: body.type,
		password: body.password,
		expiry: body.expiry === '' ? null : body.expiry,
		location: targetsIn(body.geotarget, 'location'),
		device: targetsIn(body.devicetarget, 'device'),
		language: targetsIn(body.languagetarget, 'language'),
		title: body.metatitle,
		description: body.metadescription,
		image: body.metaimage,
		parameters: body.parameters,
		...placesOf(tables, accountId, body),
	};
	const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
	return { ...(isReplaced ? EMPTIED : {}), ...Object.fromEntries(sent) };
}

/** What only some services read; a channel is no member of the link's own. */
function placesOf({ campaigns, pixels }: Tables, accountId: number, body: Fields): Fields {
	const { campaign, pixels: given, status, description: note } = body;
	return {
		campaign: campaign === undefined ? undefined : (campaigns.own(accountId, campaign)?.id ?? null),
		pixels: Array.isArray(given) ? given.filter((id) => pixels.own(accountId, id)) : undefined,
		public: status === undefined ? undefined : status === 'public',
		note,
	};
}

/** `[{ <key>, link }]` as a map from the lower-case name to the link. */
function targetsIn(targets: unknown, key: string): Fields | undefined {
	if (!Array.isArray(targets)) return undefined;
	const entries = targets
		.filter(isRecord)
		.map((target) => [textIn(target, key)?.toLowerCase(), target.link]);
	return Object.fromEntries(entries) as Fields;
}

/** The main domain, null, or the spelling of the list; undefined: none was sent. */
function domainOf({ domains }: Tables, dialect: Dialect, call: Call): unknown {
	const given = textIn(call.body, 'domain');
	if (given === undefined) return undefined;
	if (given === '') return null;
	const host = URL.parse(given.includes('://') ? given : `http://${given}`)?.host;
	if (host === new URL(call.mainUrl).host) return null;
	if (dialect.sharedDomains !== 'none' && SHARED_DOMAIN.endsWith(`//${host}`)) return SHARED_DOMAIN;
	const condition = "account_id = ? AND record ->> 'domain' IN (?, ?)";
	const found = domains.first(condition, call.accountId, `http://${host}`, `https://${host}`);
	if (found) return found.domain;
	if (dialect.foreignDomain === 'ignored') return null;
	throw new Failure(422, `${given} is not a domain of this account.`);
}

/** The alias as it is stored; undefined: none was sent. */
function aliasOf(body: Fields, { aliases, aliasForm }: Dialect): string | undefined {
	const sent = aliases === 'ignored' ? '' : (textIn(body, 'custom') ?? '');
	const rewritten = sent.replaceAll(SIGNS, '-').replaceAll(/^-|-$/g, '');
	return (aliasForm === 'rewritten' ? rewritten : sent) || undefined;
}

/** SQL: has this alias. */
const sameAlias = ({ aliasForm }: Dialect): string =>
	`record ->> 'alias' = ? ${aliasForm === 'rewritten' ? 'COLLATE NOCASE' : ''}`;

/** @throws Failure if a link may not have this alias on this domain */
function checkAlias(
	{ links }: Tables,
	dialect: Dialect,
	alias: string,
	id: unknown,
	domain: unknown,
): void {
	if (RESERVED_ALIASES.includes(alias.toLowerCase())) {
		throw new Failure(422, `The alias ${alias} is reserved.`);
	}
	const isTaken = links.first(
		`${sameAlias(dialect)} AND id IS NOT ? AND (? OR record ->> 'domain' IS ?)`,
		alias,
		Number(id ?? 0),
		dialect.aliases === 'unique' ? 1 : 0,
		typeof domain === 'string' ? domain : null,
	);
	if (isTaken) throw new Failure(409, `The alias ${alias} is already taken.`);
}

/** The link of a short URL. @throws Failure if there is none */
export function linkAt({ links }: Tables, dialect: Dialect, call: Call, short: string): Fields {
	const url = URL.parse(short);
	const alias = decodeURIComponent(url?.pathname.slice(1) ?? '');
	const domain = url?.origin === call.mainUrl ? null : (url?.origin ?? '');
	const condition = `account_id = ? AND ${sameAlias(dialect)} AND record ->> 'domain' IS ?`;
	const found = links.first(condition, call.accountId, alias, domain);
	if (!found) throw new Failure(404, `There is no link ${short}.`);
	return found;
}

/** The address of a link: on its branded domain if it has one. */
export function shortUrl({ alias, domain }: Fields, { mainUrl }: Pick<Call, 'mainUrl'>): string {
	const path = String(alias).split('/').map(encodeURIComponent).join('/');
	return `${typeof domain === 'string' ? domain : mainUrl}/${path}`;
}
