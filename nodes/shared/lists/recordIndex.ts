// Finds records of a list by their names, also by similar ones: reads page by page as names are looked up, and takes in what the
// run writes.

import type { IDataObject } from 'n8n-workflow';

import { Failure, toFailure } from '../values/failure';
import { idIn, recordsIn } from '../values/json';
import { normalized } from '../values/text';
import { ListWalk } from './listWalk';
import type { ListSource, RequestPage } from './pages';

export interface NamedList {
	source: ListSource;
	/** What messages call a record: `link`. */
	what: string;
	/** The names of a record, compared exactly, except that Unicode may compose a letter in several ways. */
	names(record: IDataObject): string[];
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

/** The records of a list by their names. Each page is read once, when a name needs it, so what a run writes has to be put in. */
export class RecordIndex {
	private readonly records = new Map<unknown, IDataObject>();
	/** The keys of the records of each name. */
	private readonly named = new Map<string, Set<unknown>>();
	/** The page that is being read, for all who wait for it. */
	private nextPage: Promise<boolean> | undefined;
	private readonly walk: ListWalk;
	/** Why the service does not show the list. */
	private refusal: Failure | undefined;

	constructor(
		private readonly list: NamedList,
		requestPage: RequestPage,
	) {
		this.walk = new ListWalk(requestPage);
	}

	/** @param toEnd whether to read on after a record is found, because a namesake may follow @param isExact no near name counts */
	async find(text: string, toEnd: boolean, isExact = false): Promise<IDataObject | undefined> {
		const found = await this.all(text, toEnd);
		const mayBeNear = found.length === 0 && !isExact && this.list.findsNear === true;
		return this.singleRecord(text, mayBeNear ? this.near(text) : found);
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

	/** Every record of that name, the oldest first. */
	async all(text: string, toEnd: boolean): Promise<IDataObject[]> {
		const name = exact(this.nameOf(text));
		while ((toEnd || this.called(name).length === 0) && (await this.readOn()));
		return this.called(name);
	}

	isUnique(text: string): boolean {
		return this.list.isUnique?.(this.nameOf(text)) === true;
	}

	/** The known records with a name that differs only in case. */
	private near(text: string): IDataObject[] {
		return this.called(nearly(this.nameOf(text)));
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
		for (const name of this.keysOf(record))
			this.named.set(name, (this.named.get(name) ?? new Set()).add(key));
	};

	remove(key: unknown): void {
		const record = this.records.get(key);
		if (!record) return;
		for (const name of this.keysOf(record)) this.named.get(name)?.delete(key);
		this.records.delete(key);
	}

	/** The lowest id first, which is the oldest. */
	private called(name: string): IDataObject[] {
		const keys = [...(this.named.get(name) ?? [])];
		const records = recordsIn(keys.map((key) => this.records.get(key)));
		return records.sort((a, b) => Number(a.id) - Number(b.id));
	}

	private nameOf(text: string): string {
		return normalized(this.list.nameOf?.(text) ?? text);
	}

	private namesOf(record: IDataObject): string[] {
		return this.list.names(record).map((name) => normalized(name));
	}

	private keysOf(record: IDataObject): string[] {
		const names = this.namesOf(record);
		return [...names.map(exact), ...names.map(nearly)];
	}

	/** Reads the next page. If it fails, whoever asks next requests it again. @returns whether there was one */
	private async readOn(): Promise<boolean> {
		this.nextPage ??= this.takePage().finally(() => {
			this.nextPage = undefined;
		});
		return await this.nextPage;
	}

	/** A list that the service refuses is not asked for again: hundreds of rows may look into it. */
	private async takePage(): Promise<boolean> {
		if (this.refusal) throw this.refusal;
		const records = await this.walk.next().catch((error: unknown) => {
			const failure = toFailure(error);
			if (failure.consequences.isRefusal) this.refusal = failure;
			throw failure;
		});
		records?.forEach(this.put);
		return records !== undefined;
	}
}

const exact = (name: string): string => `=${name}`;

const nearly = (name: string): string => `~${name.toLowerCase()}`;
