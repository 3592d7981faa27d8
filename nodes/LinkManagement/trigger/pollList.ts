// A poll for new records of a list, each with its details if they are wanted.

import { pagesOf } from '../../shared/lists/pages';
import { emitsExisting } from '../../shared/triggers/eventFields';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { mapIn } from '../../shared/values/json';
import type { PagedList } from '../serviceLists';
import { DetailsReader } from './detailsReader';
import { ListScan } from './listScan';
import { listStateIn, selectNew } from './listState';

/** @param isSorted whether the list is by creation */
export async function pollList(
	poll: Poll,
	{ source, details, recordOf }: PagedList,
	isSorted: boolean,
): Promise<PollResult> {
	const isBaseline = poll.isTest || !emitsExisting(poll.parameter);
	const state = listStateIn(poll.state ?? { isBaseline });
	const { includeDetails } = mapIn(poll.parameter('options'));
	const reader = includeDetails === true && details ? new DetailsReader(poll, details) : undefined;
	const scan = new ListScan(pagesOf(source, poll.send), state, reader);
	const end = await scan.scan(isSorted);
	const selected = selectNew(scan.records, state, end);
	const { newest } = selected;
	const records = poll.isTest && newest ? [await scan.complete(newest)] : selected.newRecords;
	return {
		records: records.map(recordOf),
		state: { ...selected.state, failedId: reader?.failedId },
	};
}
