import type { IDataObject } from 'n8n-workflow';

import type { ItemRequest } from '../../../shared/operations/plan';
import { aliasIn } from '../../records';
import { membersOf } from '../../results';

/** A link as it was written: the answer, which an update gives its short URL as `short`, and what is known besides. */
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
