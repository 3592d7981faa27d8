import type { IDataObject } from 'n8n-workflow';

import { digest } from '../../shared/values/digest';
import { idIn, integerIn, isRecord, mapIn, requireIds, textIn } from '../../shared/values/json';
import { emitsExisting } from '../../shared/triggers/fields';
import type { PollResult } from '../../shared/triggers/pollState';
import type { Poll } from '../../shared/triggers/runPoll';
import { itemRecord, readItems } from '../records';
import { comparableMember } from './comparable';

interface StoreItem {
	id: number;
	record: IDataObject;
}

/** The API lists all items at once, so one request shows each of them. Each once, in the order of their IDs. */
async function itemsOf(poll: Poll): Promise<StoreItem[]> {
	const all = requireIds(await readItems(poll.send));
	const byId = new Map(all.map((record) => [idIn(record.id) ?? 0, itemRecord(record)]));
	return [...byId].map(([id, record]) => ({ id, record })).toSorted((a, b) => a.id - b.id);
}

/** The state is the IDs of all items so far: an item may be listed later than one with a higher ID. */
export async function newItems(poll: Poll): Promise<PollResult> {
	const items = await itemsOf(poll);
	const isFirst = poll.state === undefined && !emitsExisting(poll.parameter);
	const seen = new Set<unknown>(Array.isArray(poll.state?.ids) ? poll.state.ids : []);
	const fresh = items.filter(({ id }) => !seen.has(id));
	const state = { ids: [...seen, ...fresh.map(({ id }) => id)] };
	const records = fresh.map(({ record }) => record);
	return { records: isFirst && !poll.isTest ? [] : records, state };
}

/** Members whose values before the change are output, so they are stored. */
const SHOWN = ['name', 'version', 'category', 'price', 'currency'];

/** The other members that the document has. Of these, only a digest is stored. */
const COMPARED = [
	'description',
	'sub_category',
	'options',
	'demo_link',
	'tags',
	'media',
	'published_at',
];

/** Characters of a digest. They hold 36 bits: a change goes unnoticed once in 70 billion times. */
const DIGEST_LENGTH = 6;

/** An item that is missing in so many polls in a row is forgotten. */
const MAX_MISSED = 3;

/** What is stored of an item. */
interface Known {
	shown: IDataObject;
	/** Those of `COMPARED`, in that order, without separators. */
	digests: string;
	/** In how many polls the item was missing. */
	missed: number;
}

/** The state is what is known of each item, by its ID. An item that is unknown is noted; it does not start the workflow. */
export async function updatedItems(poll: Poll): Promise<PollResult> {
	const items = await itemsOf(poll);
	if (poll.isTest) return { records: items.slice(-1).map(sampleOf), state: undefined };
	const known = mapIn(poll.state?.items);
	const next = new Map<string, Known>();
	const records: IDataObject[] = [];
	for (const { id, record } of items) {
		const before = knownIn(known[id]);
		const now = await knownOf(record);
		next.set(String(id), now);
		const changed = before ? changedMembers(before, now) : [];
		if (before && changed.length > 0) records.push({ ...record, changed, before: before.shown });
	}
	for (const [id, held] of Object.entries(known)) {
		const before = next.has(id) ? undefined : knownIn(held);
		if (before && before.missed + 1 < MAX_MISSED)
			next.set(id, { ...before, missed: before.missed + 1 });
	}
	const stored = [...next].map(([id, each]) => [id, { ...each }] as const);
	return { records, state: { items: Object.fromEntries(stored) } };
}

const sampleOf = ({ record }: StoreItem): IDataObject => ({
	...record,
	changed: ['version'],
	before: shownOf(record),
	is_sample: true,
});

const shownOf = (record: IDataObject): IDataObject =>
	Object.fromEntries(SHOWN.map((name) => [name, record[name] ?? null]));

async function knownOf(record: IDataObject): Promise<Known> {
	const texts = COMPARED.map((name) => comparableMember(name, record[name]));
	const digests = await Promise.all(texts.map(async (text) => await digest(text, DIGEST_LENGTH)));
	return { shown: shownOf(record), digests: digests.join(''), missed: 0 };
}

function knownIn(held: unknown): Known | undefined {
	if (!isRecord(held)) return undefined;
	const { shown, digests, missed } = held;
	return { shown: mapIn(shown), digests: textIn(digests) ?? '', missed: integerIn(missed) ?? 0 };
}

function changedMembers(before: Known, now: Known): string[] {
	const part = ({ digests }: Known, at: number): string =>
		digests.slice(at * DIGEST_LENGTH, (at + 1) * DIGEST_LENGTH);
	const shown = SHOWN.filter(
		(name) =>
			comparableMember(name, before.shown[name]) !== comparableMember(name, now.shown[name]),
	);
	return [...shown, ...COMPARED.filter((_name, at) => part(before, at) !== part(now, at))];
}
