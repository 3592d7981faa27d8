import type { IDataObject } from 'n8n-workflow';

import { pagesOf } from '../../shared/lists/pages';
import { type NamedList, RecordIndex } from '../../shared/lists/recordIndex';
import { type Poll, REQUESTS_PER_POLL } from '../../shared/triggers/runPoll';
import type { PollResult } from '../../shared/triggers/pollState';
import {
	endsPoll,
	Failure,
	inputFailure,
	isOutOfTime,
	isRefusal,
	quoted,
	toFailure,
} from '../../shared/values/failure';
import { countIn, idIn } from '../../shared/values/json';
import type { Details } from '../lists';
import type { CountEvent, CountWatch } from './countEvents';
import { noCount, pollCounts, type CountReading, readList } from './pollCounts';
import { readDetails } from './pollPages';

/** A record that the user picked, by its id or by its name. */
interface Picked {
	name: string | undefined;
	/** Undefined until the name is found. */
	id: number | undefined;
	/** Why the record cannot be read. */
	failure: Failure | undefined;
}

/** A name that no record has is looked up in one of so many polls. */
const POLLS_PER_LOOKUP = 10;

/**
 * A poll of the picked records. A name is looked up once: from then on its id counts, whatever the record is called. If the
 * record is gone, its name is looked up again, because another record may have it now. A bad pick stops no other: records
 * that are known by their ids are read before lost names are looked up.
 */
export async function pollPicked(poll: Poll, event: CountEvent): Promise<PollResult> {
	const { state } = poll;
	const ids: unknown[] = Array.isArray(state?.ids) ? state.ids : [];
	const picks = event.picked(poll.parameter).map((pick, at): Picked => {
		const isName = typeof pick === 'string';
		const name = isName ? pick : undefined;
		return { name, id: isName ? idIn(ids[at]) : pick, failure: undefined };
	});
	if (picks.every(({ name }) => name === undefined)) {
		const result = await pollFound(poll, event, picks);
		return { ...result, failure: report(poll, picks) };
	}
	const isFirst = ids.length === 0;
	if (isFirst) await lookUp(poll, event.named, picks);
	const unknown = picks.find(({ failure }) => failure)?.failure;
	if (unknown) throw unknown;
	const result =
		foundIn(picks).length > 0 ? await pollFound(poll, event, picks) : { records: [], state };
	/** In how many polls a name had no record. */
	let lostPolls = countIn(state?.lostPolls) ?? 0;
	const isDue = lostPolls % POLLS_PER_LOOKUP === 0;
	if (isDue) await lookUp(poll, event.named, picks);
	const lost = picks.filter(({ id }) => id === undefined);
	for (const pick of lost) pick.failure ??= lookedUpLater(event.named);
	// After an outage, the next poll looks it up.
	const isAnswered = lost.every(({ failure }) => failure && isFinal(failure));
	if (lost.length === 0) lostPolls = 0;
	else if (isAnswered || !isDue) lostPolls += 1;
	const next = { ...result.state, ids: picks.map(({ id = 0 }) => id), lostPolls };
	return { records: result.records, state: next, failure: report(poll, picks) };
}

/** Whether looking the name up again would fail again: unlike a refusal of the service, that has no status. */
const isFinal = ({ kind, httpCode }: Failure): boolean =>
	['refused', 'input'].includes(kind) && httpCode === undefined;

const foundIn = (picks: Picked[]): number[] => [...new Set(picks.flatMap(({ id }) => id ?? []))];

/** Counts the records that are known by their ids. */
async function pollFound(poll: Poll, event: CountEvent, picks: Picked[]): Promise<PollResult> {
	const ids = foundIn(picks);
	const watch = event.watch(poll.parameter, ids);
	const { details } = watch;
	try {
		return await pollCounts(poll, watch, async (from, isFirst) =>
			details && ids.length > 0
				? await readPicked(poll, watch, details, picks, from)
				: await readList(poll, watch, from, isFirst),
		);
	} catch (error) {
		const failure = toFailure(error);
		const [id] = ids;
		const isGone = isRefusal(failure) && picks.some(({ name }) => name !== undefined);
		if (id === undefined || !isGone) throw failure;
		judge(picks, id, failure);
		return { records: [], state: poll.state };
	}
}

