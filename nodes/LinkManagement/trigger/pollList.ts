// A poll for new records of a list, each with its details if they are wanted.

import type { IDataObject } from 'n8n-workflow';

import { pagesOf } from '../../shared/lists/pages';
import { emitsExisting } from '../../shared/triggers/eventFields';
import { outOfRequests, type Poll, type PollResult } from '../../shared/triggers/poll';
import { toFailure } from '../../shared/values/failure';
import { idIn, mapIn } from '../../shared/values/json';
import type { PagedList } from '../serviceLists';
import { ListReading, listStateIn, newsOf } from './listReading';
import { readNew } from './newRecords';

export async function pollList(
	poll: Poll,
	list: PagedList,
	isSorted: boolean,
): Promise<PollResult> {
	const { includeDetails } = mapIn(poll.parameter('options'));
	const details = includeDetails === true ? list.details : undefined;
	/** The ID of a record whose details got no response. */
	let failed: number | undefined;
	const complete = async (record: IDataObject): Promise<IDataObject> => {
		if (!details) return record;
		const id = idIn(record.id) ?? 0;
		try {
			const { body } = await poll.send({ method: 'GET', path: details.path(id) });
			return { ...record, ...details.recordIn(body), id };
		} catch (error) {
			const failure = toFailure(error);
			if (failure.consequences.endsPoll) throw failure;
			const isFirstTry = !poll.isTest && poll.state?.failed !== id;
			if (isFirstTry && failure.consequences.isOutage === 'any') {
				failed = id;
				// The next poll goes on with this record. If its details fail again, it comes without them.
				throw outOfRequests();
			}
			return { ...record, details_error: failure.message };
		}
	};
	const isFirst = poll.isTest || !emitsExisting(poll.parameter);
	const state = listStateIn(poll.state ?? { isFirst });
	const accepted = { limit: state.limit };
	const reading = new ListReading(pagesOf(list.source, poll.send, accepted), state, complete);
	const outcome = await readNew(reading, isSorted);
	const news = newsOf(reading, outcome, accepted.limit);
	const records = poll.isTest && news.newest ? [await complete(news.newest)] : news.records;
	return {
		records: records.map((record) => list.recordOf(record)),
		state: { ...news.state, failed },
	};
}
