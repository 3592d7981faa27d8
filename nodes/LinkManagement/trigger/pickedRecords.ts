import type { IDataObject } from 'n8n-workflow';

import { pagesOf } from '../../shared/lists/pages';
import { type NamedList, RecordIndex } from '../../shared/lists/recordIndex';
import { endsPoll, isOutOfTime, type Poll, REQUESTS_PER_POLL } from '../../shared/triggers/runPoll';
import type { PollResult } from '../../shared/triggers/pollState';
import { Failure, toFailure, inputFailure, isRefusal, quoted } from '../../shared/values/failure';
import { idIn } from '../../shared/values/json';
import type { Details } from '../lists';
import type { CountEvent, CountWatch } from './countEvents';
import { noCount, pollCounts, type Reading, readList } from './pollCounts';
import { type Progress, readDetails } from './pollPages';

/** A record that the user picked, by its id or by its name. */
interface Picked {
	name: string | undefined;
	/** Undefined until the name is found. */
	id: number | undefined;
	/** Why the record cannot be read. */
	failure: Failure | undefined;
}

/**
 * A poll of the picked records. A name is looked up once: from then on its id counts, whatever the record is called. If the
 * record is gone, its name is looked up again, because another record may have it now. A bad pick stops no other.
 */
export async function pollPicked(poll: Poll, event: CountEvent): Promise<PollResult> {
	const stored = poll.state?.ids;
	const ids: unknown[] = Array.isArray(stored) ? stored : [];
	const picks = event.picked(poll.read).map((pick, at): Picked => {
		const isName = typeof pick === 'string';
		const name = isName ? pick : undefined;
		return { name, id: isName ? idIn(ids[at]) : pick, failure: undefined };
	});
	await lookUp(poll, event.named, picks);
	const unknown = picks.find(({ failure }) => failure)?.failure;
	if (unknown && ids.length === 0) throw unknown;
	const { records, state } = await pollFound(poll, event, picks);
	await lookUp(poll, event.named, picks);
	report(poll, picks);
	return { records, state: withIds(state, picks) };
}

/** Counts the records that are known by their ids. What needs too many requests is left to the next poll. */
async function pollFound(poll: Poll, event: CountEvent, picks: Picked[]): Promise<PollResult> {
	const ids = [...new Set(picks.flatMap(({ id }) => id ?? []))];
	const hasNames = picks.some(({ name }) => name !== undefined);
	const state = withIds(poll.state, picks);
	const isShort = poll.requests() + ids.length > REQUESTS_PER_POLL && !poll.isTest;
	if (hasNames && (isShort || ids.length === 0)) return { records: [], state };
	const watch = event.watch(poll.read, ids);
	const { details } = watch;
	const failures = new Map<number, Failure>();
	const result = await pollCounts({ ...poll, state }, watch, async (from, isFirst) =>
		details && ids.length > 0
			? await readOneByOne(poll, watch, details, ids, from, failures)
			: await readList(poll, watch, from, isFirst),
	).catch((error: unknown) => {
		const failure = toFailure(error);
		const [id] = ids;
		if (!hasNames || id === undefined || !isRefusal(failure)) throw failure;
		failures.set(id, failure);
		return { records: [], state };
	});
	for (const pick of picks) {
		const failure = failures.get(pick.id ?? 0);
		// The name of a record that is gone is looked up again.
		if (pick.name !== undefined && isRefusal(failure)) pick.id = undefined;
		else pick.failure ??= failure;
	}
	return result;
}

/**
 * Reads the picked records with a request each. If the poll's time is up, the next poll reads the rest.
 * @param failures gets why records could not be read; of those the reading has only the id
 */
async function readOneByOne(
	poll: Poll,
	watch: CountWatch,
	details: Details,
	ids: number[],
	from: Progress,
	failures: Map<number, Failure>,
): Promise<Reading> {
	const records: IDataObject[] = [];
	let next: Progress | undefined;
	for (const [at, id] of ids.entries()) {
		if (at + 1 < from.page) continue;
		try {
			const record = await readDetails(poll, id, details);
			if (watch.countOf(record) === undefined) throw noCount();
			records.push(record);
			if (poll.isTest) break;
		} catch (error) {
			const failure = toFailure(error);
			if (isOutOfTime(failure)) {
				next = { page: at + 1 };
				break;
			}
			if (endsPoll(failure)) throw failure;
			failures.set(id, failure);
			records.push({ id });
		}
	}
	return { records, count: 1, next, isWhole: true, isPaged: false };
}

/** The state with the ids of the names; the names are part of the trigger's source. */
function withIds(state: PollResult['state'], picks: Picked[]): PollResult['state'] {
	const hasNames = picks.some(({ name }) => name !== undefined);
	return hasNames ? { ...state, ids: picks.map(({ id = 0 }) => id) } : state;
}

/** Finds the ids of names that have none yet. @param list in which they are looked up */
async function lookUp(poll: Poll, list: NamedList, picks: Picked[]): Promise<void> {
	const waiting = picks.filter(({ id, failure }) => id === undefined && !failure);
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
		else if (isRefusal(id) || id.kind === 'input') pick.failure = id;
		else throw id;
	}
}

const tooLong = ({ what }: NamedList): Failure =>
	inputFailure(
		`There are too many ${what}s to find one by name`,
		`Pick the ${what} from the list, or enter its ID`,
	);

/** Logs which picked records cannot be read. @throws Failure if that is all of them, or in a test */
function report(poll: Poll, picks: Picked[]): void {
	const bad = picks.filter(({ failure }) => failure);
	const failure = bad[0]?.failure;
	if (!failure) return;
	const names = bad.map(({ name, id }) => (name === undefined ? `ID ${id}` : quoted(name)));
	const named = failure.with({ message: `${names.join(', ')}: ${failure.message}` });
	if (poll.isTest || bad.length === picks.length) throw named;
	poll.warn(named);
}
