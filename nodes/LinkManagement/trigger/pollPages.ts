import type { ListSource, Page, RequestPage } from '../../shared/lists/pages';
import { pagesOf } from '../../shared/lists/pages';
import { failureIn, isRefusal } from '../../shared/values/failure';
import type { AskPage } from './listReader';
import type { Poll } from '../../shared/triggers/poll';

/** A poll has no time left, or no requests. */
export class TimeUp extends Error {}

/** Requests pages of a list. @throws TimeUp */
export const requestPages = (poll: Poll, source: ListSource): RequestPage =>
	pagesOf(poll.connection, source, async (request) => {
		const response = await poll.send(request);
		if (!response) throw new TimeUp();
		return response;
	});

/** Asks for pages of a list while a poll has time. Behind the end of the list, some services refuse a page. */
export function askPages(poll: Poll, source: ListSource): AskPage {
	const requestPage = requestPages(poll, source);
	return async ({ limit, page }) =>
		await requestPage(page, limit).catch((error: unknown) => {
			if (error instanceof TimeUp) return undefined;
			// The first page is never refused for not being there.
			if (page > 1 && isRefusal(failureIn(error))) return { ...NO_PAGE, perPage: limit };
			throw error;
		});
}

const NO_PAGE: Omit<Page, 'perPage'> = { records: [], maxPage: undefined, nextPage: undefined };
