// A poll for new records of a list by creation, each with its details if they are wanted.

import type { IDataObject } from 'n8n-workflow';

import type { Poll, PollResult } from '../../shared/triggers/poll';
import { toFailure } from '../../shared/values/failure';
import { idIn, mapIn, recordsIn } from '../../shared/values/json';
import type { PagedList } from '../serviceLists';
import { ListScan } from './listScan';
import { listStateIn, newIdsIn, stateAfter } from './listState';

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
