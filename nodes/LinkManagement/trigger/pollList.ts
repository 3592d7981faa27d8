import type { IDataObject } from 'n8n-workflow';

import type { RateLimiter } from '../../shared/http/rateLimiter';
import { emitsExisting } from '../../shared/triggers/eventFields';
import type { Poll } from '../../shared/triggers/poll';
import { endsPoll, isTimeUp, REQUESTS_PER_POLL } from '../../shared/triggers/poll';
import type { PollResult } from '../../shared/triggers/pollState';
import { Failure, failureOf, isRefusal } from '../../shared/values/failure';
import { mapIn } from '../../shared/values/json';
import type { Details } from '../lists';
import type { ListEvent } from './events';
import type { ListState } from './newRecords';
import { newestRecord, newRecords, stateBefore } from './newRecords';
import type { Numbered } from './pageView';
import { pageFetcher, readDetails } from './pollPages';

/** The most requests for the list, if the details of each new record take one more. */
const REQUESTS_FOR_LIST = 10;

/** After its details failed in this many polls, a record is output without them. */
const POLLS_FOR_DETAILS = 3;

/** New records of a list of the service. */
export async function pollList(poll: Poll, event: ListEvent): Promise<PollResult> {
	const { includeDetails } = mapIn(poll.read('options'));
	const details = includeDetails === true ? event.list.byId : undefined;
	const { isSorted = false } = event;
	const fetchPage = pageFetcher(poll, event.list.source);
	const requestsLeft = () => REQUESTS_PER_POLL - poll.requests();
	if (poll.isTest || (!poll.state && !emitsExisting(poll.read))) {
		// It may use all requests: if it does not find the newest record, the trigger cannot begin.
		const { newest, state } = await newestRecord({ fetchPage, isSorted, left: requestsLeft });
		return await resultOf(poll.isTest && newest ? [newest] : [], state, event, details, poll);
	}
	const left = (found: number) =>
		details
			? Math.min(REQUESTS_FOR_LIST - poll.requests(), requestsLeft() - found)
			: requestsLeft();
	const { records, state } = await newRecords({ fetchPage, isSorted, left }, poll.state);
	return await resultOf(records, state, event, details, poll);
}

/** The result of a poll. With details, it has as many records as the requests were enough for; the next poll returns the rest. */
async function resultOf(
	records: Numbered[],
	state: ListState,
	event: ListEvent,
	details: Details | undefined,
	poll: Poll,
): Promise<PollResult> {
	const shown = details
		? await withDetails(records, details, poll)
		: records.map(({ record }) => record);
	const after = stateBefore(records.slice(shown.length), state);
	return { records: shown.map((entry) => event.list.read(entry)), state: { ...after } };
}

/** In how many polls the details at a path failed; freed with the rate limiter of the credential. */
const failedPolls = new WeakMap<RateLimiter, Map<string, number>>();

/**
 * The records with their details, up to the first whose details failed; the next poll begins with that one.
 * @throws Failure if there are none before it
 */
async function withDetails(
	records: Numbered[],
	details: Details,
	poll: Poll,
): Promise<IDataObject[]> {
	const { limiter } = poll.connection;
	const failed = failedPolls.get(limiter) ?? new Map<string, number>();
	failedPolls.set(limiter, failed);
	const shown: IDataObject[] = [];
	let failure: Failure | undefined;
	for (const { id, record } of records) {
		if (poll.requests() >= REQUESTS_PER_POLL) break;
		const path = details.path(id);
		const detail = await readDetails(poll, id, details).catch(failureOf);
		if (!(detail instanceof Failure)) {
			failed.delete(path);
			if (!failure) shown.push({ ...record, ...detail });
			continue;
		}
		if (endsPoll(detail)) {
			failure ??= detail;
			break;
		}
		const polls = (failed.get(path) ?? 0) + 1;
		failed.set(path, polls);
		const isFinal = isRefusal(detail) || (polls >= POLLS_FOR_DETAILS && !poll.isTest);
		if (!isFinal) failure ??= detailsFailure(id, detail);
		else if (!failure) shown.push({ ...record, details_error: detail.message });
	}
	if (failure && shown.length === 0) throw failure;
	if (failure && !isTimeUp(failure)) poll.warn(failure);
	return shown;
}

const detailsFailure = (id: number, failure: Failure): Failure =>
	failure.with({ message: `The details of record ${id} cannot be read: ${failure.message}` });
