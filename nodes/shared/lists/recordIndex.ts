// Finds records of a list by their names: reads page by page as names are looked up, and takes in what the run writes.

import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../http/service';
import { type Failure, toFailure } from '../values/failure';
import { idIn } from '../values/json';
import { LIST_START, type ListPage, pagesBehind, pagesOf } from './listPages';
import { type NamedList, noRecord, refused, singleRecord } from './namedList';

/**
 * How far a list is read for a name, and what counts. `first`: to the page with a record of that name; `all`: to the end, because a
 * namesake may follow. With both, a name that differs in case counts if no other does; with `exact`, which reads to the end, never.
 */
type Scan = 'first' | 'all' | 'exact';

interface Entry {
	record: IDataObject;
	names: readonly string[];
}

/** The records of a list by their names. Each page is read once, when a name needs it, so what a run writes has to be put in. */
export class RecordIndex {
	private readonly entries = new Map<unknown, Entry>();
	/** The keys of the entries with a name, by the name in lower case. */
	private readonly byName = new Map<string, Set<unknown>>();
	private pages: AsyncGenerator<ListPage, void>;
	private last: ListPage | undefined;
	/** Hundreds of rows may look into a list that is refused. */
	private refusal: Failure | undefined;
	/** Whether the service can look records up, once that is known. */
	private canLookUp: boolean | undefined;
	/** Rows that are read at the same time take turns, so that none asks for what another one gets. */
	private turn: Promise<unknown> = Promise.resolve();
	/** The id of what was looked up, by name. */
	private readonly answers = new Map<string, unknown>();

	constructor(
		private readonly list: NamedList,
		private readonly send: Send,
		private readonly base: string,
	) {
		this.pages = pagesOf(list.source, send);
	}

	get known(): IDataObject[] {
		return [...this.entries.values()].map(({ record }) => record);
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
		const names = this.list.names(record);
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

	/** The known records of a name, in the form that `names` gives, the oldest first; in whatever case, if none is spelled so. */
	named(name: string, isExact = false): IDataObject[] {
		const found = [...this.keysOf(name)].flatMap((key) => this.entries.get(key) ?? []);
		const exact = found.filter(({ names }) => names.includes(name));
		const wanted = exact.length > 0 || isExact ? exact : found;
		return wanted.map(({ record }) => record).sort((a, b) => Number(a.id) - Number(b.id));
	}

	/** The same, with what more of the list has to be read. */
	async all(text: string, scan: Scan): Promise<IDataObject[]> {
		const name = this.list.nameOf(text);
		const isFound = (): boolean => scan === 'first' && this.named(name, true).length > 0;
		while (!isFound() && (await this.readNextPage()));
		return this.named(name, scan === 'exact');
	}

	/** @param rows how many rows look a name up @throws Failure unless one record has the name */
	async idOf(text: string, scan: Scan, rows = 1): Promise<number> {
		const id = this.turn.then(async () => await this.findId(text, scan, rows));
		this.turn = id.catch(() => undefined);
		return await id;
	}

	private async findId(text: string, scan: Scan, rows: number): Promise<number> {
		// A deletion must not hit a namesake, which a look-up does not show.
		const mayLookUp = scan !== 'exact' || this.isUnique(text);
		const found = mayLookUp ? await this.lookUp(text, rows) : undefined;
		const record = found ?? singleRecord(this.list, text, await this.all(text, scan));
		const id = idIn(record?.id);
		if (id !== undefined) return id;
		const [similar] = this.named(this.list.nameOf(text));
		if (!record) throw noRecord(this.list, text, this.get(text), similar);
		throw refused(
			`The ${this.list.what} "${text}" has no ID`,
			'It may belong to the service, so that this account cannot change it',
		);
	}

	isUnique(text: string): boolean {
		return this.list.isUnique?.(text) === true;
	}

	get isUnread(): boolean {
		return this.last === undefined;
	}

	/** How many pages are still to be read; Infinity before the first one, and where the service does not say. */
	get pagesLeft(): number {
		return this.last ? pagesBehind(this.last) : Infinity;
	}

	/**
	 * Asks for the record of a name, if that takes fewer requests than to read on. A service that cannot look records up responds with
	 * page 1, which then need not be read. @param rows how many rows want a record each
	 */
	async lookUp(text: string, rows: number): Promise<IDataObject | undefined> {
		const name = this.list.nameOf(text);
		const known = this.named(name, true);
		// A row may have renamed it since.
		if (this.answers.has(name)) return known.find(({ id }) => id === this.answers.get(name));
		if (known.length > 0 && this.isUnique(text)) return undefined;
		// A second look-up shows that more follow: page 1 says whether to read on takes fewer requests.
		const isRepeated = this.answers.size > 0 && this.canLookUp !== false;
		if (isRepeated && this.isUnread && rows > 1) await this.readNextPage();
		if (this.pagesLeft <= rows) return undefined;
		const found = await this.lookUpNow(text);
		this.answers.set(name, found?.id);
		return found;
	}

	async lookUpNow(text: string): Promise<IDataObject | undefined> {
		if (!this.list.lookUp || this.canLookUp === false) return undefined;
		const found = await this.list.lookUp(text, this.send, this.base);
		if (!found) return undefined;
		this.canLookUp = 'record' in found;
		if ('record' in found) return this.put(found.record);
		if (found.page && this.isUnread) {
			this.pages = pagesOf(this.list.source, this.send, LIST_START, found.page);
			await this.readNextPage();
		}
		return undefined;
	}

	/** Whether what a look-up does not find does not exist: a look-up has found something, maybe a record of page 1. */
	async findsAll(): Promise<boolean> {
		if (this.canLookUp === true) return true;
		const name = this.known.flatMap(this.list.names).find((each) => this.isUnique(each));
		if (name !== undefined) await this.lookUpNow(name);
		this.canLookUp ??= false;
		return this.canLookUp;
	}

	/** @returns whether there was one @throws Failure; whoever asks next requests it again, unless the list is refused */
	async readNextPage(): Promise<boolean> {
		if (this.refusal) throw this.refusal;
		const { value } = await this.pages.next().catch((error: unknown) => this.failed(error));
		if (!value) return false;
		for (const entry of value.records) this.put(this.list.recordOf?.(entry) ?? entry);
		this.last = value;
		return true;
	}

	private failed(error: unknown): never {
		const failure = toFailure(error);
		if (failure.mayBeRefusal) this.refusal = failure;
		// An iterator ends when it throws.
		this.pages = pagesOf(this.list.source, this.send, this.last?.next);
		throw failure;
	}
}
