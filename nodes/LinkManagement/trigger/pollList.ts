import type { IDataObject } from 'n8n-workflow';

import type { RateLimiter } from '../../shared/http/rateLimiter';
import { emitsExisting } from '../../shared/triggers/fields';
import { endsPoll, isOutOfTime, type Poll, REQUESTS_PER_POLL } from '../../shared/triggers/runPoll';
import type { PollResult } from '../../shared/triggers/pollState';
import { Failure, toFailure, isRefusal } from '../../shared/values/failure';
import { mapIn } from '../../shared/values/json';
import type { Details } from '../lists';
import type { ListEvent } from './events';
import { newestRecord, newRecords, stateBefore } from './newRecords';
import type { Numbered } from './pageView';
import { pageFetcher, readDetails } from './pollPages';

/** The most requests for the list, if the details of each new record take one more. */
const REQUESTS_FOR_LIST = 10;

/** After its details failed in this many polls, a record is output without them. */
const POLLS_FOR_DETAILS = 3;

export async function pollList(
	poll: Poll,
	{ list, isSorted = false }: ListEvent,
): Promise<PollResult> {
	const { includeDetails } = mapIn(poll.read('options'));
	const details = includeDetails === true ? list.details : undefined;
	const fetchPage = pageFetcher(poll, list.source);
	const requestsLeft = () => REQUESTS_PER_POLL - poll.requests();
	const isFirst = !poll.state && !emitsExisting(poll.read);
	const left = (found: number) =>
		details
			? Math.min(REQUESTS_FOR_LIST - poll.requests(), requestsLeft() - found)
			: requestsLeft();
	// To begin, it may use all requests: if it does not find the newest record, the trigger cannot begin.
	const found =
		poll.isTest || isFirst
			? await newestRecord({ fetchPage, isSorted, left: requestsLeft })
			: await newRecords({ fetchPage, isSorted, left }, poll.state);
	const records = isFirst && !poll.isTest ? [] : found.records;
	const entries = details
		? await withDetails(records, details, poll)
		: records.map(({ record }) => record);
	// With details, the requests may not be enough for all records; the next poll returns the rest.
	const state = stateBefore(records.slice(entries.length), found.state);
	return { records: entries.map((entry) => list.read(entry)), state: { ...state } };
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
	const output: IDataObject[] = [];
	let failure: Failure | undefined;
	for (const { id, record } of records) {
		if (poll.requests() >= REQUESTS_PER_POLL) break;
		const path = details.path(id);
		const detail = await readDetails(poll, id, details).catch(toFailure);
		if (!(detail instanceof Failure)) {
			failed.delete(path);
			if (!failure) output.push({ ...record, ...detail });
			continue;
		}
		if (endsPoll(detail)) {
			failure ??= detail;
			break;
		}
		const polls = (failed.get(path) ?? 0) + 1;
		failed.set(path, polls);
		const isFinal = isRefusal(detail) || (polls >= POLLS_FOR_DETAILS && !poll.isTest);
		const message = `The details of record ${id} cannot be read: ${detail.message}`;
		if (!isFinal) failure ??= detail.with({ message });
		else if (!failure) output.push({ ...record, details_error: detail.message });
	}
	if (failure && output.length === 0) throw failure;
	if (failure && !isOutOfTime(failure)) poll.warn(failure);
	return output;
}
