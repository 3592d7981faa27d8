// The way of a poll for items: all are listed at once, and compared with what is stored of each.

import type { IDataObject } from 'n8n-workflow';

import { digest } from '../../shared/values/digest';
import { idIn, isRecord, mapIn, requireIds } from '../../shared/values/json';
import { emitsExisting } from '../../shared/triggers/fields';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { itemRecord, readItems } from '../records';

/** The API lists all items at once. By their IDs, the lowest first. */
async function itemsOf(poll: Poll): Promise<Map<number, IDataObject>> {
	const all = requireIds(await readItems(poll.send)).map(itemRecord);
	const byId = all.map((record): [number, IDataObject] => [idIn(record.id) ?? 0, record]);
	return new Map(byId.toSorted(([a], [b]) => a - b));
}

/** The state is the IDs of all items so far: an item may be listed later than one with a higher ID. */
export async function newItems(poll: Poll): Promise<PollResult> {
	const items = await itemsOf(poll);
	const isNoted = !poll.isTest && !poll.state && !emitsExisting(poll.parameter);
	const ids = new Set<unknown>(Array.isArray(poll.state?.ids) ? poll.state.ids : []);
	const fresh = [...items].filter(([id]) => !ids.has(id));
	const state = { ids: [...new Set([...ids, ...items.keys()])].map(Number) };
	return { records: isNoted ? [] : fresh.map(([, record]) => record), state };
}

/** Members whose values before the change are output, so they are stored. */
const SHOWN = ['name', 'version', 'category', 'price', 'currency'];

/** The other members that the document has. Of these, only a digest of six characters is stored. */
const COMPARED = 'description sub_category options demo_link tags media published_at'.split(' ');

/** The state is what is known of each item, by its ID. An item that is unknown is noted; it does not start the workflow. */
export async function updatedItems(poll: Poll): Promise<PollResult> {
	const known = mapIn(poll.state?.items);
	const next = { ...known };
	const records: IDataObject[] = [];
	for (const [id, record] of await itemsOf(poll)) {
		const before = known[id];
		const now = await knownOf(record);
		next[id] = now;
		const shown = Object.fromEntries(SHOWN.map((name) => [name, now[name] ?? null]));
		if (poll.isTest)
			records.push({ ...record, changed: ['version'], before: shown, is_sample: true });
		if (!isRecord(before)) continue;
		const changed = Object.keys(now).filter((name) => textOf(now[name]) !== textOf(before[name]));
		const old = Object.fromEntries(SHOWN.map((name) => [name, before[name] ?? null]));
		if (changed.length > 0) records.push({ ...record, changed, before: old });
	}
	return { records, state: { items: next } };
}

/** Without the queries of addresses, which often hold a signature that expires. */
const textOf = (value: unknown): string =>
	JSON.stringify(value ?? null).replaceAll(/(https?:[^"?]*)\?[^"]*/g, '$1');

async function knownOf(record: IDataObject): Promise<IDataObject> {
	const known = Object.fromEntries(SHOWN.map((name) => [name, record[name]]));
	for (const name of COMPARED) known[name] = await digest(textOf(record[name]), 6);
	return known;
}
