// Which link a row means, and what it says of it: a second row about it may say nothing else, or the last one would win without a
// word.

import type { IDataObject } from 'n8n-workflow';

import { nameKey } from '../../../shared/lists/namedList';
import { inputFailure } from '../../../shared/values/failure';
import { textIn, without } from '../../../shared/values/json';
import { addressesOf, canonicalUrl } from '../../values/longUrl';
import { aliasIn, aliasKey, hostIn, longKey, shortKey, shortUrlAt } from '../../values/shortUrl';
import type { Claim, LinkRow, WantedRow } from './linkRow';
import type { PickedPlace } from './places';

/** @throws Failure if an earlier row says something else of the same link */
export function wantedRow(row: LinkRow, body: IDataObject): WantedRow {
	const host = hostIn(body.domain) ?? hostIn(row.shortBase) ?? '';
	const alias = row.parameters.matchBy === 'longUrl' ? undefined : textIn(body.custom);
	const keys =
		alias === undefined
			? addressesOf(body).map((address) => longKey(host, address))
			: [shortKey(host, alias)];
	const shortUrl = shortUrlAt(host, alias ?? '', row.shortBase);
	const said = saidBy(alias === undefined ? body : without(body, 'custom'), row.places);
	const [key = ''] = keys;
	claim(key, alias ?? textIn(body.url) ?? '', said, row);
	return { ...row, wanted: { host, alias, shortUrl, keys, said } };
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
export function claimLink({ alias, shorturl }: IDataObject, row: LinkRow): string | undefined {
	// A row of *Create* says nothing of other rows' links, and a response may not say where the link is.
	if (!row.wanted || shorturl === null) return undefined;
	const name = textIn(alias) ?? aliasIn(shorturl) ?? '';
	return claim(shortKey(hostIn(shorturl) ?? '', name), name, row.wanted.said, row);
}

function claim(
	key: string,
	name: string,
	said: Claim['said'],
	{ run, label, writes }: LinkRow,
): string | undefined {
	const first = run.claims.get(key) ?? { row: writes, label, said };
	run.claims.set(key, first);
	if (first.row === writes) return undefined;
	if (Object.entries(said).every(([member, value]) => first.said[member] === value))
		return first.label;
	throw inputFailure(
		`The link ${name} is already in ${first.label}`,
		'Remove one of these rows, or give each its own alias',
	);
}
