// What a link is after a write. A response that says something else than the request is an error, and never sent again: the service
// carried the write out.

import type { IDataObject } from 'n8n-workflow';

import { isSuccess } from '../../../shared/http/responseKind';
import { Failure, type FailureKind, toFailure } from '../../../shared/values/failure';
import { idIn, mapIn, textIn } from '../../../shared/values/json';
import { record } from '../../records';
import { domainsByHost } from '../../serviceLists';
import { membersOf, requireId } from '../../writeResults';
import { aliasIn, hostIn, isWrittenAs } from '../../values/shortUrl';
import { brandedDomain, isListedAsOlder, isOlder, ownAddresses, type LinkRow } from './linkRun';

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

/** A write that was carried out in another way than it was asked to. */
const writtenOtherwise = (
	kind: FailureKind,
	{ id, shorturl, longurl, alias }: IDataObject,
	message: string,
	advice: string,
): Failure =>
	new Failure({
		kind,
		message: `${message} (${textIn(shorturl) ?? ''})`,
		advice,
		mayRetry: false,
		written: { id, shorturl, longurl, alias },
	});

/** The link that a create made, with its outcome. @throws Failure if it has another alias or domain */
export async function createdLink(
	response: IDataObject,
	body: IDataObject,
	row: LinkRow,
): Promise<IDataObject> {
	const link = writtenLink(response, body);
	const alias = aliasIn(link.shorturl, textIn(body.custom));
	const asked = textIn(body.custom);
	const isOther = alias !== undefined && asked !== undefined && !isWrittenAs(asked, alias);
	const isKnown =
		row.index.get(link.id) !== undefined ||
		isOlder(link.id, row) ||
		(isOther && (await isListedAsOlder(link.id, row)));
	if (alias === undefined) return { outcome: 'created', ...link, id: requireId(link) };
	if (isOther) throw otherAlias(link, asked, alias, isKnown, row);
	checkHost(link, body.domain, isKnown, row);
	if (!isKnown && body.domain === undefined) row.run.createdHosts.add(hostIn(link.shorturl) ?? '');
	return { outcome: isKnown ? 'existing' : 'created', ...link };
}

function otherAlias(
	link: IDataObject,
	asked: string,
	alias: string,
	isKnown: boolean,
	row: LinkRow,
): Failure {
	if (isKnown) {
		return writtenOtherwise(
			'refused',
			link,
			`The service has an older link to this URL, with the alias "${alias}" instead of "${asked}"`,
			'Change the URL, or update that link',
		);
	}
	const failure = writtenOtherwise(
		'notAsAsked',
		link,
		`The link was created with the alias "${alias}" instead of "${asked}"`,
		'The plan may have no aliases, so no further row was sent. Remove the alias, or ask the service',
	);
	return row.session.stopAfter(failure);
}

function checkHost(link: IDataObject, domain: unknown, isKnown: boolean, row: LinkRow): void {
	const host = hostIn(link.shorturl);
	const asked = hostIn(domain);
	if (asked === undefined || asked === host) return;
	if (!isKnown) row.run.ignoredHosts.add(asked);
	throw writtenOtherwise(
		'refused',
		link,
		isKnown
			? `The service has an older link to this URL, on ${host ?? ''} instead of ${asked}`
			: `The link was created on ${host ?? ''} instead of ${asked}`,
		isKnown
			? 'Check that the account has this domain, or give the row an alias'
			: 'Check that the account has this domain',
	);
}

/** @throws Failure if an earlier row showed that the service ignores the domain of a body */
export function checkDomain({ domain }: IDataObject, row: LinkRow): void {
	const host = hostIn(domain);
	if (host === undefined || !row.run.ignoredHosts.has(host)) return;
	throw new Failure({
		kind: 'refused',
		message: `The service puts links for ${host} on another domain`,
		advice: 'Check that the account has this domain',
	});
}

/**
 * Services put a link for a domain that the account does not have on their own.
 * @param link that exists @throws Failure if the list has no such domain; for a new link, only if the account has others
 */
export async function requireDomain(
	{ domain }: IDataObject,
	link: IDataObject | undefined,
	row: LinkRow,
): Promise<void> {
	const host = hostIn(domain);
	if (host === undefined) return;
	const known = [link?.shorturl, ...ownAddresses(row)].map(hostIn);
	if (known.includes(host)) return;
	// A refused list means that there are none: a create is told by its response, an update would move the link.
	const unlisted = link ? undefined : host;
	if ((await brandedDomain(host, row, unlisted)) !== undefined) return;
	// An account without a domain of its own has those that all share, which the list may leave out.
	const hasOwn = row.list(domainsByHost).known.some(({ id }) => idIn(id) !== undefined);
	if (!link && !hasOwn) return;
	throw new Failure({
		kind: 'refused',
		message: `The account has no domain ${host}`,
		advice: 'Check its spelling, or add it in the service',
	});
}

/** The link that an update left, with what was sent. @throws Failure if its short URL is another one, and nobody asked for that */
export function updatedLink(
	response: IDataObject,
	body: IDataObject,
	known: IDataObject,
): IDataObject {
	// Without a picture that the service may not take, a message alone is a success.
	const link = writtenLink(response, body, known, body.metaimage === undefined);
	const host = hostIn(link.shorturl);
	const wantedHost = hostIn(body.domain === '' ? undefined : (body.domain ?? known.shorturl));
	const wantedAlias = textIn(body.custom) ?? textIn(known.alias);
	const alias = aliasIn(link.shorturl, wantedAlias);
	const isMoved = wantedHost !== undefined && host !== undefined && host !== wantedHost;
	const isRenamed =
		wantedAlias !== undefined && alias !== undefined && !isWrittenAs(wantedAlias, alias);
	if (!isMoved && !isRenamed) return link;
	throw writtenOtherwise(
		'refused',
		link,
		`The update moved the link to ${host ?? ''}/${alias ?? ''} instead of ${wantedHost ?? ''}/${wantedAlias ?? ''}`,
		'Check the link in the service before you run it again',
	);
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
	const state = outcome === 'unchanged' ? 'is' : `was ${textIn(outcome) ?? ''}, but`;
	return failure.with({
		message: `${link} ${state} ${what}: ${failure.message}`,
		written: { id, shorturl, longurl, alias },
	});
}
