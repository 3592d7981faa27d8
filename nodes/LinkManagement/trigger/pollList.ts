// A poll for new records of a list, each with its details if they are wanted.

import type { IDataObject } from 'n8n-workflow';

import { pagesOf } from '../../shared/lists/pages';
import { emitsExisting } from '../../shared/triggers/eventFields';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { toFailure } from '../../shared/values/failure';
import { idIn, mapIn } from '../../shared/values/json';
import type { Details, PagedList } from '../serviceLists';
import { ListScan } from './listScan';
import { listStateIn, selectNew } from './listState';

/** @param isSorted whether the list is by creation */
export async function pollList(
	poll: Poll,
	{ source, details, recordOf }: PagedList,
	isSorted: boolean,
): Promise<PollResult> {
	const isBaseline = poll.isTest || !emitsExisting(poll.parameters);
	const state = listStateIn(poll.state ?? { isBaseline });
	const { includeDetails } = mapIn(poll.parameters.options);
	const reader = new DetailsReader(poll, includeDetails === true ? details : undefined);
	const scan = new ListScan(pagesOf(source, poll.send), state, reader.complete);
	const end = await scan.scan(isSorted);
	const selected = selectNew(scan.records, state, end);
	const { newest } = selected;
	const records = poll.isTest && newest ? [await reader.complete(newest)] : selected.newRecords;
	return {
		records: records.map(recordOf),
		state: { ...selected.state, failedId: reader.failedId },
	};
}

/** Reads the details of new records, each once; if they fail, once more in the next poll. */
class DetailsReader {
	/** The ID of the record whose details got no response; the next poll goes on with it. */
	failedId: number | undefined;

	constructor(
		private readonly poll: Poll,
		/** Undefined if no details are wanted. */
		private readonly details: Details | undefined,
	) {}

	/** The record with its details, or with the reason why it has none. @throws Failure if the poll has to end */
	readonly complete = async (record: IDataObject): Promise<IDataObject> => {
		if (!this.details) return record;
		const { send, isTest, state } = this.poll;
		const id = idIn(record.id) ?? 0;
		try {
			const { body } = await send({ method: 'GET', path: this.details.path(id) });
			return { ...record, ...this.details.recordIn(body, id), id };
		} catch (error) {
			const failure = toFailure(error);
			const { endsPoll, isOutage } = failure.consequences;
			if (endsPoll) throw failure;
			if (isOutage !== 'any' || isTest || state?.failedId === id)
				return { ...record, details_error: failure.message };
			this.failedId = id;
			throw failure.with({ kind: 'outOfTime' });
		}
	};
}
