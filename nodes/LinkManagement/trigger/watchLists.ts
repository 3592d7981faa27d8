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

/** The most requests of a poll for reading the list, if the details of each new record take one more. */
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
	// It may use all requests: if it does not find the newest record, the trigger cannot begin.
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

/** The result of a poll. With details, it has as many records as there were requests for; the rest waits. */
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
	// The cursor goes back to before the rest, so the next poll finds it.
	const left = records.length - shown.length;
	const state = next ? { ...cursor, id: next.id - 1, position: cursor.position - left } : cursor;
	return { records: shown.map((entry) => event.read(entry)), state: { ...state } };
}

/** The records with their details, up to the first that could not be read. @throws Failure if that is the first of all */
async function withDetails(
	records: Numbered[],
	details: NonNullable<Details>,
	poll: Poll,
): Promise<IDataObject[]> {
	const shown: IDataObject[] = [];
	for (const { id, record } of records) {
		if (poll.requests() >= REQUESTS_PER_POLL) break;
		const detail = await detailOf(id, details, poll).catch((error: unknown) => {
			// The records before it are returned; this one is the first of the next poll.
			if (shown.length > 0 && failureIn(error)) return undefined;
			throw error;
		});
		if (!detail) break;
		shown.push({ ...record, ...detail });
	}
	return shown;
}

/** The details of a record: an empty record if it was deleted meanwhile, undefined if the poll's time is up. */
async function detailOf(
	id: number,
	details: NonNullable<Details>,
	poll: Poll,
): Promise<IDataObject | undefined> {
	const response = await poll
		.send({ method: 'GET', path: details.path(id) })
		.catch((error: unknown): 'gone' => {
			if (isGone(failureIn(error))) return 'gone';
			throw error;
		});
	if (response === 'gone') return {};
	return response && details.read(response.body);
}

function isGone(failure: Failure | undefined): boolean {
	return failure?.httpCode === 404 || isRefusal(failure);
}
