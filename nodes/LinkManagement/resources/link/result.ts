import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../../../shared/http/connection';
import { isSuccess } from '../../../shared/http/response';
import { Failure, toFailure } from '../../../shared/values/failure';
import { idIn, recordsIn, textIn } from '../../../shared/values/json';
import { canonicalUrl, linkPath, rewrittenAlias } from '../../lists';
import { aliasIn, hostIn, linkDetails, spelled } from '../../records';
import { membersOf, requireId } from '../../results';
import { withQuery } from './body';

/** The columns of a link that was written, in a row without one. */
export const NO_LINK: Readonly<IDataObject> = {
	id: null,
	shorturl: null,
	longurl: null,
	alias: null,
};

/**
 * The output of a write: the response, in which services call the short URL differently, and what the request says.
 * @param body of the request
 * @param known what is known of the link; its short URL stays if the response has none and nothing moves the link
 */
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
	const hasAlias = asked === undefined || spelled(asked) === spelled(present ?? '');
	return hasAlias && (textIn(domain) === undefined || hostIn(domain) === hostIn(shorturl));
}

/** The addresses that a link of this body may lead to: services may have its parameters in the long URL. */
export function addressesOf({ url, parameters }: IDataObject): string[] {
	const plain = textIn(url) ?? '';
	const pairs = recordsIn(parameters).map(
		({ name, value }) => [textIn(name) ?? '', value] as const,
	);
	return pairs.length > 0 ? [withQuery(plain, Object.fromEntries(pairs)), plain] : [plain];
}

export const leadsTo = (longUrl: unknown, body: IDataObject): boolean =>
	addressesOf(body)
		.map(canonicalUrl)
		.includes(canonicalUrl(textIn(longUrl) ?? ''));

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

/**
 * The link that a create made. If the service wrote its alias in another way, one read shows that it is this link.
 * @param body of the request
 * @throws Failure if it has another alias than the one that was asked for
 */
export async function createdLink(
	response: IDataObject,
	body: IDataObject,
	send: Send,
): Promise<IDataObject> {
	const link = writtenLink(response, body);
	const asked = textIn(body.custom);
	const came = aliasIn(link.shorturl, asked);
	if (came === undefined) return { ...link, id: requireId(link) };
	if (asked === undefined || spelled(asked).toLowerCase() === spelled(came).toLowerCase())
		return link;
	if (rewrittenAlias(asked) === rewrittenAlias(came) && (await isOf(body, link, send))) return link;
	throw new Failure({
		kind: 'refused',
		message: `The service answered with the alias "${came}" instead of "${asked}" (${textIn(link.shorturl) ?? ''})`,
		advice:
			'It may have kept an older link to the same URL: change the URL, or update that link. Or it may have changed the alias',
	});
}

/** Whether a new link leads where its body says. */
async function isOf(body: IDataObject, link: IDataObject, send: Send): Promise<boolean> {
	const id = idIn(link.id);
	if (id === undefined) return false;
	try {
		const { body: response } = await send({ method: 'GET', path: linkPath(id) });
		return leadsTo(linkDetails(response).longurl, body);
	} catch (error) {
		throw incomplete(link, 'its alias could not be checked', error);
	}
}
