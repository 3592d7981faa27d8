import type { IDataObject } from 'n8n-workflow';

import { emitsExisting } from '../../shared/triggers/fields';
import { type Poll, REQUESTS_PER_POLL } from '../../shared/triggers/runPoll';
import type { PollResult } from '../../shared/triggers/pollState';
import { endsPoll, Failure, isOutOfTime, isRefusal, toFailure } from '../../shared/values/failure';
import { countIn, mapIn } from '../../shared/values/json';
import type { Details } from '../lists';
import type { ListEvent } from './events';
import { listStateIn } from './listState';
import { newestRecord, newRecords, stateWaiting } from './newRecords';
import type { Numbered } from './numbered';
import { pageRequester, readDetails } from './pollPages';

/** The most requests for the list, if the details of each new record take one more. */
const REQUESTS_FOR_LIST = 10;

/** After its details failed in this many polls, a record is output without them. */
const POLLS_FOR_DETAILS = 3;

export async function pollList(
	poll: Poll,
	{ list, isSorted = false }: ListEvent,
): Promise<PollResult> {
	const { includeDetails } = mapIn(poll.parameter('options'));
	const details = includeDetails === true ? list.details : undefined;
	const isFirst = !poll.state && !emitsExisting(poll.parameter);
	const isNewest = poll.isTest || isFirst;
	// To begin, it may use all requests: if it does not find the newest record, the trigger cannot begin.
	const most = details && !isNewest ? REQUESTS_FOR_LIST : REQUESTS_PER_POLL;
	const requestPage = pageRequester(poll, list.source, () => poll.requests() < most);
	const access = { requestPage, isSorted };
	const now = poll.connection.clock.epoch();
	const before = listStateIn(poll.state, now);
	const found = isNewest ? await newestRecord(access) : await newRecords(access, before);
	const fresh = isFirst && !poll.isTest ? [] : found.records;
	const detailed = details
		? await withDetails(fresh, details, poll)
		: { output: fresh.map(({ record }) => record), failed: {}, waiting: [], failure: undefined };
	const waiting = new Set(detailed.waiting);
	const state = stateWaiting({ ...found, records: fresh }, before, waiting);
	return {
		records: detailed.output.map((entry) => list.recordOf(entry)),
		state: { ...state, since: state.since ?? now, failed: detailed.failed },
		failure: detailed.failure,
	};
}

interface Detailed {
	output: IDataObject[];
	/** The IDs of the records that the next poll returns. */
	waiting: number[];
	/** In how many polls the details of these records failed, by ID. */
	failed: Record<string, number>;
	/** Why there is no output. */
	failure: Failure | undefined;
}

/** The records with their details. Those whose details fail wait for the next poll, and delay no other. */
async function withDetails(records: Numbered[], details: Details, poll: Poll): Promise<Detailed> {
	const failedBefore = mapIn(poll.state?.failed);
	const failed: Record<string, number> = {};
	const output: IDataObject[] = [];
	const waiting: number[] = [];
	let failure: Failure | undefined;
	let hasEnded = false;
	for (const { id, record } of records) {
		const polls = countIn(failedBefore[id]) ?? 0;
		hasEnded ||= poll.requests() >= REQUESTS_PER_POLL;
		const detail = hasEnded ? undefined : await readDetails(poll, id, details).catch(toFailure);
		const isFailure = detail instanceof Failure;
		if (isFailure && endsPoll(detail)) {
			failure ??= detail;
			hasEnded = true;
		}
		if (hasEnded || detail === undefined) {
			waiting.push(id);
			if (polls > 0) failed[id] = polls;
		} else if (!isFailure) {
			output.push({ ...record, ...detail });
		} else if (isRefusal(detail) || (polls + 1 >= POLLS_FOR_DETAILS && !poll.isTest)) {
			output.push({ ...record, details_error: detail.message });
		} else {
			waiting.push(id);
			failed[id] = polls + 1;
			const message = `The details of record ${id} cannot be read: ${detail.message}`;
			failure ??= detail.with({ message });
		}
	}
	if (failure && output.length > 0) {
		if (!isOutOfTime(failure)) poll.warn(failure);
		failure = undefined;
	}
	return { output, waiting, failed, failure };
}
