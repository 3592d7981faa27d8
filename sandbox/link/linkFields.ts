import { datetime } from '../clock.ts';
import { Failure } from '../failure.ts';
import {
	bodyOf,
	type Fields,
	FILLED,
	filledIn,
	isRecord,
	listOf,
	TEXT,
	textIn,
	textOf,
} from '../input.ts';
import { Records } from '../records.ts';
import { IS_ON_HOST, originsOf } from './domains.ts';
import type { Call, LinkContext } from './routes.ts';

/** "Short link (add and update)": what a body may hold, and what it makes of a link. */

/** First path segments that the service itself answers. */
const RESERVED_ALIASES = 'admin api avatar bio campaign login preview qr r sandbox'.split(' ');

const REDIRECT_TYPES = ['', 'direct', 'frame', 'splash'];

const TARGET = { ...FILLED, ...textOf('an absolute URL') };

/** "Short link (add and update)" */
export const BODY = bodyOf(
	{
		url: TARGET,
		custom: TEXT,
		type: TEXT,
		password: TEXT,
		domain: TEXT,
		expiry: textOf('a datetime written YYYY-MM-DD HH:MM:SS'),
		geotarget: listOf({ location: FILLED, link: TARGET }, 'location', 'link'),
		devicetarget: listOf({ device: FILLED, link: TARGET }, 'device', 'link'),
		languagetarget: listOf({ language: FILLED, link: TARGET }, 'language', 'link'),
		metatitle: TEXT,
		metadescription: TEXT,
		metaimage: textOf('a jpg or png image'),
		parameters: listOf({ name: FILLED, value: TEXT }, 'name'),
	},
	'url',
);

/** Reads what was sent of a link. What no response shows is checked, but not stored. */
export function linkReader(
	{ database, dialect, baseUrl }: LinkContext,
	links: Records,
): (call: Call, present?: Fields) => Fields {
	const domains = new Records(database, 'domains', 'domain');
	const splashPages = new Records(database, 'splash_pages', 'splash page');
	const overlays = new Records(database, 'overlays', 'overlay');

	const checkAlias = (alias: string, id: unknown, domain: unknown): void => {
		if (RESERVED_ALIASES.includes(alias.toLowerCase())) {
			throw new Failure(422, `The alias ${alias} is reserved.`);
		}
		const isTaken = links.first(
			"record ->> 'alias' = ? AND id IS NOT ? AND (? OR record ->> 'domain' IS ?)",
			alias,
			Number(id ?? 0),
			dialect.aliases === 'unique' ? 1 : 0,
			typeof domain === 'string' ? domain : null,
		);
		if (isTaken) throw new Failure(409, `The alias ${alias} is already taken.`);
	};

	/** As the list of domains spells it; null for that of the service. */
	const domainOf = (accountId: number, given: string): unknown => {
		if (given === '') return null;
		const url = given.includes('://') ? given : `http://${given}`;
		const host = URL.canParse(url) ? new URL(url).host : '';
		if (host === new URL(baseUrl()).host) return null;
		const found = domains.first(`account_id = ? AND ${IS_ON_HOST}`, accountId, ...originsOf(host));
		if (!found) throw new Failure(422, `${given} is not a domain of this account.`);
		return found.domain;
	};

	const checkType = (accountId: number, type: string): void => {
		if (REDIRECT_TYPES.includes(type)) return;
		const [, overlay, id = ''] = /^(overlay-)?(\d{1,15})$/.exec(type) ?? [];
		const pages = overlay ? overlays : splashPages;
		if (pages.first('account_id = ? AND id = ?', accountId, Number(id || 0))) return;
		throw new Failure(
			422,
			'type must be direct, frame, splash, <id of a splash page> or overlay-<id of a CTA overlay>.',
		);
	};

	return ({ accountId, body, now }, present = {}) => {
		checkType(accountId, textIn(body, 'type') ?? '');
		const given = textIn(body, 'domain');
		const domain = given === undefined ? present.domain : domainOf(accountId, given);
		const alias = filledIn(body, 'custom');
		if (alias !== undefined) checkAlias(alias, present.id, domain);
		const expiry = textIn(body, 'expiry');
		if (expiry && expiry <= datetime(now)) throw new Failure(422, 'expiry must be in the future.');
		const fields = {
			longurl: textIn(body, 'url'),
			alias,
			domain,
			expiry: expiry === '' ? null : expiry,
			location: targetsIn(body, 'geotarget', 'location'),
			device: targetsIn(body, 'devicetarget', 'device'),
			title: body.metatitle,
			description: body.metadescription,
		};
		return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
	};
}

/** `[{ <key>, link }]` as a map from the lower-case name to the link. */
function targetsIn(body: Fields, name: string, key: string): Fields | undefined {
	const targets = body[name];
	if (!Array.isArray(targets)) return undefined;
	const entries = targets
		.filter(isRecord)
		.map((target) => [textIn(target, key)?.toLowerCase(), textIn(target, 'link')]);
	return Object.fromEntries(entries) as Fields;
}
