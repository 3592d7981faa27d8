import type { Dialect } from '../dialects.ts';
import { Failure } from '../failure.ts';
import { bodyOf, type Fields, isRecord, listOf, TEXT, textIn } from '../fields.ts';
import type { Tables } from '../records.ts';
import type { Call } from './routes.ts';

/** "Short link (add and update)": what a body may hold, and what it makes of a link. */

/** First path segments that the service itself answers. */
const RESERVED_ALIASES = ['admin', 'api', 'login', 'qr'];

const OWN_DOMAIN = "account_id = ? AND record ->> 'domain' IN (?, ?)";

export const BODY = bodyOf(
	{
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
	},
	'url',
);

/** Reads what was sent of a link. What no response shows is not stored. */
export function linkReader(
	{ domains, links }: Tables,
	dialect: Dialect,
): (call: Call, present?: Fields) => Fields {
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
	const domainOf = ({ accountId, baseUrl }: Call, given: string): unknown => {
		if (given === '') return null;
		const url = given.includes('://') ? given : `http://${given}`;
		const host = URL.parse(url)?.host ?? '';
		if (host === new URL(baseUrl).host) return null;
		const found = domains.first(OWN_DOMAIN, accountId, `http://${host}`, `https://${host}`);
		if (!found) throw new Failure(422, `${given} is not a domain of this account.`);
		return found.domain;
	};

	return (call, present = {}) => {
		const { body } = call;
		const given = textIn(body, 'domain');
		const domain = given === undefined ? present.domain : domainOf(call, given);
		const alias = textIn(body, 'custom');
		if (alias) checkAlias(alias, present.id, domain);
		const fields = {
			longurl: textIn(body, 'url'),
			alias: alias === '' ? undefined : alias,
			domain,
			expiry: body.expiry === '' ? null : body.expiry,
			location: targetsIn(body.geotarget, 'location'),
			device: targetsIn(body.devicetarget, 'device'),
			title: body.metatitle,
			description: body.metadescription,
		};
		return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
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
