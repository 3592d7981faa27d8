// Asks for one link by its short URL, which some services can look up.

import type { Send } from '../shared/http/service';
import { LARGEST_PAGE, pageIn } from '../shared/lists/pages';
import type { LookedUp } from '../shared/lists/namedList';
import { type FailureKind, toFailure } from '../shared/values/failure';
import { mapIn } from '../shared/values/json';
import { linkDetails } from './records';
import { linkNames, linkName, lookUpUrls } from './values/shortUrl';

const LIST = { path: '/api/urls', listName: 'urls' };

/** What a service may respond with that knows no such query, or does not let the key use it. */
const CANNOT: readonly FailureKind[] = [
	'forbidden',
	'misrouted',
	'otherRefusal',
	'serverError',
	'unreadable',
];

/** The details of the link with this short URL or alias; undefined if the service says that there is none. */
export async function lookUpLink(name: string, send: Send, base: string): Promise<LookedUp> {
	for (const short of lookUpUrls(name, base)) {
		const found = await lookUp(short, send);
		if (found) return found;
	}
	return undefined;
}

/** A service that does not know `short` responds with page 1 of the list, so the request is that of page 1. */
async function lookUp(short: string, send: Send): Promise<LookedUp> {
	const query = { short, limit: LARGEST_PAGE, page: 1 };
	try {
		const { body } = await send({ method: 'GET', path: LIST.path, query });
		if (LIST.listName in mapIn(body.data)) return { page: pageIn(body, LIST, LARGEST_PAGE) };
		const record = linkDetails(body);
		return linkNames(record).includes(linkName(short)) ? { record } : undefined;
	} catch (error) {
		const failure = toFailure(error);
		if (failure.consequences.isRefusal) return undefined;
		if (CANNOT.includes(failure.kind)) return {};
		throw failure;
	}
}
