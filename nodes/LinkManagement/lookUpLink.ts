// Asks for one link by its short URL, which some services can look up.

import type { Send } from '../shared/http/connection';
import { LARGEST_PAGE, pageIn } from '../shared/lists/pages';
import type { LookedUp } from '../shared/lists/knownRecords';
import { toFailure } from '../shared/values/failure';
import { mapIn } from '../shared/values/json';
import { linkDetails } from './records';
import { bareAddress, hostIn, rewrittenAlias, shortUrlOf } from './values/shortUrl';

const LIST = { path: '/api/urls', listName: 'urls' };

/**
 * The details of the link with this short URL or alias. A service that does not know `short` responds with page 1 of the list, so the
 * request is that of page 1. Any refusal may mean that there is no such link, or that the service wants no such query.
 */
export async function lookUpLink(name: string, send: Send, baseUrl: string): Promise<LookedUp> {
	const short = shortUrlOf(name, baseUrl);
	const query = { short, limit: LARGEST_PAGE, page: 1 };
	try {
		const { body } = await send({ method: 'GET', path: LIST.path, query });
		if (LIST.listName in mapIn(body.data)) return { page: pageIn(body, LIST, LARGEST_PAGE) };
		const record = linkDetails(body);
		return isAt(record.shorturl, short) ? { record } : undefined;
	} catch (error) {
		const failure = toFailure(error);
		if (failure.consequences.isRefusal || failure.kind === 'unreadable') return undefined;
		throw failure;
	}
}

/** Whether a short URL is the one that was asked for, maybe with its alias as services rewrite it. */
const isAt = (shortUrl: unknown, asked: string): boolean =>
	typeof shortUrl === 'string' &&
	hostIn(shortUrl) === hostIn(asked) &&
	rewrittenPath(shortUrl) === rewrittenPath(asked);

const rewrittenPath = (address: string): string =>
	rewrittenAlias(bareAddress(address).replace(/^[^/]*\//, ''));
