import type { IDataObject } from 'n8n-workflow';

import { LARGEST_PAGE } from '../../shared/lists/pages';
import type { NamedList } from '../../shared/lists/recordIndex';
import { RecordIndex } from '../../shared/lists/recordIndex';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { isTimeUp, REQUESTS_PER_POLL } from '../../shared/triggers/poll';
import { Failure, failureOf, inputFailure, isRefusal } from '../../shared/values/failure';
import { idIn, mapIn } from '../../shared/values/json';
import type { CountEvent, Picked } from './countEvents';
import { pollCounts } from './pollCounts';
import { outOfTime, requestPages, unlessTimeUp } from './pollPages';

/** What is known of picked records. The names themselves are part of the trigger's source, so they are not stored here. */
interface Lookup {
	/** The ids of all picked records, in the order of the fields; 0 for a name that was not found. */
	ids: number[];
	/** The page to go on from. It is the last one that was read, because records may have moved on to it since. */
	page: number;
}

/** Why picks cannot be read: a name that no record has, a record that was deleted. */
type BadPicks = Map<Picked, Failure>;

/**
 * A poll of the picked records. A name is looked up once: from then on its id counts, whatever the record is called. If the
 * record is gone, its name is looked up again, because another record may have it now. A bad pick stops no other.
 */
export async function pollPicked(poll: Poll, event: CountEvent): Promise<PollResult> {
	const picked = event.picked(poll.read);
	const bad: BadPicks = new Map();
	const known = mapIn(poll.state?.lookup);
	const lookup = await lookUp(poll, event.named, picked, known, bad);
	const result = await pollFound(poll, event, picked, lookup, bad);
	const [failure] = bad.values();
	const isFirst = poll.state?.known === undefined;
	if (failure && (isFirst || bad.size === picked.length)) throw badPicks(bad, failure);
	if (failure) poll.warn(badPicks(bad, failure));
	return result;
}

/** The failure of the first bad pick; it names the others, too. */
function badPicks(bad: BadPicks, failure: Failure): Failure {
	const ids = [...bad.keys()].filter((pick) => typeof pick === 'number');
	const message = ids.length > 0 ? `ID ${ids.join(', ')}: ${failure.message}` : failure.message;
	return failure.with({ message });
}

/** A poll of the records that were found. If that needs too many requests, they are read in the next poll. */
async function pollFound(
	poll: Poll,
	event: CountEvent,
	picked: Picked[],
	lookup: Lookup,
	bad: BadPicks,
): Promise<PollResult> {
	const ids = [...new Set(lookup.ids.filter((id) => id > 0))];
	const watch = event.watch(poll.read, ids);
	const hasNames = picked.some((pick) => typeof pick === 'string');
	const state = hasNames ? { ...poll.state, lookup: { ...lookup } } : poll.state;
	const isSearching = lookup.ids.some((id, at) => id === 0 && !bad.has(picked[at] ?? 0));
	const isShort = hasNames && poll.requests() + ids.length > REQUESTS_PER_POLL && !poll.isTest;
	if (isSearching || isShort || (hasNames && ids.length === 0)) return { records: [], state };

	const counted = await pollCounts({ ...poll, state }, watch).catch((error: unknown) => {
		const failure = failureOf(error);
		const [id] = ids;
		if (!hasNames || id === undefined || !isRefusal(failure)) throw failure;
		return { records: [], state, failures: new Map([[id, failure]]) };
	});
	const found = { ...lookup, ids: [...lookup.ids] };
	for (const [at, pick] of picked.entries()) {
		const failure = counted.failures.get(lookup.ids[at] ?? 0);
		if (!failure) continue;
		if (typeof pick === 'string' && isRefusal(failure)) found.ids[at] = 0;
		else bad.set(pick, failure);
	}
	const isGone = found.ids.some((id, at) => id !== lookup.ids[at]);
	const next = isGone ? await lookUp(poll, event.named, picked, { ids: found.ids }, bad) : lookup;
	return {
		...counted,
		state: hasNames ? { ...counted.state, lookup: { ...next } } : counted.state,
	};
}

/**
 * The ids of the picked records.
 * @param bad gets the names that no record has, or several
 */
async function lookUp(
	poll: Poll,
	list: NamedList | undefined,
	picked: Picked[],
	before: IDataObject,
	bad: BadPicks,
): Promise<Lookup> {
	let from = idIn(before.page) ?? 1;
	const found: unknown[] = Array.isArray(before.ids) ? before.ids : [];
	const ids = picked.map((pick, at) => (typeof pick === 'number' ? pick : (idIn(found[at]) ?? 0)));
	if (!list || !ids.includes(0)) return { ids, page: from };

	let page = 0;
	const request = requestPages(poll, list.source);
	const requestPage = async (number: number, limit: number) => {
		if (poll.requests() >= REQUESTS_PER_POLL) throw outOfTime();
		const answer = await request(number, limit);
		page = number;
		return answer;
	};
	// New records may be on page 1, and it shows how many records fit on a page, and where the list ends now.
	const first = from > 1 ? await request(1, LARGEST_PAGE).catch(unlessTimeUp) : undefined;
	from = Math.max(1, Math.min(from, first?.pages ?? from));
	const index = new RecordIndex(list, requestPage, from);
	for (const record of first?.records ?? []) index.put(record);
	const names = picked.map(String).filter((_name, at) => ids[at] === 0);
	// All are read before any id is taken: a page that is read for one name may show a namesake of another.
	for (const name of names) await index.all(name, false).catch(unlessTimeUp);
	for (const name of names) {
		const id = await index.idOf(name, false).catch(failureOf);
		if (!(id instanceof Failure)) ids[picked.indexOf(name)] = id;
		else if (id.kind === 'refused') bad.set(name, id);
		else if (!isTimeUp(id)) throw id;
		else if (poll.isTest) throw tooLongForTest(list);
	}
	if (ids.includes(0) && page === 0 && !poll.state) throw outOfTime();
	return { ids, page: Math.max(page, from) };
}

const tooLongForTest = ({ what }: NamedList): Failure =>
	inputFailure(
		`There are more ${what}s than a test searches for a name`,
		`Publish the workflow, which continues the search with each poll, pick the ${what} from the list, or enter its ID`,
	);
