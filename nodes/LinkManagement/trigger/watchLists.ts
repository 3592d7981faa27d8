import type { IDataObject } from 'n8n-workflow';

import { Failure, failureIn, inputFailure } from '../../shared/values/failure';
import { mapIn } from '../../shared/values/json';
import type { Page } from '../../shared/lists/pages';
import { readPage } from '../../shared/lists/pages';
import type { ReadParameter } from '../../shared/values/path';
import { quoted } from '../../shared/values/path';
import type { Poll, PollResult, Watch } from '../../shared/triggers/poll';
import { tooLittleTime } from '../../shared/triggers/poll';
import type { AskPage, Mark, MayRead, Reading } from '../../shared/lists/pollingList';
import {
	markIn,
	markState,
	NOTHING_DONE,
	readNewest,
	readOn,
} from '../../shared/lists/pollingList';
import type { Numbered } from '../../shared/lists/pollingPage';
import { linkService } from '../envelope';
import type { ListEvent } from './events';
import { EVENTS } from './events';

/**
 * The most requests of a poll: two thirds of the documented 30 a minute, so that a trigger that catches up leaves some
 * to others. A poll that finds nothing new needs one.
 */
export const REQUESTS_PER_POLL = 20;

/** Those of them that may go into reading the list when every new record costs one more. */
const REQUESTS_FOR_LIST = 10;

type Details = ListEvent['details'];

/** New records of a list of the link service. */
export const watchLists: Watch = {
	service: linkService,
	source: (read) => String(read('event')),
	async poll(poll) {
		const event = eventOf(poll.read);
		const options = mapIn(poll.read('options'));
		const details = options.includeDetails === true ? event.details : undefined;
		const ask = askPageOf(event, poll);
		const known = markIn(poll.state);
		if (poll.isTest || (!known && options.emitExisting !== true)) {
			return await noteExisting(ask, event, details, poll);
		}
		return await giveNew(ask, known ?? NOTHING_DONE, event, details, poll);
	},
};

function eventOf(read: ReadParameter): ListEvent {
	const name = read('event');
	const event = typeof name === 'string' ? EVENTS[name] : undefined;
	if (event) return event;
	throw inputFailure(`There is no event ${quoted(name)}`, 'Pick one from the list');
}

function askPageOf({ path, list, query = {} }: ListEvent, poll: Poll): AskPage {
	return async ({ limit, page }) => {
		const reply = await poll
			.send({ method: 'GET', path, query: { ...query, limit, page } })
			.catch(beyond(page));
		if (reply === 'beyond') return { ...NO_PAGE, perPage: limit };
		return reply && readPage(reply.body, list, limit);
	};
}

const NO_PAGE: Omit<Page, 'perPage'> = { records: [], maxPage: undefined, nextPage: undefined };

/** Some services refuse a page behind the last one; the first page is never refused for that. */
function beyond(page: number) {
	return (error: unknown): 'beyond' => {
		const failure = failureIn(error);
		if (page > 1 && failure?.kind === 'refused' && (failure.httpCode ?? 0) < 500) return 'beyond';
		throw error;
	};
}

interface Found {
	reading: Reading;
	/** The mark before the reading. */
	before: number;
}

async function noteExisting(
	ask: AskPage,
	event: ListEvent,
	details: Details,
	poll: Poll,
): Promise<PollResult> {
	const seen = await readNewest(ask, () => poll.requests() < REQUESTS_PER_POLL);
	if (!seen) throw tooLittleTime();
	const { newest, mark } = seen;
	if (!poll.isTest || !newest) return { records: [], state: markState(mark) };
	return await given(
		{ reading: { records: [newest], mark, isLost: false }, before: 0 },
		event,
		details,
		poll,
	);
}

async function giveNew(
	ask: AskPage,
	mark: Mark,
	event: ListEvent,
	details: Details,
	poll: Poll,
): Promise<PollResult> {
	const mayRead: MayRead = (found) =>
		details
			? poll.requests() < REQUESTS_FOR_LIST && poll.requests() + found < REQUESTS_PER_POLL
			: poll.requests() < REQUESTS_PER_POLL;
	const reading = await readOn(ask, mark, mayRead);
	if (reading.isLost) throw lost();
	return await given({ reading, before: mark.id }, event, details, poll);
}

/** Rather an error that people see than a trigger that is silent for ever. */
function lost(): Failure {
	return new Failure({
		kind: 'unreadable',
		message: 'The new records could not be found in the list of the link service',
		advice:
			'If this goes on, look whether the service lists records in the order in which they were made',
	});
}

/** The records as they are given out; with details as many as the poll's requests are enough for. */
async function given(
	{ reading: { records, mark }, before }: Found,
	event: ListEvent,
	details: Details,
	poll: Poll,
): Promise<PollResult> {
	const shown = details
		? await withDetails(records, details, poll)
		: records.map(({ record }) => record);
	const left = records.length - shown.length;
	// Those left over are above the mark again, so the next poll finds them.
	const id = left === 0 ? mark.id : (records[shown.length - 1]?.id ?? before);
	return {
		records: shown.map((entry) => event.read(entry)),
		state: markState({ ...mark, id, at: mark.at - left }),
	};
}

/** As many of the records as can be had, from the first one on. Failure: not even the first. */
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
	if (failure?.httpCode === 404) return true;
	return failure?.kind === 'refused' && (failure.httpCode ?? 0) < 500;
}
