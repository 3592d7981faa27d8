import type { IDataObject } from 'n8n-workflow';

import type { ItemRequest } from '../../../shared/operations/itemContext';
import { aliasIn } from '../../records';
import { membersOf } from '../../results';

/** The output of a write: the response, in which an update has the short URL as `short`, and what the request says. */
export function writtenLink(
	answer: IDataObject,
	{ body }: ItemRequest,
	id: number | undefined,
): IDataObject {
	const { short, shorturl = short, ...members } = membersOf(answer);
	return {
		...{ id, shorturl, longurl: body.url, alias: aliasIn(shorturl) ?? body.custom },
		...members,
		id,
	};
}
