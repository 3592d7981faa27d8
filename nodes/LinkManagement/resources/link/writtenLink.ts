// What a link is after a write, and whether a link already is as a row says.

import type { IDataObject } from 'n8n-workflow';

import { isSuccess } from '../../../shared/http/response';
import { Failure, toFailure } from '../../../shared/values/failure';
import { idIn, textIn } from '../../../shared/values/json';
import { record } from '../../records';
import { aliasIn, decoded, hostIn } from '../../values/shortUrl';
import { isWrittenAs } from '../../values/alias';
import { membersOf, requireId } from '../../writeResults';

/** A link from the list, with the members that a write outputs. */
export function listedLink(link: IDataObject): IDataObject {
	const { id, shorturl, longurl, alias } = record(link);
	return { id, shorturl, longurl, alias, ...figuresOf(link) };
}

/** The clicks of a link, and its date if the list shows one. */
export function figuresOf(link: IDataObject): IDataObject {
	const { clicks = 0, date } = record(link);
	return textIn(date) === undefined ? { clicks } : { clicks, date };
}

/** The output of a write. @param known of the link; its short URL stays if the response has none and nothing moves the link */
export function writtenLink(
	response: IDataObject,
	body: IDataObject,
	known: IDataObject = {},
): IDataObject {
	const { id, shorturl: stated, short, short_url, ...members } = membersOf(response);
	const present = textIn(known.shorturl);
	const kept = present !== undefined && isAt(known, body) ? present : undefined;
	const shorturl = textIn(stated) ?? textIn(short) ?? textIn(short_url) ?? kept ?? null;
	const asked = textIn(body.custom) ?? textIn(known.alias);
	return {
		id: idIn(id) ?? idIn(known.id) ?? null,
		shorturl,
		longurl: body.url,
		alias: aliasIn(shorturl, asked) ?? asked ?? null,
		...members,
	};
}

/** Whether a link already has the alias and the domain of a request; those that the request leaves open count as equal. */
export function isAt({ alias, shorturl }: IDataObject, { custom, domain }: IDataObject): boolean {
	const asked = textIn(custom);
	const present = textIn(alias) ?? aliasIn(shorturl, asked);
	const hasAlias = asked === undefined || decoded(asked) === decoded(present ?? '');
	return hasAlias && (textIn(domain) === undefined || hostIn(domain) === hostIn(shorturl));
}

/** Services say in many ways that an alias is taken, so only the status counts. */
export const mayBeTaken = ({ kind, httpCode = 0 }: Failure): boolean =>
	kind === 'refused' && (isSuccess(httpCode) || [400, 409, 422].includes(httpCode));

/** A failure after the link was written, which says so. */
export function incomplete(
	{ id, shorturl, outcome = 'created' }: IDataObject,
	what: string,
	error: unknown,
): Failure {
	const failure = toFailure(error);
	const link = `The link ${textIn(shorturl) ?? ''} (ID ${idIn(id) ?? 'not known'})`;
	const state = outcome === 'unchanged' ? 'is' : `was ${textIn(outcome) ?? ''}, but`;
	return failure.with({ message: `${link} ${state} ${what}: ${failure.message}` });
}

/** The link that a create made. The service may write its alias in another way. @throws Failure if it is another alias */
export function createdLink(response: IDataObject, body: IDataObject): IDataObject {
	const link = writtenLink(response, body);
	const asked = textIn(body.custom);
	const came = aliasIn(link.shorturl, asked);
	if (came === undefined) return { ...link, id: requireId(link) };
	if (asked === undefined || isWrittenAs(asked, came)) return link;
	throw new Failure({
		kind: 'refused',
		message: `The service answered with the alias "${came}" instead of "${asked}" (${textIn(link.shorturl) ?? ''})`,
		advice:
			'It may have kept an older link to the same URL: change the URL, or update that link. Or it may have changed the alias',
	});
}
