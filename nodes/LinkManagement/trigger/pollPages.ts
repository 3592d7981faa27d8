import type { ListSource, RequestPage } from '../../shared/lists/pages';
import { orEmpty, pagesOf } from '../../shared/lists/pages';
import type { Poll } from '../../shared/triggers/poll';
import { isTimeUp } from '../../shared/triggers/poll';
import { Failure } from '../../shared/values/failure';
import type { AskPage } from './listReader';

/** Requests pages of a list. @throws Failure, `timeUp` if the poll's time is up */
export const requestPages = (poll: Poll, source: ListSource): RequestPage =>
	pagesOf(poll.connection, source, async (request) => await poll.send(request));

/** Requests pages of a list. Undefined if the poll's time is up; after the end of the list, an empty page. */
export function askPages(poll: Poll, source: ListSource): AskPage {
	const requestPage = orEmpty(requestPages(poll, source));
	return async ({ limit, page }) => await requestPage(page, limit).catch(unlessTimeUp);
}

/** @throws the error, unless the poll's time is up */
export function unlessTimeUp(error: unknown): undefined {
	if (!isTimeUp(error)) throw error;
}

/** Whether a failure may concern the requested record alone, rather than the service or the key. */
export const isOfOneRecord = ({ kind, httpCode }: Failure): boolean =>
	kind === 'refused' || kind === 'unreadable' || httpCode === 500;

/** The failure of a poll that ran out of time or requests. */
export const outOfTime = (): Failure =>
	new Failure({
		kind: 'timeUp',
		message: 'There was not enough time to read the list because the rate limit is used up',
		advice: 'Try again when other executions with this credential have ended',
	});
