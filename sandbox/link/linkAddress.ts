import type { Dialect } from '../dialects.ts';
import { Failure } from '../failure.ts';
import { type Fields, textIn } from '../fields.ts';
import type { Tables } from '../records.ts';
import type { Call } from './routes.ts';

/** Alias and domain of a link: how they are read, and where a short URL leads. */

/** Every account may use it. */
export const SHARED_DOMAIN = 'https://shared.example.net';

/** The main one, where it is not that of the API. */
export const OTHER_MAIN_DOMAIN = 'https://main.example.net';

/** First path segments that the service itself answers. */
const RESERVED_ALIASES = ['admin', 'api', 'login', 'qr'];

const OWN_DOMAIN = "account_id = ? AND record ->> 'domain' IN (?, ?)";

/** What becomes one `-` where aliases are rewritten. */
const SIGNS = /[\s!"#$%&'()*+,\-./_|]+/g;

export function linkAddress({ domains, links }: Tables, dialect: Dialect) {
	const isRewritten = dialect.aliasForm === 'rewritten';
	const sameAlias = `record ->> 'alias' = ? ${isRewritten ? 'COLLATE NOCASE' : ''}`;

	/** The main domain, null, or the spelling of the list; undefined: none was sent. */
	function domainOf({ accountId, mainUrl, body }: Call): unknown {
		const given = textIn(body, 'domain');
		if (given === undefined) return undefined;
		if (given === '') return null;
		const url = given.includes('://') ? given : `http://${given}`;
		const host = URL.parse(url)?.host ?? '';
		if (host === new URL(mainUrl).host) return null;
		if (dialect.sharedDomains !== 'none' && SHARED_DOMAIN.endsWith(`//${host}`)) {
			return SHARED_DOMAIN;
		}
		const found = domains.first(OWN_DOMAIN, accountId, `http://${host}`, `https://${host}`);
		if (found) return found.domain;
		if (dialect.foreignDomain === 'ignored') return null;
		throw new Failure(422, `${given} is not a domain of this account.`);
	}

	/** The alias as it is stored; undefined: none was sent. */
	function aliasOf(body: Fields): string | undefined {
		const sent = dialect.plan === 'no-aliases' ? '' : (textIn(body, 'custom') ?? '');
		const alias = isRewritten ? sent.replaceAll(SIGNS, '-').replaceAll(/^-|-$/g, '') : sent;
		return alias === '' ? undefined : alias;
	}

	/** @throws Failure if a link may not have this alias on this domain */
	function checkAlias(alias: string, id: unknown, domain: unknown): void {
		if (RESERVED_ALIASES.includes(alias.toLowerCase())) {
			throw new Failure(422, `The alias ${alias} is reserved.`);
		}
		const isTaken = links.first(
			`${sameAlias} AND id IS NOT ? AND (? OR record ->> 'domain' IS ?)`,
			alias,
			Number(id ?? 0),
			dialect.aliases === 'unique' ? 1 : 0,
			typeof domain === 'string' ? domain : null,
		);
		if (isTaken) throw new Failure(409, `The alias ${alias} is already taken.`);
	}

	/** The link of a short URL. @throws Failure if there is none */
	function linkAt(short: string, { accountId, mainUrl }: Call): Fields {
		const url = URL.parse(short);
		const alias = decodeURIComponent(url?.pathname.slice(1) ?? '');
		const domain = url?.origin === mainUrl ? null : (url?.origin ?? '');
		const found = links.first(
			`account_id = ? AND ${sameAlias} AND record ->> 'domain' IS ?`,
			accountId,
			alias,
			domain,
		);
		if (!found) throw new Failure(404, `There is no link ${short}.`);
		return found;
	}

	return { aliasOf, checkAlias, domainOf, linkAt };
}

/** The address of a link: on its branded domain if it has one. */
export function shortUrl({ alias, domain }: Fields, { mainUrl }: Pick<Call, 'mainUrl'>): string {
	const path = String(alias).split('/').map(encodeURIComponent).join('/');
	return `${typeof domain === 'string' ? domain : mainUrl}/${path}`;
}
