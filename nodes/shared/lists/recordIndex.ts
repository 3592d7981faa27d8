// Finds records of a list by their names, also by similar ones: reads page by page as names are looked up, adds what the run
// writes, .

import type { IDataObject } from 'n8n-workflow';

import { Failure, isOutOfTime, toFailure } from '../values/failure';
import { idIn } from '../values/json';
import { normalized } from '../values/text';
import { ListWalk } from './listWalk';
import type { ListSource, RequestPage } from './pages';

export interface NamedList {
	source: ListSource;
	/** What messages call a record: `link`. */
	what: string;
	/** The names of a record, compared exactly, except that Unicode may compose a letter in several ways. */
	names(record: IDataObject): string[];
	/** What people enter by mistake instead of a name; suggested, never matched. */
	mistakenFor?(record: IDataObject): string[];
	/** A form that near names share. Default: lower case. */
	nearName?(name: string): string;
	/** Whether a record is also found by a near name that no other has. */
	findsNear?: boolean;
	/** What fields call the mode in which a name is entered. Default: `By Name`. */
	nameMode?: string;
	/** A text that was entered, in the form that `names` gives. */
	nameOf?(text: string): string;
	/** Whether only one record can have that name. */
	isUnique?(name: string): boolean;
	label(record: IDataObject): string;
}

/** So often a run asks for a page of a list that is refused. */
const MAX_FAILURES = 3;

/** Records by names that several may share. */
class NameTable {
	private readonly recordsOf = new Map<string, Map<unknown, IDataObject>>();

	/** @param key of the record in its index */
	add(name: string, key: unknown, record: IDataObject): void {
		const namesakes = this.recordsOf.get(name) ?? new Map<unknown, IDataObject>();
		this.recordsOf.set(name, namesakes.set(key, record));
	}

	delete(name: string, key: unknown): void {
		this.recordsOf.get(name)?.delete(key);
	}

	has(name: string): boolean {
		return (this.recordsOf.get(name)?.size ?? 0) > 0;
	}

	/** The lowest id first, which is the oldest. */
	get(name: string): IDataObject[] {
		const records = [...(this.recordsOf.get(name)?.values() ?? [])];
		return records.sort((a, b) => Number(a.id) - Number(b.id));
	}
}

/** The records of a list by their names. Each page is read once, when a name needs it, so what a run writes has to be put in. */
export class RecordIndex {
	private readonly records = new Map<unknown, IDataObject>();
	private readonly byName = new NameTable();
	/** By near names, and by what is entered by mistake; filled when the first name is not found. */
	private byNearName: NameTable | undefined;
	/** The page that is being read, for all who wait for it. */
	private nextPage: Promise<boolean> | undefined;
	private walk: ListWalk;
	/** Whether this is the second walk. */
	private isReread = false;
	/** Why the next page could not be read, each time. */
	private failures: Failure[] = [];

	constructor(
		private readonly list: NamedList,
		private readonly requestPage: RequestPage,
	) {
		this.walk = this.newWalk();
	}

	/**
	 * @param toEnd whether to read on after a record is found, because a namesake may follow
	 * @param isExact whether a near name does not count
	 */
	async find(text: string, toEnd: boolean, isExact = false): Promise<IDataObject | undefined> {
		const found = await this.all(text, toEnd);
		const mayBeNear = found.length === 0 && !isExact && this.list.findsNear === true;
		return this.singleRecord(text, mayBeNear ? this.namedNear(text) : found);
	}

	singleRecord(text: string, records: readonly IDataObject[]): IDataObject | undefined {
		if (records.length < 2) return records[0];
		const labels = records
			.slice(0, 5)
			.map((record) => `${this.list.label(record)} (ID ${idIn(record.id)})`);
		const examples = `${labels.join(', ')}${records.length > 5 ? ', …' : ''}`;
		throw new Failure({
			kind: 'refused',
			message: `${records.length} ${this.list.what}s are called "${text}": ${examples}`,
			advice: 'Use the ID. For a link, use the short URL, or enter its domain',
		});
	}

	/** @throws Failure unless one record has the name */
	async idOf(text: string, toEnd: boolean, isExact = false): Promise<number> {
		const id = idIn((await this.find(text, toEnd, isExact))?.id);
		if (id !== undefined) return id;
		const [near] = this.near(text);
		throw new Failure({
			kind: 'refused',
			message: `There is no ${this.list.what} "${text}"`,
			advice: near
				? `Did you mean "${this.list.names(near).at(-1)}"? Enter it exactly as in the service`
				: 'Check its spelling; it may have been deleted, or belong to another account',
		});
	}

