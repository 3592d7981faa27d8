// Reads a list that is in the order of creation, beginning at the end where new records appear.

import { readNewestFirst } from './newestFirst';
import { isRising } from './numbered';
import { readOldestFirst, readTail } from './oldestFirst';
import type { EndReading, Shown, ShownPages } from './shownPages';

/**
 * Finds the records that are newer than those that are known, although the list may change between any two requests.
 * It assumes:
 * - A later record has a greater ID, and is listed less than a third of a page away from where its ID belongs.
 * - All pages with one `limit` have the same size, as long as the list is read.
 * - If the service ignores `limit` and says how many records the list has (`result`), the number is current.
 * @param first page 1, if it has been read
 * @returns undefined if the list is not in the order of creation
 * @throws Failure if a page cannot be read
 */
export async function readNewEnd(
	pages: ShownPages,
	first?: Shown,
): Promise<EndReading | undefined> {
	const last = first ? undefined : await readTail(pages);
	if (last) return await readOldestFirst(pages, last);
	const page = first ?? (await pages.first());
	return isRising(page.numbered)
		? await readOldestFirst(pages, page, page)
		: await readNewestFirst(pages, page);
}
