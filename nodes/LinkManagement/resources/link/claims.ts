// Which row says what of a link: a second row about it may say nothing else, or the last one would win without a word.

import type { IDataObject } from 'n8n-workflow';

import type { CheckedRow, RowInput } from '../../../shared/operations/operation';
import { inputFailure } from '../../../shared/values/failure';
import { idIn, textIn } from '../../../shared/values/json';
import { lowerCase } from '../../../shared/values/text';
import { canonicalUrl } from '../../values/longUrl';
import { hostIn } from '../../values/shortUrl';
import { linkRunOf, type LinkRow } from './linkRun';
import type { PickedPlace } from './places';

/** What a row wants, before anything is sent. */
export interface WantedRow {
	places: readonly PickedPlace[];
	/** All that it says of its link, for comparison. */
	said: string;
	/** How messages name a row before it that says the same. */
	earlier: string | undefined;
}

/** @throws Failure if an earlier row says something else of the same alias or long URL */
export function wantedRow(
	{ parameters }: RowInput,
	{ body, session, label }: CheckedRow,
	places: readonly PickedPlace[],
): WantedRow {
	const { custom, url, domain } = body;
	const isByAlias = custom !== undefined && parameters.matchBy !== 'longUrl';
	const name = textIn(isByAlias ? custom : url) ?? '';
	const key = JSON.stringify([isByAlias ? name : canonicalUrl(name), hostIn(domain)]);
	const page = canonicalUrl(textIn(url) ?? '');
	const said = JSON.stringify([
		{ ...body, url: page, domain: hostIn(domain) },
		places.map(({ ref }) => (typeof ref === 'number' ? ref : lowerCase(ref.name))),
	]);
	const row = { run: linkRunOf(session), label };
	return { places, said, earlier: claim(key, name, said, row) };
}

/** Notes that the row is about this link. @returns whether an earlier row says the same of it @throws Failure if one says something else */
export function claimLink(
	{ shorturl, id }: IDataObject,
	{ said }: WantedRow,
	row: LinkRow,
): boolean {
	const key = textIn(shorturl) ?? String(idIn(id));
	return claim(key, key, said, row) !== undefined;
}

/** @returns how messages name the first row about a link, if that is another row */
function claim(
	key: string,
	name: string,
	said: string,
	{ run, label }: Pick<LinkRow, 'run' | 'label'>,
): string | undefined {
	const first = run.claims.get(key) ?? { label, said };
	run.claims.set(key, first);
	if (first.label === label) return undefined;
	if (first.said === said) return first.label;
	throw inputFailure(
		`The link ${name} is already in ${first.label}`,
		'Remove one of these rows, or give each its own alias',
	);
}