/** Why a record could not be read belongs to its picks. The name of a record that is gone is looked up again. */
function judge(picks: Picked[], id: number, failure: Failure): void {
	for (const pick of picks.filter((each) => each.id === id)) {
		if (pick.name !== undefined && isRefusal(failure)) pick.id = undefined;
		else pick.failure = failure;
	}
}

/**
 * Reads the picked records with a request each. If the poll's time is up, the next poll reads the rest. Of a record that
 * cannot be read, the reading has only the id.
 */
async function readPicked(
	poll: Poll,
	watch: CountWatch,
	details: Details,
	picks: Picked[],
	from: IDataObject,
): Promise<CountReading> {
	const ids = foundIn(picks);
	const records: IDataObject[] = [];
	const turn = countIn(from.turn) ?? 0;
	let at = turn < ids.length ? turn : 0;
	for (const id of ids.slice(at)) {
		if (poll.requests() >= REQUESTS_PER_POLL) break;
		const record = await readCount(poll, id, watch, details).catch(toFailure);
		if (record instanceof Failure) {
			if (isOutOfTime(record)) break;
			if (endsPoll(record)) throw record;
			judge(picks, id, record);
			records.push({ id });
		} else {
			records.push(record);
			if (poll.isTest) break;
		}
		at += 1;
	}
	const isComplete = at === ids.length;
	const next: IDataObject = isComplete ? {} : { turn: at };
	// A record whose name has to be looked up is not missing.
	const isWhole = picks.every(({ id }) => id !== undefined);
	return { records, isComplete, next, isWhole, isPaged: false };
}

/** @throws Failure if the record, or its count, cannot be read */
async function readCount(
	poll: Poll,
	id: number,
	watch: CountWatch,
	details: Details,
): Promise<IDataObject> {
	const record = await readDetails(poll, id, details);
	if (watch.countOf(record) === undefined) throw noCount();
	return record;
}

/** Finds the ids of names that have none. @param list in which they are looked up */
async function lookUp(poll: Poll, list: NamedList, picks: Picked[]): Promise<void> {
	const lost = picks.filter(({ id }) => id === undefined);
	const requestPage = pagesOf(list.source, poll.send);
	const index = new RecordIndex(list, async (...request) => {
		if (poll.requests() >= REQUESTS_PER_POLL) throw tooLong(list);
		return await requestPage(...request);
	});
	// All are read before any id is taken: a page that is read for one name may show a namesake of another.
	for (const { name = '' } of lost) await index.all(name, false).catch(toFailure);
	for (const pick of lost) {
		const id = await index.idOf(pick.name ?? '', false).catch(toFailure);
		if (id instanceof Failure) pick.failure = id;
		else pick.id = id;
	}
}

const lookedUpLater = ({ what }: NamedList): Failure =>
	inputFailure(
		`There was no ${what} of that name`,
		`Pick another ${what}, or wait: the name is looked up in every tenth poll`,
	);

const tooLong = ({ what }: NamedList): Failure =>
	inputFailure(
		`There are too many ${what}s to find one by name`,
		`Pick the ${what} from the list, or enter its ID`,
	);

/** Logs which picked records cannot be read. @returns why nothing was, if that is all of them, or in a test */
function report(poll: Poll, picks: Picked[]): Failure | undefined {
	const bad = picks.filter(({ failure }) => failure);
	const failure = bad[0]?.failure;
	if (!failure) return undefined;
	const names = bad.map(({ name, id }) => (name === undefined ? `ID ${id}` : quoted(name)));
	const named = failure.with({ message: `${names.join(', ')}: ${failure.message}` });
	if (poll.isTest || bad.length === picks.length) return named;
	poll.warn(named);
	return undefined;
}
