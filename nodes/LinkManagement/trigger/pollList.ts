// A poll for new records of a list by creation, each with its details if they are wanted. Page 1 shows the order. With the newest first,
// pages are read from page 1 on to one that is known; with the oldest first, from one that is known to the end.

import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../../shared/http/service';
import { isLastPage } from '../../shared/lists/listPages';
import { type ListSource, type Page, requestPage } from '../../shared/lists/pages';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { isOutOfTime, toFailure } from '../../shared/values/failure';
import { idIn, mapIn, recordsIn, requireIds } from '../../shared/values/json';
import type { PagedList } from '../serviceLists';
import {
	isKnownPage,
	type ListState,
	listStateIn,
	newIdsIn,
	type ScanEnd,
	stateAfter,
} from './listState';

export async function pollList(
	poll: Poll,
	{ source, details, recordOf }: PagedList,
): Promise<PollResult> {
	const { send, isTest, parameters } = poll;
	const isBaseline = isTest || !poll.emitsExisting;
	const state = listStateIn(poll.state ?? { isBaseline });
	const wanted = mapIn(parameters.options).includeDetails === true ? details : undefined;

	/** The record with its details, or with the reason why it has none. @throws Failure if the poll has to end */
	const complete =
		wanted &&
		(async (record: IDataObject): Promise<IDataObject> => {
			const id = idIn(record.id) ?? 0;
			try {
				const { body } = await send({ method: 'GET', path: wanted.path(id), noRetry: true });
				return { ...record, ...wanted.recordIn(body, id), id };
			} catch (error) {
				const failure = toFailure(error);
				if (failure.consequences.endsPoll) throw failure;
				return { ...record, details_error: failure.message };
			}
		});

	const scan = new ListScan(source, send, state, complete);
	const end = await scan.scan();
	const ids = [...scan.records.keys()].toSorted((a, b) => a - b);
	const newest = scan.records.get(ids.at(-1) ?? 0);
	const records =
		isTest && newest
			? [(await complete?.(newest)) ?? newest]
			: recordsIn(newIdsIn(ids, state).map((id) => scan.records.get(id)));
	return { records: records.map(recordOf), state: stateAfter(ids, state, end) };
}

interface ScannedPage extends Page {
	number: number;
	ids: number[];
	newIds: ReadonlySet<number>;
	isKnown: boolean;
}

export class ListScan {
	/** Every record that was read, by its ID; with its details if it is new. */
	readonly records = new Map<number, IDataObject>();
	private pages = 0;
	/** The page that is read, or where the next scan begins. */
	private page: number | undefined;
	private pageSize: number | undefined;

	constructor(
		private readonly source: ListSource,
		private readonly send: Send,
		private readonly state: ListState,
		private readonly complete?: (record: IDataObject) => Promise<IDataObject>,
	) {}

	/** @throws Failure if a page cannot be read; `outOfTime` only if none was */
	async scan(): Promise<ScanEnd> {
		const first = await this.read(1);
		this.pageSize = first.pageSize;
		this.page = this.state.page;
		const isInterrupted = await this.scanFrom(first).then(
			() => false,
			(error: unknown) => {
				if (isOutOfTime(error)) return true;
				throw toFailure(error);
			},
		);
		return { isInterrupted, pages: this.pages, page: this.page };
	}

	private async scanFrom(first: ScannedPage): Promise<void> {
		const isOldestFirst = isAscending(first.ids);
		const start = isOldestFirst ? await this.startPage(first) : first;
		const offset = (start.number - 1) * first.records.length;
		let longest = first.records.length;
		let lastKnown = start.number;
		for (let page = start; ; page = await this.read(this.page)) {
			const { number, newIds } = page;
			this.page = number;
			if (page.isKnown) lastKnown = number;
			const before = offset + this.records.size;
			await this.take(page);
			const count = offset + this.records.size;
			const isNewer = newIds.size > 0;
			if (page.isKnown && !isOldestFirst) break;
			if (isLastPage(page, { number, before, count, longest, isNewer })) break;
			longest = Math.max(longest, page.records.length);
			this.page = isOldestFirst ? number + 1 : this.nextPage(page);
		}
		this.page = isOldestFirst ? lastKnown : undefined;
	}

	/** A page before which nothing is new: the stored one, or one before it, if records were deleted or are not safe yet. */
	private async startPage(first: ScannedPage): Promise<ScannedPage> {
		const { page, isBaseline, signpost } = this.state;
		let number = page ?? (isBaseline ? promisedPages(first) : 1);
		// A number may be far too high, so each step back is twice the one before.
		for (let step = 1; number > 1; step *= 2) {
			const read = await this.read(number);
			const [oldest = 0] = read.ids;
			const isBehindEnd = [0, first.ids[0]].includes(oldest);
			const isRead = signpost === undefined ? read.isKnown : !read.newIds.has(oldest);
			if (isRead && !isBehindEnd) return read;
			number -= step;
		}
		return first;
	}

	/** The next page; behind one without new records, the one at which the last scan was interrupted. */
	private nextPage({ number, newIds }: ScannedPage): number {
		const { page = 0 } = this.state;
		return newIds.size === 0 ? Math.max(number + 1, page) : number + 1;
	}

	/** A refused page counts as behind the end, because the numbers may be too high. */
	private async read(number = 1): Promise<ScannedPage> {
		const { source, send, pageSize } = this;
		const page = await requestPage(source, send, number, pageSize).catch((error: unknown): Page => {
			const { consequences, httpCode } = toFailure(error);
			// A web server's own page of status 404 says the same as the service.
			const isRefused = consequences.isRefusal ?? httpCode === 404;
			if (number === 1 || !isRefused) throw error;
			return { records: [], pageSize: 0 };
		});
		const ids = requireIds(page.records).flatMap(({ id }) => idIn(id) ?? []);
		const newIds = new Set(newIdsIn(ids, this.state));
		return { ...page, number, ids, newIds, isKnown: isKnownPage(ids, this.state) };
	}

	private async take({ records, newIds }: ScannedPage): Promise<void> {
		this.pages += 1;
		for (const record of records) {
			const id = idIn(record.id);
			if (id === undefined || this.records.has(id)) continue;
			const complete = newIds.has(id) ? await this.complete?.(record) : undefined;
			this.records.set(id, complete ?? record);
		}
	}
}

const isAscending = (ids: readonly number[]): boolean => (ids.at(0) ?? 0) < (ids.at(-1) ?? 0);

/** The number of the last page, as far as page 1 tells. Either number beside its records may be too high. */
function promisedPages({ records, result = 0, maxPage = 0 }: Page): number {
	const byResult = Math.ceil(result / Math.max(1, records.length));
	const promised = [byResult, maxPage].filter((last) => last > 0);
	return promised.length === 0 ? 1 : Math.min(...promised);
}
