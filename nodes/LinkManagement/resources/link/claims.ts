// Which row says what of a link: a second row about it has to say the same.

import type { IDataObject } from 'n8n-workflow';

import type { CheckedRow, RowInput, RowRequest } from '../../../shared/operations/operation';
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

/** Before anything is sent. @returns an earlier row with the same alias or long URL @throws Failure if that says something else */
export function earlierRow(
	{ parameters }: RowInput,
	row: CheckedRow,
	places: readonly PickedPlace[],
): Claim | undefined {
	const { custom, url, domain } = row.body;
	const isByAlias = custom !== undefined && parameters.matchBy !== 'longUrl';
	const page = isByAlias ? custom : canonicalUrl(textIn(url) ?? '');
	const key = JSON.stringify([page, hostIn(domain)]);
	return firstClaim(key, textIn(isByAlias ? custom : url), comparableRow(row.body, places), row);
}

/** Claims the link of a row. @returns the claim of an earlier row that says the same @throws Failure if one says something else */
export function claim(
	{ shorturl, id }: IDataObject,
	{ body }: RowRequest,
	places: readonly PickedPlace[],
	row: LinkRow,
): Claim | undefined {
	const link = textIn(shorturl);
	const said = comparableRow(body, places);
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

/** What a row says of a link, in one spelling. */
const comparableRow = (body: IDataObject, places: readonly PickedPlace[]): string =>
	JSON.stringify({
		...body,
		url: canonicalUrl(textIn(body.url) ?? ''),
		domain: hostIn(body.domain),
		places: places.map(({ what, ref }) => [what, typeof ref === 'number' ? ref : ref.name]),
	});
