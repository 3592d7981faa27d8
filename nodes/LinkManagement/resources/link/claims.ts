// Which row says what of a link: a second row about it has to say the same.

import type { IDataObject } from 'n8n-workflow';

import type { CheckedRow, RowInput } from '../../../shared/operations/operation';
import { perSession } from '../../../shared/operations/session';
import { inputFailure } from '../../../shared/values/failure';
import { idIn, textIn } from '../../../shared/values/json';
import { canonicalUrl } from '../../values/longUrl';
import { hostIn } from '../../values/shortUrl';
import type { LinkRow } from './linkRun';
import type { PickedPlace } from './places';

/** A row, as messages name it, and what it says of its link. */
export interface Claim {
	label: string;
	value: string;
}

/** The first rows about links, by what identifies the link. */
const claimsOf = perSession(() => new Map<string, Claim>());

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
	return { places, said, earlier: firstClaim(key, textIn(isByAlias ? custom : url), said, row) };
}

/** Claims the link of a row. @returns the claim of an earlier row that says the same @throws Failure if one says something else */
export function claim(
	{ shorturl, id }: IDataObject,
	{ said }: WantedRow,
	row: LinkRow,
): Claim | undefined {
	const link = textIn(shorturl);
	const earlier = firstClaim(link ?? String(idIn(id)), link, said, row);
	// A row that an earlier try has begun to write goes on.
	const isBegun = row.writes.hasTried('create') || row.writes.hasTried('update');
	return isBegun ? undefined : earlier;
}

function firstClaim(
	key: string,
	link = '',
	value: string,
	{ session, label }: Pick<LinkRow, 'session' | 'label'>,
): Claim | undefined {
	const claims = claimsOf(session);
	const first = claims.get(key);
	if (first === undefined) {
		claims.set(key, { label, value });
		return undefined;
	}
	if (first.value === value) return first;
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
