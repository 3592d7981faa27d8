import type { IDataObject } from 'n8n-workflow';

import { pagesOf } from '../../shared/lists/pages';
import { type NamedList, RecordIndex } from '../../shared/lists/recordIndex';
import { endsPoll, isOutOfTime, type Poll, REQUESTS_PER_POLL } from '../../shared/triggers/runPoll';
import type { PollResult } from '../../shared/triggers/pollState';
import { Failure, toFailure, inputFailure, isRefusal, quoted } from '../../shared/values/failure';
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
	/** Whether the name is looked up in this poll, if it has no id. */
	isDue: boolean;
	/** Why the record cannot be read. */
	failure: Failure | undefined;
}

/** A name that no record has is looked up in one of so many polls. */
const POLLS_PER_LOOKUP = 10;

/**
 * A poll of the picked records. A name is looked up once: from then on its id counts, whatever the record is called. If the
 * record is gone, its name is looked up again, because another record may have it now; at once, and then in every tenth poll.
 * A bad pick stops no other: records that are known by their ids are read before lost names are looked up.
 */
export async function pollPicked(poll: Poll, event: CountEvent): Promise<PollResult> {
	const stored = poll.state?.ids;
	const ids: unknown[] = Array.isArray(stored) ? stored : [];
	const isFirst = ids.length === 0;
	// Undefined: no name was looked up in vain.
	const pollsSinceLookup = countIn(poll.state?.pollsSinceLookup);
	const isSkipped = pollsSinceLookup !== undefined && pollsSinceLookup + 1 < POLLS_PER_LOOKUP;
	const picks = event.picked(poll.parameter).map((pick, at): Picked => {
		const isName = typeof pick === 'string';
		const name = isName ? pick : undefined;
		const id = isName ? idIn(ids[at]) : pick;
		return { name, id, isDue: id !== undefined || !isSkipped, failure: undefined };
	});
	const hasNames = picks.some(({ name }) => name !== undefined);
	if (isFirst || foundIn(picks).length === 0) await lookUp(poll, event.named, picks, isFirst);
	const unknown = picks.find(({ failure }) => failure)?.failure;
	if (unknown && isFirst) throw unknown;
	const found = foundIn(picks).length;
	// What needs too many requests is left to the next poll.
	const isShort = poll.requests() + found > REQUESTS_PER_POLL && !poll.isTest;
	const isLater = hasNames && (isShort || found === 0);
	const { records, state } = isLater
		? { records: [], state: poll.state }
		: await pollFound(poll, event, picks);
	const next = { ...state, pollsSinceLookup: isSkipped ? pollsSinceLookup + 1 : 0 };
	const isInVain = picks.some(({ id, failure }) => id === undefined && isKnownToFail(failure));
	const failure = report(poll, picks);
	return { records, state: withIds(isInVain ? next : state, picks), failure };
}

/** Whether looking the name up again would fail again: unlike a refusal of the service, that has no status. */
const isKnownToFail = (failure: Failure | undefined): boolean =>
	failure !== undefined && ['refused', 'input'].includes(failure.kind) && !failure.httpCode;

const foundIn = (picks: Picked[]): number[] => [...new Set(picks.flatMap(({ id }) => id ?? []))];

/** Counts the records that are known by their ids. */
async function pollFound(poll: Poll, event: CountEvent, picks: Picked[]): Promise<PollResult> {
	const ids = foundIn(picks);
	const watch = event.watch(poll.parameter, ids);
	const { details } = watch;
	if (details && ids.length > 0) {
		return await pollCounts(
			poll,
			watch,
			async (from) => await readPicked(poll, event.named, watch, details, picks, from),
		);
	}
	try {
		return await pollCounts(
			poll,
			watch,
			async (from, isFirst) => await readList(poll, watch, from, isFirst),
		);
	} catch (error) {
		const failure = toFailure(error);
		const [id] = ids;
		if (id === undefined || !isRefusal(failure) || picks.every(({ name }) => name === undefined))
			throw failure;
		judge(picks, new Map([[id, failure]]));
		await lookUp(poll, event.named, picks, false);
		return { records: [], state: poll.state };
	}
}

