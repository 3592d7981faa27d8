// The known records of a list by their names.

import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../http/service';
import { Failure } from '../values/failure';
import { idIn } from '../values/json';
import { normalized, visibleText } from '../values/text';
import type { ListSource, Page } from './pages';

/**
 * What a service responds to a request for one record: the record; if it cannot look one up, maybe page 1 of the list; undefined if it
 * has no such record.
 */
export type LookedUp = { record: IDataObject } | { page?: Page } | undefined;

export interface NamedList {
	source: ListSource;
	/** What messages call a record: `link`. */
	what: string;
	recordOf?(entry: IDataObject): IDataObject;
	/** The names of a record, compared as `nameKey` gives them. */
	names(record: IDataObject): string[];
	/** What fields call the mode in which a name is entered. Default: `By Name`. */
	nameMode?: string;
	/** A text that was entered, in the form that `names` gives. */
	nameOf?(text: string): string;
	isUnique?(name: string): boolean;
	label(record: IDataObject): string;
	/** Asks for the record of one name, in a way that costs no request where the service ignores it. */
	lookUp?: (name: string, send: Send, base: string) => Promise<LookedUp>;
}

/** A name in the form in which names are compared: browsers show several spaces as one. */
export const nameKey = (name: string): string => normalized(visibleText(name).replace(/\s+/g, ' '));

interface Entry {
	record: IDataObject;
	names: readonly string[];
}

export class KnownRecords {
	private readonly entries = new Map<unknown, Entry>();
	/** The keys of the entries with a name, by the name in lower case. */
	private readonly byName = new Map<string, Set<unknown>>();

	constructor(protected readonly list: NamedList) {}

	get known(): IDataObject[] {
		return [...this.entries.values()].map(({ record }) => record);
	}

	/** @throws Failure if there are several */
	singleRecord(text: string, records: readonly IDataObject[]): IDataObject | undefined {
		if (records.length < 2) return records[0];
		const labels = records
			.slice(0, 5)
			.map((record) => `${this.list.label(record)} (ID ${idIn(record.id)})`);
		const examples = `${labels.join(', ')}${records.length > 5 ? ', …' : ''}`;
		throw new Failure({
			kind: 'refused',
			message: `${records.length} ${this.list.what}s are called "${text}": ${examples}`,
			advice: this.list.isUnique
				? 'Pick it by its ID or its short URL, or enter its domain'
				: 'Pick it by its ID, or rename the others in the service',
		});
	}

	get(id: unknown): IDataObject | undefined {
		return this.entries.get(idIn(id))?.record;
	}

	/** Adds a record, or updates the known one. A record without a name is ignored. */
	readonly put = (changes: IDataObject): IDataObject => {
		const known = this.get(changes.id) ?? {};
		// A member that is null in one response may have a value in another.
		const said = Object.entries(changes).filter(
			([name, value]) => value !== undefined && (value !== null || !(name in known)),
		);
		const record = { ...known, ...Object.fromEntries(said) };
		const names = this.list.names(record).map((name) => nameKey(name));
		if (names.length === 0) return record;
		// A service may not say the id of a new record. Until the list has it, its names stand for it.
		const keyWithoutId = names.join(' ');
		const key = idIn(record.id) ?? keyWithoutId;
		this.remove(keyWithoutId);
		this.remove(key);
		this.entries.set(key, { record, names });
		for (const name of names) this.keysOf(name).add(key);
		return record;
	};

	remove(key: unknown): void {
		for (const name of this.entries.get(key)?.names ?? []) this.keysOf(name).delete(key);
		this.entries.delete(key);
	}

	private keysOf(name: string): Set<unknown> {
		const keys = this.byName.get(name.toLowerCase()) ?? new Set();
		this.byName.set(name.toLowerCase(), keys);
		return keys;
	}

	withName(name: string): IDataObject[] {
		return this.ignoringCase(name, (entry) => entry.names.includes(name));
	}

	/** The lowest id first, which is the oldest. */
	protected ignoringCase(
		name: string,
		accepts: (entry: Entry) => boolean = () => true,
	): IDataObject[] {
		const found = [...this.keysOf(name)].flatMap((key) => this.entries.get(key) ?? []);
		const records = found.filter(accepts).map(({ record }) => record);
		return records.sort((a, b) => Number(a.id) - Number(b.id));
	}
}
