// Reads values of unknown type, from responses, stored states and parameters: `…In` gives undefined for anything else, or an
// empty list or map; `require…` throws. Also gives members their documented types.

import type { IDataObject } from 'n8n-workflow';

import { Failure } from './failure';

export const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const recordsIn = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? value.filter(isRecord) : [];

export const textIn = (value: unknown): string | undefined =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** The texts among values. A service may write a name of digits as a number. */
export const textsIn = (...names: unknown[]): string[] =>
	names.flatMap((name) => textIn(typeof name === 'number' ? String(name) : name) ?? []);

/** A whole number, also if it came as a string, as PHP services often send them. */
export function integerIn(value: unknown): number | undefined {
	const isText = typeof value === 'string' && /^-?\d+$/.test(value.trim());
	const number = isText ? Number(value) : value;
	return Number.isSafeInteger(number) ? Number(number) : undefined;
}

export function countIn(value: unknown): number | undefined {
	const count = integerIn(value) ?? -1;
	return count >= 0 ? count : undefined;
}

export function idIn(value: unknown): number | undefined {
	const id = integerIn(value) ?? 0;
	return id > 0 ? id : undefined;
}

/** The value in a locator. An expression or an AI model may give the bare value instead of a locator. */
export const pickedValue = (held: unknown): unknown => (isRecord(held) ? held.value : held);

/** A map; empty if it is anything else, because PHP writes an empty map as an empty list. */
export const mapIn = (value: unknown): IDataObject => (isRecord(value) ? value : {});

export const without = (record: IDataObject, ...names: string[]): IDataObject =>
	Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** A plain decimal, also if it came as a string such as `"49.00"`; one with more digits than a number holds is none. */
export function decimalIn(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	const isDecimal = typeof value === 'string' && /^-?\d{1,12}(\.\d{1,3})?$/.test(value);
	return isDecimal ? Number(value) : undefined;
}

/** True or false, also as 1 or 0, or as a string of one of these. */
export function booleanIn(value: unknown): boolean | undefined {
	if ([true, 1, '1', 'true'].some((form) => form === value)) return true;
	return [false, 0, '0', 'false'].some((form) => form === value) ? false : undefined;
}

/** By the name of a member, how it is read if it came in another type than documented. */
type Types = Readonly<Record<string, (value: unknown) => IDataObject[string] | undefined>>;

/** The record with these members in their documented types; what cannot be read stays as it is. */
export function withTypes(record: IDataObject, types: Types): IDataObject {
	const present = Object.entries(types).filter(([name]) => name in record);
	const typed = present.map(([name, read]) => [name, read(record[name]) ?? record[name]] as const);
	return { ...record, ...Object.fromEntries(typed) };
}

/** @throws Failure if the response does not have it: another service may have answered */
export function requireRecord(body: IDataObject, name: string): IDataObject {
	const record = body[name];
	if (isRecord(record)) return record;
	throw missingMember(name);
}

/** @throws Failure if none of the records has an id: then nobody could tell which are new */
export function requireIds(records: IDataObject[]): IDataObject[] {
	if (records.length === 0 || records.some(({ id }) => idIn(id) !== undefined)) return records;
	throw new Failure({
		kind: 'unreadable',
		message: 'The records in the response have no readable ID',
		advice: 'An ID must be a positive whole number',
	});
}

export const missingMember = (name: string): Failure =>
	new Failure({
		kind: 'unreadable',
		message: `The response has no "${name}"`,
		advice: 'Check the base URL in the credential: the address may belong to another service',
	});
