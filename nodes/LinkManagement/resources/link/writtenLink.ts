// What a link is after a write. A response that says something else than the request is an error, and never sent again: the service
// carried the write out.

import type { IDataObject } from 'n8n-workflow';

import { isSuccess } from '../../../shared/http/responseKind';
import type { OutputColumns } from '../../../shared/operations/operation';
import { Failure, type FailureKind, toFailure } from '../../../shared/values/failure';
import { idIn, mapIn, textIn } from '../../../shared/values/json';
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
	known: IDataObject = {},
	mayBeSilent = false,
): IDataObject {
	const { id, shorturl: stated, short, short_url, ...members } = membersOf(response);
	const said = textIn(stated) ?? textIn(short) ?? textIn(short_url);
	const message = textIn(response.message);
	if (!id && !said && message !== undefined && !mayBeSilent)
		throw new Failure({ kind: 'refused', message, advice: 'Check the values you entered' });
	const isMoved =
		body.custom !== undefined ||
		(body.domain !== undefined && hostIn(body.domain) !== hostIn(known.shorturl));
	const shorturl = said ?? (isMoved ? undefined : textIn(known.shorturl)) ?? null;
	const asked = textIn(body.custom) ?? textIn(known.alias);
	return {
		id: idIn(id) ?? idIn(known.id) ?? null,
		shorturl,
		longurl: body.url,
		alias: aliasIn(shorturl, asked) ?? asked ?? null,
		...members,
	};
}

/** Where a link was to be. What is not known counts as the same. */
interface Asked {
	host: string | undefined;
	alias: string | undefined;
}

/** @throws Failure if a link got another host or alias than it was to have */
function requireAsAsked(kind: FailureKind, link: IDataObject, asked: Asked, advice: string): void {
	const { id, shorturl, longurl } = link;
	const host = hostIn(shorturl) ?? asked.host;
	const alias = aliasIn(shorturl, asked.alias) ?? asked.alias;
	const isMoved = asked.host !== undefined && host !== asked.host;
	const isRenamed = asked.alias !== undefined && aliasKey(asked.alias) !== aliasKey(alias ?? '');
	if (!isMoved && !isRenamed) return;
	throw new Failure({
		kind,
		message: `The link is now ${host ?? ''}/${alias ?? ''} instead of ${asked.host ?? host ?? ''}/${asked.alias ?? alias ?? ''}`,
		advice: isMoved ? advice : CHECK_ALIAS,
		mayRetry: false,
		written: { id, shorturl, longurl, alias },
	});
}

const CHECK_ALIAS = 'Check the link, and whether the plan of the account includes aliases';
const CHECK_DOMAIN = 'Check the link, and whether the account has this domain';

/** @param host where the link has to be @throws Failure, which ends the run, if it is elsewhere: each further row would do the same */
export function createdLink(
	response: IDataObject,
	body: IDataObject,
	host: string | undefined,
	row: LinkRow,
): IDataObject {
	const link = writtenLink(response, body);
	if (link.shorturl === null) return { outcome: 'created', ...link, id: requireId(link) };
	const outcome = isKnown(link.id, row) ? 'existing' : 'created';
	const asked = { host: hostIn(body.domain) ?? host, alias: textIn(body.custom) };
	const advice =
		body.domain === undefined
			? `Enter ${hostIn(link.shorturl)} as 'Short Link Domain' in the credential, then run the items again`
			: CHECK_DOMAIN;
	try {
		requireAsAsked(outcome === 'created' ? 'notAsAsked' : 'refused', link, asked, advice);
	} catch (error) {
		throw row.session.stopAfter(toFailure(error));
	}
	return { outcome, ...link };
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
	requireAsAsked('refused', link, { host, alias }, CHECK_DOMAIN);
	return link;
}

/** Services say in many ways that an alias is taken, so only the status counts. */
export const mayBeTaken = ({ kind, httpCode = 0, mayRetry }: Failure): boolean =>
	kind === 'refused' && mayRetry && (isSuccess(httpCode) || [400, 409, 422].includes(httpCode));

/** A failure after the link was written, which says so. */
export function incomplete(
	{ id, shorturl, longurl, alias, outcome = 'created' }: IDataObject,
	what: string,
	error: unknown,
): Failure {
	const failure = toFailure(error);
	const link = `The link ${textIn(shorturl) ?? ''} (ID ${idIn(id) ?? 'not known'})`;
	return failure.with({
		message: `${link} was ${textIn(outcome) ?? ''}, but ${what}: ${failure.message}`,
		written: { id, shorturl, longurl, alias },
	});
}
