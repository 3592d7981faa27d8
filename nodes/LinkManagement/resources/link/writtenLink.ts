// What a link is after a write. A response that says something else than the request is an error, and never sent again: the service
// carried the write out.

import type { IDataObject } from 'n8n-workflow';

import { CREATE_REFUSED, isSuccess } from '../../../shared/http/response';
import type { OutputColumns } from '../../../shared/operations/operation';
import { Failure, type FailureKind, toFailure } from '../../../shared/values/failure';
import { idIn, mapIn, textIn, textsIn } from '../../../shared/values/json';
import { record } from '../../records';
import { membersOf, requireId } from '../../writeResults';
import { aliasIn, aliasKey, hostIn } from '../../values/shortUrl';
import { isKnown, type LinkRow } from './linkRow';

/** How links stand beside the columns of a row. */
export const LINK_OUTPUT: OutputColumns = {
	first: ['outcome', 'error', 'shorturl'],
};

/** A link from the list, with the members that a write outputs. */
export function listedLink(link: IDataObject): IDataObject {
	const { id, shorturl, longurl, alias, clicks = mapIn(link.statistics).clicks } = record(link);
	return { id, shorturl, longurl, alias, clicks: clicks ?? null };
}

/**
 * The output of a write.
 * @param known of the link; its short URL stays if the response has none
 * @param mayBeSilent whether a message without an id or a short URL is a success
 * @throws Failure if it is none: the service refused something, and wrote nothing
 */
function writtenLink(
	response: IDataObject,
	body: IDataObject,
	known: IDataObject,
	mayBeSilent: boolean,
): IDataObject {
	const { id, shorturl: stated, short, short_url, ...members } = membersOf(response);
	const said = textsIn(stated, short, short_url);
	if (!id && said.length === 0 && !mayBeSilent) requireNoMessage(response);
	const shorturl = said[0] ?? unmoved(body, known) ?? null;
	const [asked] = textsIn(body.custom, known.alias);
	const alias = aliasIn(shorturl, asked) ?? asked ?? null;
	return { id: idIn(id) ?? idIn(known.id) ?? null, shorturl, longurl: body.url, alias, ...members };
}

function requireNoMessage(response: IDataObject): void {
	const message = textIn(response.message);
	if (message !== undefined)
		throw new Failure({ kind: 'refused', message, advice: CREATE_REFUSED });
}

/** The short URL that a link keeps. */
function unmoved({ custom, domain }: IDataObject, { shorturl }: IDataObject): string | undefined {
	const isMoved = domain !== undefined && hostIn(domain) !== hostIn(shorturl);
	return custom !== undefined || isMoved ? undefined : textIn(shorturl);
}

/** In words, how a link has another host or alias than it was to have; undefined if it has not, as far as is known. */
function differenceOf(
	{ shorturl }: IDataObject,
	asked: Record<'alias' | 'host', string | undefined>,
): string | undefined {
	const host = hostIn(shorturl) ?? asked.host ?? '';
	const alias = aliasIn(shorturl, asked.alias) ?? asked.alias ?? '';
	const wanted = { host: asked.host ?? host, alias: asked.alias ?? alias };
	const isSame = host === wanted.host && aliasKey(alias) === aliasKey(wanted.alias);
	return isSame ? undefined : `${host}/${alias} instead of ${wanted.host}/${wanted.alias}`;
}

/** What a failed row still says of its link. */
const membersOfRow = ({ id, shorturl, longurl, alias }: IDataObject): IDataObject => ({
	id,
	shorturl,
	longurl,
	alias,
});

/** It is never sent again. */
const notAsAsked = (link: IDataObject, difference: string, kind: FailureKind): Failure =>
	new Failure({
		kind,
		message: `The link is now ${difference}`,
		advice: 'Check the link, and whether the plan of the account has aliases and this domain',
		written: membersOfRow(link),
		mayRetry: false,
	});

/** @throws Failure, which ends the run, if it is elsewhere: each further row would do the same */
export function createdLink(response: IDataObject, body: IDataObject, row: LinkRow): IDataObject {
	const link = writtenLink(response, body, {}, false);
	if (link.shorturl === null) return { outcome: 'created', ...link, id: requireId(link) };
	const asked = { host: hostIn(body.domain) ?? row.wanted?.host, alias: textIn(body.custom) };
	const difference = differenceOf(link, asked);
	const isOlder = isKnown(link.id, row);
	if (difference === undefined) return { outcome: isOlder ? 'existing' : 'created', ...link };
	if (isOlder) {
		// It is not the row's, so its columns would mislead the next run.
		const message = `The service has an older link to this URL, ${difference}`;
		const advice = 'Change that link instead';
		throw new Failure({ kind: 'refused', message, advice, mayRetry: false });
	}
	const failure = notAsAsked(link, difference, 'notAsAsked');
	const landed = hostIn(link.shorturl) ?? '';
	const isAsked = body.domain !== undefined || [undefined, landed].includes(asked.host);
	const advice = `Enter ${landed} as 'Short Link Domain' in the credential, then run the items again`;
	throw row.session.stopAfter(isAsked ? failure : failure.with({ advice }));
}

/** The link that an update left, with what was sent. @throws Failure if its short URL is another one, and nobody asked for that */
export function updatedLink(
	response: IDataObject,
	body: IDataObject,
	known: IDataObject,
): IDataObject {
	// Without a picture that the service may not take, a message alone is a success.
	const link = writtenLink(response, body, known, body.metaimage === undefined);
	const host = hostIn(body.domain === '' ? undefined : (body.domain ?? known.shorturl));
	const alias = textIn(body.custom) ?? textIn(known.alias);
	const difference = differenceOf(link, { host, alias });
	if (difference === undefined) return link;
	throw notAsAsked(link, difference, 'refused');
}

/** Services say in many ways that an alias is taken, so only the status counts. @param written the link, if something else failed */
export const mayBeTaken = ({ kind, httpCode = 0, mayRetry, written }: Failure): boolean =>
	kind === 'refused' &&
	mayRetry &&
	written === undefined &&
	(isSuccess(httpCode) || [400, 409, 422].includes(httpCode));

/** A failure after the link was written, which says so. */
export function incomplete(written: IDataObject, what: string, error: unknown): Failure {
	const { id, shorturl, outcome = 'created' } = written;
	const failure = toFailure(error);
	const link = `The link ${textIn(shorturl) ?? ''} (ID ${idIn(id) ?? 'not known'})`;
	return failure.with({
		message: `${link} was ${textIn(outcome) ?? ''}, but ${what}: ${failure.message}`,
		written: membersOfRow(written),
	});
}
