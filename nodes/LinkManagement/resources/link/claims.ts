// Which row says what of a link: a second row about it may say nothing else.

import type { IDataObject } from 'n8n-workflow';

import { nameKey } from '../../../shared/lists/knownRecords';
import type { CheckedRow, RowInput } from '../../../shared/operations/operation';
import { inputFailure } from '../../../shared/values/failure';
import type { ParameterValues } from '../../../shared/values/input';
import { idIn, textIn } from '../../../shared/values/json';
import { lowerCase } from '../../../shared/values/text';
import { addressesOf, canonicalUrl } from '../../values/longUrl';
import { hostIn } from '../../values/shortUrl';
import { type Claim, type LinkRow, linkRunOf } from './linkRun';
import type { PickedPlace } from './places';

/** What a row wants, before anything is sent. */
export interface WantedRow {
	places: readonly PickedPlace[];
	said: Claim['said'];
	/** A row before it about the same alias or long URL, which says all that this one says. */
	earlier: Claim | undefined;
}

/** @throws Failure if an earlier row says something else of the same alias or long URL */
export function wantedRow(
	{ parameters }: RowInput,
	row: CheckedRow,
	places: readonly PickedPlace[],
): WantedRow {
	const { custom, url } = row.body;
	const said = saidBy(row.body, places);
	const isByAlias = isMatchedByAlias(row.body, parameters);
	const key = JSON.stringify([isByAlias ? custom : said.get('url'), said.get('domain')]);
	const { claims } = linkRunOf(row.session);
	const link = textIn(isByAlias ? custom : url);
	return { places, said, earlier: firstClaim(claims, key, { label: row.label, said }, link) };
}

const isMatchedByAlias = ({ custom }: IDataObject, { matchBy }: ParameterValues): boolean =>
	custom !== undefined && matchBy !== 'longUrl';

/**
 * Claims the link that a row of a dry run would create. A row behind it would find it by its long URL.
 * @returns the claim of an earlier row that says all that this one says @throws Failure if this one says something else
 */
export function claimNew(body: IDataObject, { said }: WantedRow, row: LinkRow): Claim | undefined {
	const { newLinks } = row.run;
	const claimed = { label: row.label, said };
	const keys = addressesOf(body).map((address) =>
		JSON.stringify([canonicalUrl(address), hostIn(body.domain)]),
	);
	const key = keys.find((each) => newLinks.has(each));
	if (key !== undefined && !isMatchedByAlias(body, row.input.parameters))
		return firstClaim(newLinks, key, claimed, textIn(body.url));
	for (const each of keys) if (!newLinks.has(each)) newLinks.set(each, claimed);
	return undefined;
}

/** Claims the link of a row. @returns the claim of an earlier row that says all that this one says @throws Failure if this one says something else */
export function claim(
	{ shorturl, id }: IDataObject,
	{ said }: WantedRow,
	row: LinkRow,
): Claim | undefined {
	const link = textIn(shorturl);
	const key = link ?? String(idIn(id));
	const earlier = firstClaim(row.run.claims, key, { label: row.label, said }, link);
	// A row that an earlier try has begun to write goes on.
	const isBegun = row.writes.hasTried('create') || row.writes.hasTried('update');
	return isBegun ? undefined : earlier;
}

/** @returns the claim of an earlier row, if there is one @throws Failure if this one says something else */
function firstClaim(
	claims: Map<string, Claim>,
	key: string,
	claim: Claim,
	link = '',
): Claim | undefined {
	const first = claims.get(key);
	if (first === undefined) {
		claims.set(key, claim);
		return undefined;
	}
	if ([...claim.said].every(([name, value]) => first.said.get(name) === value)) return first;
	throw inputFailure(
		`The link ${link} is already in ${first.label}`,
		'Remove one of these rows, or give each its own alias',
	);
}

/** A row that leaves something out says nothing of it. */
function saidBy(body: IDataObject, places: readonly PickedPlace[]): Claim['said'] {
	const named = places.map(
		({ what, ref }) =>
			[what, typeof ref === 'number' ? ref : lowerCase(nameKey(ref.name))] as const,
	);
	const members: IDataObject = {
		...body,
		url: canonicalUrl(textIn(body.url) ?? ''),
		domain: hostIn(body.domain),
		...Object.fromEntries(named),
	};
	return new Map(
		Object.entries(members)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => [name, JSON.stringify(value)]),
	);
}
