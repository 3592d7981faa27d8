import { booleanIn, integerIn, isRecord } from '../../shared/values/json';
import { looksBlank } from '../../shared/values/input';
import { epochMs, momentIn } from '../../shared/values/moment';

// Members of an item as texts that are the same for each form of a value: services write 49, "49" or "49.00".

/** What the members of an item mean; other members hold any values. */
const COMPARABLE: Readonly<Record<string, (value: unknown) => string>> = {
	media: (value) => comparable(withoutQueries(value)),
	published_at: (value) => comparable(instantIn(value) ?? value),
	// 1.10 is another version than 1.1.
	version: (value) => JSON.stringify(looksBlank(value) ? null : String(value).trim()),
};

export const comparableMember = (name: string, value: unknown): string =>
	(COMPARABLE[name] ?? comparable)(value);

/** A value as a text, whatever its form, and the order of its members and entries. What is blank is left out. */
function comparable(value: unknown): string {
	if (Array.isArray(value)) return comparableList(value.map(comparable));
	if (!isRecord(value)) return JSON.stringify(looksBlank(value) ? null : comparableText(value));
	return comparableList(
		Object.entries(value)
			.map(([name, member]) => [JSON.stringify(name), comparable(member)])
			.filter(([, member]) => member !== NOTHING)
			.map((entry) => entry.join(':')),
	);
}

const NOTHING = JSON.stringify(null);

const comparableList = (texts: string[]): string => {
	const present = texts.filter((text) => text !== NOTHING);
	return present.length === 0 ? NOTHING : `[${present.toSorted().join()}]`;
};

/** A number without zeros that say nothing; 1 and 0 also for true and false. */
function comparableText(value: unknown): string {
	const is = booleanIn(value);
	if (is !== undefined) return is ? '1' : '0';
	const text = String(value).trim();
	return /^-?(0|[1-9]\d{0,11})(\.\d{1,6})?$/.test(text) ? String(Number(text)) : text;
}

/** Epoch milliseconds of a date in any form. */
function instantIn(value: unknown): number | undefined {
	const epoch = integerIn(value);
	return epoch === undefined ? momentIn(value) : epochMs(epoch);
}

/** Media without the queries of their addresses, which often hold a signature that expires. */
function withoutQueries(value: unknown): unknown {
	if (typeof value === 'string') return value.split(/[?#]/, 1)[0];
	if (Array.isArray(value)) return value.map(withoutQueries);
	if (!isRecord(value)) return value;
	const members = Object.entries(value).map(([name, member]) => [name, withoutQueries(member)]);
	return Object.fromEntries(members);
}
