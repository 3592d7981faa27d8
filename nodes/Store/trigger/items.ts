// The ways of a poll for items, which are listed at once and compared with what is stored of each, and for the balance.

import type { IDataObject } from 'n8n-workflow';

import { notesOnly, type Poll, type PollResult } from '../../shared/triggers/poll';
import { isBlank, parseId } from '../../shared/values/input';
import {
	decimalIn,
	idIn,
	isRecord,
	mapIn,
	missingMember,
	pickedValue,
	requireIds,
	requireRecord,
	textIn,
} from '../../shared/values/json';
import { watchedItemField } from '../locators';
import { ACCOUNT, accountRecord, itemRecord, readItem, readItems } from '../records';

/** The API lists all items at once. By their IDs, the lowest first. */
async function readItemsById(poll: Poll): Promise<Map<number, IDataObject>> {
	const all = requireIds(await readItems(poll.send)).map(itemRecord);
	const byId = all.map((record): [number, IDataObject] => [idIn(record.id) ?? 0, record]);
	return new Map(byId.toSorted(([a], [b]) => a - b));
}

/** The state is the IDs of all items so far: an item may be listed later than one with a higher ID. */
export async function newItems(poll: Poll): Promise<PollResult> {
	const items = await readItemsById(poll);
	const ids = new Set<unknown>(Array.isArray(poll.state?.ids) ? poll.state.ids : []);
	const fresh = notesOnly(poll) ? [] : [...items].filter(([id]) => !ids.has(id));
	const state = { ids: [...new Set([...ids, ...items.keys()])].map(Number) };
	return { records: fresh.map(([, record]) => record), state };
}

/** What is compared, and stored of each item. */
const COMPARED = ['name', 'version', 'category', 'price', 'currency'];

/** One item, if the user picked it; else all. */
async function watchedItems(poll: Poll): Promise<Map<number, IDataObject>> {
	const { name, displayName } = watchedItemField;
	const picked = pickedValue(poll.parameters[name]);
	if (isBlank(picked)) return await readItemsById(poll);
	const item_id = parseId(displayName, picked);
	return new Map([[item_id, await readItem({ item_id }, poll.send)]]);
}

/** A value of an item, in whatever type and order a store writes it. */
const comparable = (value: unknown): string =>
	isRecord(value) ? JSON.stringify(Object.entries(value).sort()) : String(value);

/** The state is what is known of each item, by its ID. An item that is unknown is noted; it does not start the workflow. */
export async function updatedItems(poll: Poll): Promise<PollResult> {
	const known = mapIn(poll.state?.items);
	const next = { ...known };
	const records: IDataObject[] = [];
	for (const [id, record] of await watchedItems(poll)) {
		const before = known[id];
		const now = Object.fromEntries(COMPARED.map((name) => [name, record[name] ?? null]));
		next[id] = now;
		if (poll.isTest)
			records.push({ ...record, changed: ['version'], before: now, is_sample: true });
		if (!isRecord(before)) continue;
		const isChanged = (name: string) => comparable(now[name]) !== comparable(before[name]);
		const changed = COMPARED.filter(isChanged);
		if (changed.length > 0) records.push({ ...record, changed, before });
	}
	return { records, state: { items: next } };
}

/** The API's only sign of a sale. The state is the last balance. @throws Failure if the response has none */
export async function changedBalance(poll: Poll): Promise<PollResult> {
	const account = accountRecord(requireRecord((await poll.send(ACCOUNT)).body, 'data'));
	const balance = decimalIn(account.balance);
	if (balance === undefined) throw missingMember('balance');
	const currency = textIn(account.currency) ?? null;
	const known = poll.state?.currency === currency ? decimalIn(poll.state.balance) : undefined;
	const before = known ?? balance;
	// To the most digits that a currency has: 0.1 + 0.2 is not 0.3 to a computer.
	const change = Math.round((balance - before) * 1000) / 1000;
	const record = { balance, balance_before: before, change, currency };
	const records = change === 0 ? [] : [record];
	return {
		records: poll.isTest ? [{ ...record, is_sample: true }] : records,
		state: { balance, currency },
	};
}