/** Why records could not be read belongs to their picks. The name of a record that is gone is looked up again. */
function judge(picks: Picked[], failures: Map<number, Failure>): void {
	for (const pick of picks) {
		const failure = failures.get(pick.id ?? 0);
		if (pick.name !== undefined && isRefusal(failure)) pick.id = undefined;
		else pick.failure ??= failure;
	}
}

/**
 * Reads the picked records with a request each, then those whose lost names are found. If the poll's time is up, the next
 * poll reads the rest.
 */
async function readPicked(
	poll: Poll,
	list: NamedList,
	watch: CountWatch,
	details: Details,
	picks: Picked[],
	from: IDataObject,
): Promise<CountReading> {
	const ids = foundIn(picks);
	const turn = countIn(from.turn) ?? 0;
	const known = turn < ids.length ? ids.slice(turn) : ids;
	const records: IDataObject[] = [];
	const waiting = await readOneByOne(poll, watch, details, picks, known, records);
	const isComplete = waiting.length === 0;
	if (isComplete && !poll.isTest) {
		await lookUp(poll, list, picks, false);
		const found = foundIn(picks).filter((id) => !ids.includes(id));
		await readOneByOne(poll, watch, details, picks, found, records);
	}
	const progress: IDataObject = isComplete ? {} : { turn: ids.length - waiting.length };
	// A link whose name could not be looked up is not missing.
	const isWhole = picks.every(({ id, failure }) => id !== undefined || isNoRecord(failure));
	return { records, isComplete, progress, isWhole, isPaged: false };
}

/** Whether the list was read and does not have the name: a refusal of the service has a status. */
const isNoRecord = (failure: Failure | undefined): boolean =>
	failure?.kind === 'refused' && failure.httpCode === undefined;

/**
 * Of a record that cannot be read, `records` gets only the id.
 * @returns the ids for which there was no time
 */
async function readOneByOne(
	poll: Poll,
	watch: CountWatch,
	details: Details,
	picks: Picked[],
	ids: number[],
	records: IDataObject[],
): Promise<number[]> {
	const failures = new Map<number, Failure>();
	let waiting: number[] = [];
	for (const [at, id] of ids.entries()) {
		try {
			const record = await readDetails(poll, id, details);
			if (watch.countOf(record) === undefined) throw noCount();
			records.push(record);
			if (poll.isTest) break;
		} catch (error) {
			const failure = toFailure(error);
			if (isOutOfTime(failure)) {
				waiting = ids.slice(at);
				break;
			}
			if (endsPoll(failure)) throw failure;
			failures.set(id, failure);
			records.push({ id });
		}
	}
	judge(picks, failures);
	return waiting;
}

/** The state with the ids of the names; the names are part of the trigger's source. */
function withIds(state: PollResult['state'], picks: Picked[]): PollResult['state'] {
	const hasNames = picks.some(({ name }) => name !== undefined);
	return hasNames ? { ...state, ids: picks.map(({ id = 0 }) => id) } : state;
}

/**
 * Finds the ids of names that have none yet.
 * @param list in which they are looked up
 * @param isFirst whether a failure fails the poll; later it is the picks' own
 */
async function lookUp(
	poll: Poll,
	list: NamedList,
	picks: Picked[],
	isFirst: boolean,
): Promise<void> {
	const lost = picks.filter(({ id, failure }) => id === undefined && !failure);
	const waiting = lost.filter(({ isDue }) => isDue);
	for (const pick of lost) if (!pick.isDue) pick.failure = lookedUpLater(list);
	const requestPage = pagesOf(list.source, poll.send);
	const index = new RecordIndex(list, async (...request) => {
		if (poll.requests() >= REQUESTS_PER_POLL) throw tooLong(list);
		return await requestPage(...request);
	});
	// All are read before any id is taken: a page that is read for one name may show a namesake of another.
	for (const { name = '' } of waiting) await index.all(name, false).catch(toFailure);
	for (const pick of waiting) {
		const id = await index.idOf(pick.name ?? '', false).catch(toFailure);
		if (!(id instanceof Failure)) pick.id = id;
		else if (['refused', 'input'].includes(id.kind)) pick.failure = id;
		else if (isFirst || (endsPoll(id) && !isOutOfTime(id))) throw id;
		else pick.failure = id;
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
