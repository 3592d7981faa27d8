import type { IDataObject } from 'n8n-workflow';

import { LARGEST_PAGE, pagesOf } from '../../shared/lists/pages';
import { emitsExisting } from '../../shared/triggers/fields';
import { outOfRequests, type Poll, type PollResult } from '../../shared/triggers/runPoll';
import { endsPoll, toFailure } from '../../shared/values/failure';
import { countIn, idIn, mapIn } from '../../shared/values/json';
import type { Details, PagedList } from '../lists';
import { requireOwn } from '../records';
import { listStateIn, readNew } from './newRecords';

export async function pollList(
	poll: Poll,
	list: PagedList,
	isSorted: boolean,
): Promise<PollResult> {
	const { includeDetails } = mapIn(poll.parameter('options'));
	const details = includeDetails === true ? list.details : undefined;
	const isFirst = poll.isTest || !emitsExisting(poll.parameter);
	const accepted = { limit: countIn(poll.state?.limit) ?? LARGEST_PAGE };
	/** The ID of a record whose details got no response. */
	let failed: number | undefined;
	const complete = async (record: IDataObject): Promise<IDataObject> => {
		const id = idIn(record.id) ?? 0;
		try {
			return details ? { ...record, ...(await readDetails(poll, id, details)) } : record;
		} catch (error) {
			const failure = toFailure(error);
			if (endsPoll(failure)) throw failure;
			// The next poll goes on with this record. If it fails again, it stops no other.
			failed = id;
			const isDown = failure.consequences.isOutage === 'any' && poll.state?.failed !== id;
			if (isDown) throw outOfRequests();
			return { ...record, details_error: failure.message };
		}
	};
	const { fresh, newest, next } = await readNew(
		pagesOf(list.source, poll.send, accepted),
		isSorted,
		listStateIn(poll.state ?? { isFirst }),
		complete,
	);
	const records = poll.isTest && newest ? [await complete(newest)] : fresh;
	// A smaller limit is tried anew after news, because it may come from an accident of the service.
	const limit = records.length === 0 ? accepted.limit : LARGEST_PAGE;
	return {
		records: records.map((record) => list.recordOf(record)),
		state: { ...next, limit, failed },
	};
}

/** The details of a record. @throws Failure if they cannot be read, or are those of another record */
export async function readDetails(poll: Poll, id: number, details: Details): Promise<IDataObject> {
	const { body } = await poll.send({ method: 'GET', path: details.path(id) });
	const record = details.recordIn(body);
	requireOwn(record, id, 'record');
	return { ...record, id };
}
