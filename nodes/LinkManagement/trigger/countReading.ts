// Reads a list whose records each have a count.

import type { IDataObject } from 'n8n-workflow';

import { ListWalk } from '../../shared/lists/listWalk';
import { pagesOf } from '../../shared/lists/pages';
import type { Poll } from '../../shared/triggers/poll';
import { isOutOfTime, toFailure } from '../../shared/values/failure';
import { requireIds } from '../../shared/values/json';
import type { CountWatch } from './countEvents';
import type { CountState } from './countState';

/** A reading of a list, or of picked records. */
export interface CountReading {
	records: IDataObject[];
	/** Where the next poll goes on: a page, or a place among the picked records; undefined: at the beginning. */
	next: number | undefined;
	/** Whether it showed the whole list, unless pages have shifted. */
	isWhole: boolean;
}

export async function readCounts(
	poll: Poll,
	watch: CountWatch,
	{ next: from = 1 }: CountState,
	accepted: { limit: number },
): Promise<CountReading> {
	const walk = new ListWalk(pagesOf(watch.source, poll.send, accepted), { page: from, count: 0 });
	const records: IDataObject[] = [];
	try {
		for await (const entries of walk.pages()) {
			records.push(...requireIds(entries).map((entry) => watch.recordOf(entry)));
			if (poll.isTest) break;
		}
	} catch (error) {
		if (!isOutOfTime(error) || records.length === 0) throw toFailure(error);
		return { records, next: walk.place?.page, isWhole: false };
	}
	return { records, next: undefined, isWhole: from === 1 && records.length > 0 };
}
