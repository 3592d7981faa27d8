import type { IDataObject } from 'n8n-workflow';

import { ListWalk, type Place } from '../../shared/lists/listWalk';
import {
	type AcceptedLimit,
	type ListSource,
	pagesOf,
	type RequestPage,
} from '../../shared/lists/pages';
import type { Poll } from '../../shared/triggers/runPoll';
import { endsPoll, Failure, isOutOfTime, isRefusal, toFailure } from '../../shared/values/failure';
import { requireIds } from '../../shared/values/json';
import type { Details } from '../lists';
import { requireOwn } from '../records';

/** Requests pages of a list as long as there are requests. @throws Failure `outOfTime` if there are none */
export function pageRequester(
	poll: Poll,
	source: ListSource,
	mayRequest: () => boolean,
): RequestPage {
	const requestPage = pagesOf(source, poll.send);
	const requestInBudget: RequestPage = async (...request) => {
		if (!mayRequest()) throw outOfTime();
		const page = await requestPage(...request);
		requireIds(page.records);
		return page;
	};
	return async (page, limit, once) => {
		try {
			return await requestInBudget(page, limit, once);
		} catch (error) {
			const failure = toFailure(error);
			// A `limit` counts as refused for a day, so one error message is not enough.
			const isLimit = isRefusal(failure) && failure.consequences.mayBeLimit;
			if (!isLimit || page > 1 || limit === 0 || once) throw failure;
			return await requestInBudget(page, limit, true);
		}
	};
}

export interface Pages {
	records: IDataObject[];
	/** Whether the reading got to the end of the list. */
	isComplete: boolean;
	/** Where the next poll goes on; undefined: at the beginning. */
	next: Place | undefined;
}

/**
 * Reads pages to the end of a list, or as long as there are requests.
 * @param isEnough ends the reading before the end of the list
 * @throws Failure `outOfTime` if no page was read
 */
export async function readPages(
	requestPage: RequestPage,
	from: Place | undefined,
	accepted: AcceptedLimit,
	isEnough: (records: IDataObject[]) => boolean = () => false,
): Promise<Pages> {
	// Deletions may have moved records to the page before.
	const place = from && {
		...from,
		page: Math.max(1, from.page - 1),
		count: Math.max(0, from.count - from.longest),
	};
	const walk = new ListWalk(requestPage, { from: place, isKnown: place !== undefined, accepted });
	let records: IDataObject[] = [];
	for (;;) {
		let news: IDataObject[] | undefined;
		try {
			news = await walk.next();
		} catch (error) {
			const failure = toFailure(error);
			const isBegun = records.length > 0;
			if (isOutOfTime(failure) && isBegun) {
				return { records, isComplete: false, next: walk.place };
			}
			// The list may have become shorter, and this page be behind its end.
			const isGone = from !== undefined && !isBegun && !endsPoll(failure);
			if (isGone) return { records, isComplete: false, next: undefined };
			throw failure;
		}
		if (!news) return { records, isComplete: true, next: undefined };
		// A service may put 100,000 records on a page, too many arguments for `push`.
		records = records.concat(news);
		if (isEnough(records)) return { records, isComplete: true, next: undefined };
	}
}

/** @returns whether the reading ended before the poll ran out of time or requests */
export async function inTime(read: () => Promise<void>): Promise<boolean> {
	try {
		await read();
		return true;
	} catch (error) {
		if (isOutOfTime(error)) return false;
		throw toFailure(error);
	}
}

/** The details of a record. @throws Failure if they cannot be read, or are those of another record */
export async function readDetails(poll: Poll, id: number, details: Details): Promise<IDataObject> {
	const { body } = await poll.send({ method: 'GET', path: details.path(id) });
	const record = details.recordIn(body);
	requireOwn(record, id, 'record');
	return { ...record, id };
}

/** The failure of a poll that ran out of time or requests. */
export const outOfTime = (): Failure =>
	new Failure({
		kind: 'outOfTime',
		message: 'The list could not be read within one poll',
		advice:
			'Try again later: other executions with this credential may use up the rate limit. If that does not help, the page numbers of the service are wrong',
	});
