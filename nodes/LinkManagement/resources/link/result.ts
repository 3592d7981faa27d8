import type { IDataObject } from 'n8n-workflow';

import type { ItemRequest } from '../../../shared/operations/operationPlan';
import { Failure } from '../../../shared/values/failure';
import { idIn, textIn } from '../../../shared/values/json';
import { aliasIn, hostIn, spelled } from '../../records';
import { membersOf, requireId } from '../../results';

/**
 * The output of a write: the response, in which services call the short URL differently, and what the request says.
 * @param known what is known of the link; its short URL stays if the response has none and nothing moves the link
 */
export function writtenLink(
	response: IDataObject,
	{ body }: Pick<ItemRequest, 'body'>,
	known: IDataObject = {},
): IDataObject {
	const { short, short_url, ...members } = membersOf(response);
	const kept = isAt(known, body) ? textIn(known.shorturl) : undefined;
	const shorturl = textIn(members.shorturl) ?? textIn(short) ?? textIn(short_url) ?? kept ?? null;
	const asked = textIn(body.custom) ?? textIn(known.alias);
	return {
		...{ id: null, shorturl, longurl: body.url, alias: aliasIn(shorturl, asked) ?? asked ?? null },
		...members,
		...{ id: idIn(members.id) ?? idIn(known.id) ?? null, shorturl },
	};
}

/** Whether a link already has the alias and the domain of a request; those that the request leaves open count as equal. */
export function isAt({ alias, shorturl }: IDataObject, { custom, domain }: IDataObject): boolean {
	const asked = textIn(custom);
	const present = textIn(alias) ?? aliasIn(shorturl, asked);
	const hasAlias = asked === undefined || spelled(asked) === spelled(present ?? '');
	const host = hostIn(domain);
	return hasAlias && (textIn(domain) === undefined || host === hostIn(shorturl));
}

/** The link that a create made. @throws Failure if it has another alias than the one that was asked for */
export function createdLink(
	response: IDataObject,
	request: Pick<ItemRequest, 'body'>,
): IDataObject {
	const link = writtenLink(response, request);
	const asked = textIn(request.body.custom);
	const came = aliasIn(link.shorturl, asked);
	if (came === undefined) return { ...link, id: requireId(link) };
	if (asked === undefined || spelled(asked).toLowerCase() === spelled(came).toLowerCase())
		return link;
	throw new Failure({
		kind: 'refused',
		message: `The service answered with the alias "${came}" instead of "${asked}" (${textIn(link.shorturl) ?? ''})`,
		advice:
			'It may have kept an older link to the same URL: change the URL, or update that link. Or it may have changed the alias',
	});
}
