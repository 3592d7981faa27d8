import type { NamedList } from '../../shared/lists/recordIndex';
import { RecordIndex } from '../../shared/lists/recordIndex';
import type { Poll } from '../../shared/triggers/poll';
import { REQUESTS_PER_POLL } from '../../shared/triggers/poll';
import type { PollResult } from '../../shared/triggers/pollState';
import { Failure, failureOf, inputFailure, isRefusal, quoted } from '../../shared/values/failure';
import { idIn } from '../../shared/values/json';
import type { CountEvent, Picked } from './countEvents';
import { pollCounts } from './pollCounts';
import { requestPages } from './pollPages';

/** Why picks cannot be read: a name that no record has, a record that was deleted. */
type BadPicks = Map<Picked, Failure>;

/**
 * A poll of the picked records. A name is looked up once: from then on its id counts, whatever the record is called. If the
 * record is gone, its name is looked up again, because another record may have it now. A bad pick stops no other.
 */
export async function pollPicked(poll: Poll, event: CountEvent): Promise<PollResult> {
	const picked = event.picked(poll.read);
	const bad: BadPicks = new Map();
	const result = await pollFound(poll, event, picked, bad);
	const [failure] = bad.values();
	if (!failure) return result;
	const picks = [...bad.keys()].map((pick) =>
		typeof pick === 'number' ? `ID ${pick}` : quoted(pick),
	);
	const named = failure.with({ message: `${picks.join(', ')}: ${failure.message}` });
	if (poll.isTest || bad.size === picked.length) throw named;
	poll.warn(named);
	return result;
}

/** The state holds the ids of the names; the names are part of the trigger's source. */
async function pollFound(
	poll: Poll,
	event: CountEvent,
	picked: Picked[],
	bad: BadPicks,
): Promise<PollResult> {
	const known: unknown[] = Array.isArray(poll.state?.ids) ? poll.state.ids : [];
	const ids = await idsOf(poll, event.named, picked, known, bad);
	const [unknown] = bad.values();
	if (unknown && known.length === 0) throw unknown;
	const found = [...new Set(ids.filter((id) => id > 0))];
	const hasNames = picked.some((pick) => typeof pick === 'string');
	const state = hasNames ? { ...poll.state, ids } : poll.state;
	const isShort = poll.requests() + found.length > REQUESTS_PER_POLL && !poll.isTest;
	// What needs too many requests is read in the next poll.
	if (hasNames && (isShort || found.length === 0)) return { records: [], state };

	const watch = event.watch(poll.read, found);
	const counted = await pollCounts({ ...poll, state }, watch).catch((error: unknown) => {
		const failure = failureOf(error);
		const [id] = found;
		if (!hasNames || id === undefined || !isRefusal(failure)) throw failure;
		return { records: [], state, failures: new Map([[id, failure]]) };
	});
	const gone = new Set<Picked>();
	for (const [at, pick] of picked.entries()) {
		const failure = counted.failures.get(ids[at] ?? 0);
		if (failure && typeof pick === 'string' && isRefusal(failure)) gone.add(pick);
		else if (failure) bad.set(pick, failure);
	}
	if (gone.size === 0) return hasNames ? { ...counted, state: { ...counted.state, ids } } : counted;
	const left = ids.map((id, at) => (gone.has(picked[at] ?? 0) ? 0 : id));
	const next = await idsOf(poll, event.named, picked, left, bad);
	return { ...counted, state: { ...counted.state, ids: next } };
}

/**
 * The ids of the picked records; 0 for a name that no record has, or several.
 * @param known the ids that were found before
 * @param bad gets the names that were not found
 */
async function idsOf(
	poll: Poll,
	list: NamedList | undefined,
	picked: Picked[],
	known: unknown[],
	bad: BadPicks,
): Promise<number[]> {
	const ids = picked.map((pick, at) => (typeof pick === 'number' ? pick : (idIn(known[at]) ?? 0)));
	const names = picked.map(String).filter((name, at) => ids[at] === 0 && !bad.has(name));
	if (!list || names.length === 0) return ids;
	const request = requestPages(poll, list.source);
	const index = new RecordIndex(list, async (page, limit) => {
		if (poll.requests() >= REQUESTS_PER_POLL) throw tooLong(list);
		return await request(page, limit);
	});
	// All are read before any id is taken: a page that is read for one name may show a namesake of another.
	for (const name of names) await index.all(name, false).catch(failureOf);
	for (const name of names) {
		const id = await index.idOf(name, false).catch(failureOf);
		if (!(id instanceof Failure)) ids[picked.indexOf(name)] = id;
		else if (['refused', 'input'].includes(id.kind)) bad.set(name, id);
		else throw id;
	}
	return ids;
}

const tooLong = ({ what }: NamedList): Failure =>
	inputFailure(
		`There are more ${what}s than a poll searches for a name`,
		`Pick the ${what} from the list, or enter its ID`,
	);