	/** The records that have a near name themselves. */
	private namedNear(text: string): IDataObject[] {
		const wanted = this.nearName(this.nameOf(text));
		return this.near(text).filter((record) =>
			this.namesOf(record).some((name) => this.nearName(name) === wanted),
		);
	}

	/** Every record of that name, the oldest first. */
	async all(text: string, toEnd: boolean): Promise<IDataObject[]> {
		const name = this.nameOf(text);
		while ((toEnd || !this.byName.has(name)) && (await this.readOn()));
		return this.byName.get(name);
	}

	isUnique(text: string): boolean {
		return this.list.isUnique?.(this.nameOf(text)) === true;
	}

	/** The known records that were probably meant: with a near name, or often called so by mistake. */
	near(text: string): IDataObject[] {
		if (!this.byNearName) {
			this.byNearName = new NameTable();
			for (const [key, record] of this.records) this.addNear(key, record);
		}
		return this.byNearName.get(this.nearName(this.nameOf(text)));
	}

	get(id: unknown): IDataObject | undefined {
		return this.records.get(idIn(id));
	}

	/** Adds a record, or updates the known one. A record without a name is ignored. */
	readonly put = (changes: IDataObject): void => {
		const known = Object.entries(changes).filter(
			([, value]) => value !== undefined && value !== null,
		);
		const record = { ...this.get(changes.id), ...Object.fromEntries(known) };
		const names = this.namesOf(record);
		if (names.length === 0) return;
		// A service may not say the id of a new record. Until the list has it, its names stand for it.
		const keyWithoutId = names.join(' ');
		const key = idIn(record.id) ?? keyWithoutId;
		this.remove(keyWithoutId);
		this.remove(key);
		this.records.set(key, record);
		for (const name of names) this.byName.add(name, key, record);
		this.addNear(key, record);
	};

	remove(key: unknown): void {
		const record = this.records.get(key);
		if (!record) return;
		for (const name of this.namesOf(record)) this.byName.delete(name, key);
		const { byNearName } = this;
		if (byNearName) for (const name of this.nearNamesOf(record)) byNearName.delete(name, key);
		this.records.delete(key);
	}

	private nameOf(text: string): string {
		return normalized(this.list.nameOf?.(text) ?? text);
	}

	private namesOf(record: IDataObject): string[] {
		return this.list.names(record).map((name) => normalized(name));
	}

	private addNear(key: unknown, record: IDataObject): void {
		const { byNearName } = this;
		if (byNearName) for (const name of this.nearNamesOf(record)) byNearName.add(name, key, record);
	}

	private nearName(name: string): string {
		return this.list.nearName?.(name) ?? name.toLowerCase();
	}

	private nearNamesOf(record: IDataObject): string[] {
		const names = [...this.namesOf(record), ...(this.list.mistakenFor?.(record) ?? [])];
		return names.map((name) => this.nearName(name));
	}

	/** Reads the next page. If it fails, whoever asks next requests it again. @returns whether there was one */
	private async readOn(): Promise<boolean> {
		this.nextPage ??= this.takePage().finally(() => {
			this.nextPage = undefined;
		});
		return await this.nextPage;
	}

	private async takePage(): Promise<boolean> {
		const records = await this.nextRecords();
		if (records) {
			records.forEach(this.put);
			return true;
		}
		// Deletions between two pages move records to pages that were read before, so the list is read again, once.
		if (!this.walk.hasShrunk || this.isReread) return false;
		this.isReread = true;
		this.walk = this.newWalk();
		return await this.takePage();
	}

	/** A list that was refused several times fails at once, so that hundreds of rows do not ask for it again. */
	private async nextRecords(): Promise<IDataObject[] | undefined> {
		const last = this.failures.at(-1);
		if (last && this.failures.length >= MAX_FAILURES) throw last;
		try {
			const records = await this.walk.next();
			this.failures = [];
			return records;
		} catch (error) {
			const failure = toFailure(error);
			// The run ends by itself when the service is down, and the time of one row is not that of the others.
			if (!failure.consequences.sentAgain && !isOutOfTime(failure)) this.failures.push(failure);
			throw failure;
		}
	}

	private newWalk(): ListWalk {
		return new ListWalk(this.requestPage);
	}
}
