import type { IDataObject } from 'n8n-workflow';

import { Failure } from './failure';

export const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The deepest JSON that is accepted: n8n cannot store thousands of levels. */
const DEEPEST = 100;

/** The most members of one object: copying a million of them blocks n8n for seconds. */
const MOST_MEMBERS = 100_000;

/** Whether a value is nested too deeply, or has too many members in one object, to be sent or output. */
export function isUnwieldy(value: unknown, levels = DEEPEST): boolean {
	if (typeof value !== 'object' || value === null) return false;
	const members = Object.values(value);
	const isWide = members.length > MOST_MEMBERS && !Array.isArray(value);
	return isWide || levels === 0 || members.some((member) => isUnwieldy(member, levels - 1));
}

/** The records of a list; anything else in it is left out. */
export const recordsIn = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? value.filter(isRecord) : [];

/** A text without the blanks around it; undefined if nothing is left. */
export const textIn = (value: unknown): string | undefined =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** A whole number, also when it came as a string, as PHP services often send them; or undefined. */
export function integerIn(value: unknown): number | undefined {
	const isText = typeof value === 'string' && /^-?\d+$/.test(value.trim());
	const number = isText ? Number(value) : value;
	return Number.isSafeInteger(number) ? Number(number) : undefined;
}

/** A whole number of 0 or more; undefined if it is anything else, for instance null, or a text such as 1,234. */
export function countIn(value: unknown): number | undefined {
	const count = integerIn(value);
	return count !== undefined && count >= 0 ? count : undefined;
}

export function idIn(value: unknown): number | undefined {
	const id = integerIn(value) ?? 0;
	return id > 0 ? id : undefined;
}

/** The value in a locator. An expression or an AI model may give the bare value instead of a locator. */
export const pickedValue = (held: unknown): unknown => (isRecord(held) ? held.value : held);

/** A map; empty if it is anything else, because PHP writes an empty map as an empty list. */
export const mapIn = (value: unknown): IDataObject => (isRecord(value) ? value : {});

/** The record, with these members as numbers if they are whole numbers in strings. */
export function withIntegers(record: IDataObject, names: readonly string[]): IDataObject {
	const integers = names.flatMap((name) => {
		const integer = integerIn(record[name]);
		return integer === undefined ? [] : [[name, integer] as const];
	});
	return { ...record, ...Object.fromEntries(integers) };
}

/** A member that is a record. @throws Failure if it is not there: another service may have answered */
export function requireRecord(body: IDataObject, name: string): IDataObject {
	const record = body[name];
	if (isRecord(record)) return record;
	throw missingMember(name);
}

/** A member that is a list. @throws Failure as `requireRecord` */
export function requireList(body: IDataObject, name: string): unknown[] {
	const list: unknown = body[name];
	if (Array.isArray(list)) return list;
	throw missingMember(name);
}

/** The records. @throws Failure if none of them has an id: then nobody could tell which are new */
export function requireIds(records: IDataObject[]): IDataObject[] {
	if (records.length === 0 || records.some(({ id }) => idIn(id) !== undefined)) return records;
	throw new Failure({
		kind: 'unreadable',
		message: 'The records in the response have no readable ID',
		advice: 'An ID must be a positive whole number',
	});
}

/** The failure for a response without a member that the API document has. */
export const missingMember = (name: string): Failure =>
	new Failure({
		kind: 'unreadable',
		message: `The response has no "${name}"`,
		advice: 'Check the base URL in the credential: the address may belong to another service',
	});
