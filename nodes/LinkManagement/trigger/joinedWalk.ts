// Reads a list from page 1 on, so that no record is missing between two pages.

import {
	FROM_BEGINNING,
	isSame,
	type OpenReading,
	type Shown,
	type ShownPages,
} from './shownPages';

/**
 * A new record moves others to pages that are read later. A deletion moves them to pages that were read before, so pages
 * overlap: a page shows records of the page before. If the service ignores `limit`, so that they cannot, the number of records
 * must not fall; or the page before is still the same, and page 1, too. Otherwise there is a gap.
 */
export class JoinedWalk {
	last: Shown;
	hasGap: boolean;
	/** How many places of the list have been read. */
	private place: number;
	/** How many places the last poll read; 0 once they are behind. */
	private leap: number;

	constructor(
		private readonly pages: ShownPages,
		private readonly first: Shown,
	) {
		const { hasGap, place } = pages.known.reading ?? FROM_BEGINNING;
		this.last = first;
		this.hasGap = hasGap;
		this.place = pages.endOf(first);
		this.leap = place;
	}

	/** What the next poll goes on with. */
	get reading(): OpenReading {
		const { place, last, hasGap, pages } = this;
		return { place, lastId: last.numbered.at(-1)?.id ?? 0, hasGap, isFixed: pages.isFixed };
	}

	/** The page after the last one; undefined if there is none. @param isKnown whether nothing new can be behind it */
	async next(isKnown = false): Promise<Shown | undefined> {
		const { pages, last } = this;
		if (pages.isShort(last)) {
			this.hasGap ||= pages.isPromisedAfter(last);
			return undefined;
		}
		for (;;) {
			// What the last poll read is not read again.
			const isLeap = this.leap > this.place && !pages.hasNews(last);
			const from = isLeap ? this.leap - Math.floor(pages.size / 4) : this.place;
			const totalBefore = pages.total;
			const next = await this.readAfter(from);
			if (isLeap) this.leap = 0;
			if (!next || isSame(next, last)) {
				const isEnd = isKnown || (!pages.isPromisedAfter(last) && (await this.isSteady()));
				this.hasGap ||= isLeap || !isEnd;
				return undefined;
			}
			// Only this page may show that the service ignores `limit`, so that it does not begin there.
			if (pages.endOf(next) - next.records.length > from) continue;
			const isJoined = isLeap
				? pages.continues(next)
				: next.overlaps || (await this.touches(totalBefore));
			this.hasGap ||= !isJoined;
			this.place = pages.endOf(next);
			this.last = next;
			return next;
		}
	}

	/** Whether no record is missing before a page that does not overlap with the last one. */
	private async touches(totalBefore: number | undefined): Promise<boolean> {
		const { pages } = this;
		if (pages.isFixed && totalBefore !== undefined) return (pages.total ?? 0) >= totalBefore;
		const isTouching = await this.isSteady();
		// If the service obeyed `limit`, the pages would overlap.
		pages.isFixed ||= isTouching;
		return isTouching;
	}

	/** Whether nothing was added, and nothing before the end of the last page was deleted. */
	private async isSteady(): Promise<boolean> {
		const { pages, first, last } = this;
		return (await pages.isUnchanged(last)) && (last === first || (await pages.isUnchanged(first)));
	}

	/** The page that begins a little before a place of the list, and of all sizes (`limit`) reaches furthest behind it. */
	private async readAfter(place: number): Promise<Shown | undefined> {
		const { size, isFixed } = this.pages;
		if (isFixed) return await this.pages.later(Math.floor(place / size) + 1, this.first.limit);
		const offset = Math.max(0, place - Math.max(1, Math.floor(size / 32)));
		let [best, reach] = [size, 0];
		for (let limit = size; limit > size / 2; limit -= 1) {
			const end = (Math.floor(offset / limit) + 1) * limit;
			if (end > reach) [best, reach] = [limit, end];
		}
		// All pages of these sizes may end at the place. Then the next page only touches.
		if (reach <= place) return await this.pages.later(Math.floor(place / size) + 1, size);
		return await this.pages.later(reach / best, best);
	}
}
