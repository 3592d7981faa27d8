// Which link a row means, and what it says of it: a second row about it may say nothing else, or the last one would win without a
// word.

import type { IDataObject } from 'n8n-workflow';

import { nameKey } from '../../../shared/lists/namedList';
import { inputFailure } from '../../../shared/values/failure';
import { textIn, without } from '../../../shared/values/json';
import { addressesOf, canonicalUrl } from '../../values/longUrl';
import { aliasIn, aliasKey, hostIn, longKey, shortKey, shortUrlAt } from '../../values/shortUrl';
import type { Claim, LinkRow } from './linkRow';
import type { PickedPlace } from './places';

/** What a row wants, before anything is sent. */
export interface WantedRow {
	host: string;
	/** Undefined if the link is found by its long URL. */
	alias: string | undefined;
	/** By which it is looked up. */
	shortUrl: string;
	/** What identifies the link; several, because services may have parameters in the long URL. */
	keys: readonly string[];
	places: readonly PickedPlace[];
	said: Claim['said'];
}

/** @throws Failure if an earlier row says something else of the same link */
export function wantedRow(
	row: LinkRow,
	body: IDataObject,
	places: readonly PickedPlace[],
): WantedRow {
	const host = hostIn(body.domain) ?? hostIn(row.shortBase) ?? '';
	const alias = row.parameters.matchBy === 'longUrl' ? undefined : textIn(body.custom);
	const keys =
		alias === undefined
			? addressesOf(body).map((address) => longKey(host, address))
			: [shortKey(host, alias)];
	const shortUrl = shortUrlAt(host, alias ?? '', row.shortBase);
	const said = saidBy(alias === undefined ? body : without(body, 'custom'), places);
	const [key = ''] = keys;
	claim(key, alias ?? textIn(body.url) ?? '', said, row);
	return { host, alias, shortUrl, keys, places, said };
}

/** What identifies the link is left out. */
function saidBy(body: IDataObject, places: readonly PickedPlace[]): Claim['said'] {
	const said: Record<string, string> = {};
	for (const [name, value] of Object.entries(without(body, 'domain')))
		said[name] = JSON.stringify(value);
	for (const { what, ref } of places)
		said[what] = typeof ref === 'number' ? String(ref) : nameKey(ref.name).toLowerCase();
	const alias = textIn(body.custom);
	if (alias !== undefined) said.custom = aliasKey(alias);
	return { ...said, url: canonicalUrl(textIn(body.url) ?? '') };
}

/**
 * Notes that a row is about a link that exists.
 * @returns how messages name a row before it that says all that this one says @throws Failure if one says something else
 */
export function claimLink(
	{ alias, shorturl }: IDataObject,
	{ said }: WantedRow,
	row: LinkRow,
): string | undefined {
	const name = textIn(alias) ?? aliasIn(shorturl) ?? '';
	return claim(shortKey(hostIn(shorturl) ?? '', name), name, said, row);
}

function claim(
	key: string,
	name: string,
	said: Claim['said'],
	{ run, label }: LinkRow,
): string | undefined {
	const first = run.claims.get(key) ?? { label, said };
	run.claims.set(key, first);
	if (first.label === label) return undefined;
	if (Object.entries(said).every(([member, value]) => first.said[member] === value))
		return first.label;
	throw inputFailure(
		`The link ${name} is already in ${first.label}`,
		'Remove one of these rows, or give each its own alias',
	).with({ mayRetry: false });
}
