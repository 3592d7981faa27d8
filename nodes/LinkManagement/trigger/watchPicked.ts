import type { IDataObject } from 'n8n-workflow';

import { LARGEST_PAGE } from '../../shared/lists/pages';
import type { NamedList } from '../../shared/lists/recordIndex';
import { RecordIndex } from '../../shared/lists/recordIndex';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { REQUESTS_PER_POLL, tooLittleTime } from '../../shared/triggers/poll';
import type { Failure } from '../../shared/values/failure';
import { failureIn, inputFailure, isRefusal } from '../../shared/values/failure';
import { idIn, mapIn } from '../../shared/values/json';
import type { CountEvent, Picked } from './counts';
import { requestPages, TimeUp } from './pollPages';
import { pollCounts } from './watchCounts';

/** How far the lookup of names has got. The names themselves are part of the trigger's source, so they are not stored here. */
interface Lookup {
	/** The ids of all picked records, in the order of the fields; 0 for a name that was not found yet. */
	ids: number[];
	/** The page to go on from. It is the last one that was read, because records may have moved on to it since. */
	page: number;
}

/** A poll of the picked records. A name is looked up once: from then on its id counts, whatever the record is called. */
export async function pollPicked(poll: Poll, event: CountEvent): Promise<PollResult> {
	const picked = event.picked(poll.read);
	const lookup = await lookUp(poll, event.named, picked, mapIn(poll.state?.lookup));
	return await pollFound(poll, event, picked, lookup);
}

/**
 * A poll of the picked records after the lookup. If that leaves too few requests for the records, they are read in the next
 * poll. The name of a record that is gone is looked up anew, because another record may have it now.
 */
async function pollFound(
	poll: Poll,
	event: CountEvent,
	picked: Picked[],
	lookup: Lookup,
): Promise<PollResult> {
	const watch = event.watch(poll.read, [...new Set(lookup.ids)]);
	if (picked.every((pick) => typeof pick === 'number')) return await pollCounts(poll, watch);

	const kept = { ...poll.state, lookup: { ...lookup } };
	const isShort = poll.requests() + lookup.ids.length > REQUESTS_PER_POLL && !poll.isTest;
	if (isShort || lookup.ids.includes(0)) return { records: [], state: kept };
	let path = '';
	const send: Poll['send'] = async (request) => {
		({ path } = request);
		return await poll.send(request);
	};
	return await pollCounts({ ...poll, send, state: kept }, watch).then(
		({ records, state }) => ({ records, state: { ...state, lookup: kept.lookup } }),
		async (error: unknown) => {
			const gone = lookup.ids.find((id) => watch.path(id) === path);
			if (!gone || picked.includes(gone) || !isRefusal(failureIn(error))) throw error;
			const ids = lookup.ids.map((id) => (id === gone ? 0 : id));
			const again = await lookUp(poll, event.named, picked, { ids });
			if (again.ids.includes(gone)) throw error;
			return await pollFound(poll, event, picked, again);
		},
	);
}

/** @throws Failure if a name is that of no record, or of several */
async function lookUp(
	poll: Poll,
	list: NamedList | undefined,
	picked: Picked[],
	before: IDataObject,
): Promise<Lookup> {
	let from = idIn(before.page) ?? 1;
	const found: unknown[] = Array.isArray(before.ids) ? before.ids : [];
	const ids = picked.map((pick, at) => (typeof pick === 'number' ? pick : (idIn(found[at]) ?? 0)));
	if (!list || !ids.includes(0)) return { ids, page: from };

	let page = 0;
	const request = requestPages(poll, list.source);
	const requestPage = async (number: number, limit: number) => {
		if (poll.requests() >= REQUESTS_PER_POLL) throw new TimeUp();
		const answer = await request(number, limit);
		page = number;
		return answer;
	};
	// New records may be on page 1, and it shows how many records fit on a page, and where the list ends now.
	const first = from > 1 ? await request(1, LARGEST_PAGE).catch(unlessTimeUp) : undefined;
	from = Math.max(1, Math.min(from, first?.maxPage ?? from));
	const index = new RecordIndex(list, requestPage, from);
	for (const record of first?.records ?? []) index.put(record);
	const names = picked.map(String).filter((_name, at) => ids[at] === 0);
	// All are read before any id is taken: a page that is read for one name may show a namesake of another.
	for (const name of names) await index.all(name, false).catch(unlessTimeUp);
	for (const name of names) {
		ids[picked.indexOf(name)] = (await index.idOf(name, false).catch(unlessTimeUp)) ?? 0;
	}
	if (ids.includes(0) && poll.isTest) throw tooLongForTest(list);
	if (ids.includes(0) && page === 0 && !poll.state) throw tooLittleTime();
	return { ids, page: Math.max(page, from) };
}

function unlessTimeUp(error: unknown): undefined {
	if (error instanceof TimeUp) return undefined;
	throw error;
}

const tooLongForTest = ({ what }: NamedList): Failure =>
	inputFailure(
		`There are more ${what}s than a test looks through for a name`,
		`Publish the workflow, which looks on with every poll; or pick the ${what} from the list, or give its ID`,
	);
