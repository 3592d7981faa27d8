import type { IDataObject } from 'n8n-workflow';

import { LARGEST_PAGE, type ListSource, recordKey } from '../../shared/lists/pages';
import { isOutOfTime, type Poll } from '../../shared/triggers/runPoll';
import { Failure } from '../../shared/values/failure';
import { idIn, requireIds } from '../../shared/values/json';
import type { Details } from '../lists';
import { requireOwn } from '../records';
import { type ListPage, listPagesOf } from './listPage';
import type { FetchPage } from './listReader';

/** Requests pages of a list. Undefined if the poll's time is up; after the end of the list, an empty page. */
export function pageFetcher(poll: Poll, source: ListSource): FetchPage {
	const requestPage = listPagesOf(source, poll.send);
	return async (request) => {
		const page = await requestPage(request.page, request.limit).catch((error: unknown) => {
			if (!isOutOfTime(error)) throw error;
			return undefined;
		});
		if (page?.number === 1 && page.records.length === 0 && page.total) throw empty(page.total);
		requireIds(page?.records ?? []);
		return page;
	};
}

const empty = (total: number): Failure =>
	new Failure({
		kind: 'unreadable',
		message: `The list is empty, although the service says that it has ${total} records`,
		advice: 'Try again later: the service may be overloaded',
	});

/** How far a whole list has been read, which may take several polls. */
export interface Progress {
	/** The page to read next. */
	page: number;
	/** The `limit` of all pages: with another one, a page number would mean other records. */
	pageSize?: number | undefined;
}

export const BEGINNING: Progress = { page: 1 };

export function progressIn(state: IDataObject): Progress {
	return { page: idIn(state.page) ?? 1, pageSize: idIn(state.pageSize) };
}

export interface Pages {
	records: IDataObject[];
	/** How many pages were read. */
	count: number;
	/** Where the next poll begins; undefined if the reading is complete. */
	next: Progress | undefined;
}

/**
 * Reads pages to the end of a list, or as long as there are requests.
 * @param isEnough ends the reading before the end of the list
 */
export async function readPages(
	fetchPage: FetchPage,
	from: Progress,
	mayFetch: () => boolean,
	isEnough: (records: IDataObject[]) => boolean = () => false,
): Promise<Pages> {
	const records = new Map<string, IDataObject>();
	let { pageSize } = from;
	// Deletions may have moved records to the page before.
	const first = Math.max(1, from.page - 1);
	for (let number = first; ; number += 1) {
		const page = mayFetch()
			? await fetchPage({ limit: pageSize ?? LARGEST_PAGE, page: number })
			: undefined;
		const before = records.size;
		for (const record of page?.records ?? []) records.set(recordKey(record), record);
		const all = [...records.values()];
		if (!page) return { records: all, count: number - first, next: { page: number, pageSize } };
		pageSize ??= idIn(page.size);
		// A page that brings nothing is after the end, and repeats another one.
		const isRepeated = page.isLast === undefined && records.size === before;
		if (!mayGoOn(page) || isRepeated || isEnough(all))
			return { records: all, count: number - first + 1, next: undefined };
	}
}

/** Whether another page may follow: after a short page too, if the service says so. */
const mayGoOn = ({ records, number, pages = 0, isLast }: ListPage): boolean =>
	records.length > 0 && (isLast !== true || number < pages);

/** The details of a record. @throws Failure if they cannot be read, or are those of another record */
export async function readDetails(poll: Poll, id: number, details: Details): Promise<IDataObject> {
	const { body } = await poll.send({ method: 'GET', path: details.path(id) });
	const record = details.read(body);
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
