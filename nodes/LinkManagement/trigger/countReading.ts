// Reads records with their counts: those of a list, or the picked one.

import type { IDataObject } from 'n8n-workflow';

import { ListWalk } from '../../shared/lists/listWalk';
import { pagesOf } from '../../shared/lists/pages';
import { RecordIndex } from '../../shared/lists/recordIndex';
import type { Pick } from '../../shared/operations/picks';
import type { Poll } from '../../shared/triggers/poll';
import { isOutOfTime, toFailure } from '../../shared/values/failure';
import { idIn, requireIds } from '../../shared/values/json';
import type { Details } from '../lists';
import type { CountWatch } from './countEvents';

export interface CountReading {
	records: IDataObject[];
	/** The page at which the next poll goes on; undefined: at the beginning. */
	next: number | undefined;
	/** Whether it showed the whole list, unless pages have shifted. */
	isWhole: boolean;
}

/** @param from the page to begin with @param accepted the `limit` of the pages */
export async function readCounts(
	poll: Poll,
	watch: CountWatch,
	from: number,
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

/** The ID of the picked record. A name is looked up in the first poll. */
export async function pickedId(poll: Poll, pick?: Pick): Promise<number | undefined> {
	if (pick === undefined || typeof pick === 'number') return pick;
	const index = new RecordIndex(pick.list, pagesOf(pick.list.source, poll.send));
	return idIn(poll.state?.picked) ?? (await index.idOf(pick.name, false));
}

export async function readPicked(poll: Poll, details: Details, id: number): Promise<CountReading> {
	const { body } = await poll.send({ method: 'GET', path: details.path(id) });
	return { records: [{ ...details.recordIn(body), id }], next: undefined, isWhole: false };
}
