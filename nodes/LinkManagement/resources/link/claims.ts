// Which row says what of a link: a second row about it has to say the same.

import type { IDataObject } from 'n8n-workflow';

import type { CheckedRow, RowInput } from '../../../shared/operations/operation';
import { inputFailure } from '../../../shared/values/failure';
import { idIn, textIn } from '../../../shared/values/json';
import { canonicalUrl } from '../../values/longUrl';
import { hostIn } from '../../values/shortUrl';
import { type Claim, type LinkRow, linkRunOf } from './linkRun';
import type { PickedPlace } from './places';

/** What a row wants, before anything is sent. */
export interface WantedRow {
	places: readonly PickedPlace[];
	/** What it says of its link, in one spelling. */
	said: string;
	/** A row before it that says the same of the same alias or long URL. */
	earlier: Claim | undefined;
}

/** @throws Failure if an earlier row says something else of the same alias or long URL */
export function wantedRow(
	{ parameters }: RowInput,
	row: CheckedRow,
	places: readonly PickedPlace[],
): WantedRow {
	const { custom, url } = row.body;
	const comparable = comparableRow(row.body, places);
	const said = JSON.stringify(comparable);
	const isByAlias = custom !== undefined && parameters.matchBy !== 'longUrl';
	const key = JSON.stringify([isByAlias ? custom : comparable.url, comparable.domain]);
	const { claims } = linkRunOf(row.session);
	const link = textIn(isByAlias ? custom : url);
	return {
		places,
		said,
		earlier: firstClaim(claims, key, { label: row.label, value: said }, link),
	};
}

/** Claims the link of a row. @returns the claim of an earlier row that says the same @throws Failure if one says something else */
export function claim(
	{ shorturl, id }: IDataObject,
	{ said }: WantedRow,
	row: LinkRow,
): Claim | undefined {
	const link = textIn(shorturl);
	const key = link ?? String(idIn(id));
	const earlier = firstClaim(row.run.claims, key, { label: row.label, value: said }, link);
	// A row that an earlier try has begun to write goes on.
	const isBegun = row.writes.hasTried('create') || row.writes.hasTried('update');
	return isBegun ? undefined : earlier;
}

/** @returns the claim of an earlier row, if there is one @throws Failure if it says something else */
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
	if (first.value === claim.value) return first;
	throw inputFailure(
		`The link ${link} is already in ${first.label}`,
		'Remove one of these rows, or give each its own alias',
	);
}

const comparableRow = (body: IDataObject, places: readonly PickedPlace[]) => ({
	...body,
	url: canonicalUrl(textIn(body.url) ?? ''),
	domain: hostIn(body.domain),
	places: places.map(({ what, ref }) => [what, typeof ref === 'number' ? ref : ref.name]),
});
