import type { ListSource, Page, RequestPage } from '../../shared/lists/pages';
import { pagesOf } from '../../shared/lists/pages';
import { failureIn, isRefusal } from '../../shared/values/failure';
import type { AskPage } from './listReader';
import type { Poll } from '../../shared/triggers/poll';

/** Thrown if a poll has no time or no requests left. */
export class TimeUp extends Error {}

/** Requests pages of a list. @throws TimeUp */
export const requestPages = (poll: Poll, source: ListSource): RequestPage =>
	pagesOf(poll.connection, source, async (request) => {
		const response = await poll.send(request);
		if (!response) throw new TimeUp();
		return response;
	});

/** Requests pages of a list. Undefined if the poll's time is up; after the end of the list, an empty page. */
export function askPages(poll: Poll, source: ListSource): AskPage {
	const requestPage = requestPages(poll, source);
	return async ({ limit, page }) =>
		await requestPage(page, limit).catch((error: unknown) => {
			if (error instanceof TimeUp) return undefined;
			// Some services refuse pages after the last one. The first page always exists, so its refusal is a failure.
			if (page > 1 && isRefusal(failureIn(error))) return { ...NO_PAGE, perPage: limit };
			throw error;
		});
}

const NO_PAGE: Omit<Page, 'perPage'> = { records: [], maxPage: undefined, nextPage: undefined };
