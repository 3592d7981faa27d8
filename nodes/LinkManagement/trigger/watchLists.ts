import type { IDataObject } from 'n8n-workflow';

import type { AskPage, Cursor } from './listReader';
import { cursorIn, EVERYTHING_READ, ListReader, NOTHING_READ } from './listReader';
import type { Numbered } from './stretch';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { REQUESTS_PER_POLL, tooLittleTime } from '../../shared/triggers/poll';
import { askPages } from './pollPages';
import type { Failure } from '../../shared/values/failure';
import { failureIn, isRefusal } from '../../shared/values/failure';
import { mapIn } from '../../shared/values/json';
import type { ListEvent } from './events';

/** Requests of a poll that may go into reading the list when every new record costs one more. */
const REQUESTS_FOR_LIST = 10;

type Details = ListEvent['details'];

/** New records of a list of the link service. */
export async function pollList(poll: Poll, event: ListEvent): Promise<PollResult> {
	const options = mapIn(poll.read('options'));
	const details = options.includeDetails === true ? event.details : undefined;
	const ask = askPages(poll, event.source);
	const known = cursorIn(poll.state);
	if (poll.isTest || (!known && options.emitExisting !== true)) {
		return await noteExisting(ask, event, details, poll);
	}
	return await giveNew(ask, known ?? NOTHING_READ, event, details, poll);
}

async function noteExisting(
	ask: AskPage,
	event: ListEvent,
	details: Details,
	poll: Poll,
): Promise<PollResult> {
	const left = () => REQUESTS_PER_POLL - poll.requests();
	// The whole budget, because a first poll that does not find the newest record leaves nothing to go on with.
	const { cursor, end } = await new ListReader(ask, EVERYTHING_READ, left).read(REQUESTS_PER_POLL);
	if (!end) throw tooLittleTime();
	const newest = end.at(-1);
	const records = poll.isTest && newest ? [newest] : [];
	return await give(records, { ...cursor, id: newest?.id ?? 0 }, event, details, poll);
}

async function giveNew(
	ask: AskPage,
	known: Cursor,
	event: ListEvent,
	details: Details,
	poll: Poll,
): Promise<PollResult> {
	const left = (found: number) => {
		const requests = poll.requests();
		if (!details) return REQUESTS_PER_POLL - requests;
		return Math.min(REQUESTS_FOR_LIST - requests, REQUESTS_PER_POLL - requests - found);
	};
	const { records, cursor } = await new ListReader(ask, known, left).read();
	return await give(records, cursor, event, details, poll);
}

/** The records as they are given out; with details as many as the poll's requests are enough for. */
async function give(
	records: Numbered[],
	cursor: Cursor,
	event: ListEvent,
	details: Details,
	poll: Poll,
): Promise<PollResult> {
	const shown = details
		? await withDetails(records, details, poll)
		: records.map(({ record }) => record);
	const next = records[shown.length];
	// Those left over are above the cursor again, so the next poll finds them.
	const left = records.length - shown.length;
	const state = next ? { ...cursor, id: next.id - 1, position: cursor.position - left } : cursor;
	return { records: shown.map((entry) => event.read(entry)), state: { ...state } };
}

/** As many of the records as can be had, from the first one on. @throws Failure if not even the first */
async function withDetails(
	records: Numbered[],
	details: NonNullable<Details>,
	poll: Poll,
): Promise<IDataObject[]> {
	const shown: IDataObject[] = [];
	for (const { id, record } of records) {
		if (poll.requests() >= REQUESTS_PER_POLL) break;
		const detail = await detailOf(id, details, poll).catch((error: unknown) => {
			// What was fetched is given out; the record that failed comes first in the next poll.
			if (shown.length > 0 && failureIn(error)) return undefined;
			throw error;
		});
		if (!detail) break;
		shown.push({ ...record, ...detail });
	}
	return shown;
}

/** The details of a record; none if it was deleted meanwhile; undefined if there was no time. */
async function detailOf(
	id: number,
	details: NonNullable<Details>,
	poll: Poll,
): Promise<IDataObject | undefined> {
	const reply = await poll
		.send({ method: 'GET', path: details.path(id) })
		.catch((error: unknown): 'gone' => {
			if (isGone(failureIn(error))) return 'gone';
			throw error;
		});
	if (reply === 'gone') return {};
	return reply && details.read(reply.body);
}

function isGone(failure: Failure | undefined): boolean {
	return failure?.httpCode === 404 || isRefusal(failure);
}
