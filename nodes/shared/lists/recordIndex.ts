// Finds records of a list by their names, also by similar ones: reads page by page as names are looked up, and takes in what the
// run writes.

import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../http/service';
import { Failure, toFailure } from '../values/failure';
import { idIn } from '../values/json';
import { KnownRecords, nameKey, type NamedList } from './knownRecords';
import { LIST_START, type ListPage, pagesOf } from './listPages';

/**
 * How far a list is read for a name, and what counts. `first`: to the page with a record of that name; `all`: to the end, because a
 * namesake may follow. With both, a name that differs in case counts if no other does; with `exact`, which reads to the end, never.
 */
type Scan = 'first' | 'all' | 'exact';

/** The records of a list by their names. Each page is read once, when a name needs it, so what a run writes has to be put in. */
export class RecordIndex extends KnownRecords {
	private pages: AsyncGenerator<ListPage, void>;
	private last: ListPage | undefined;
	/** The page that is being read, for all who wait for it, or the refusal of the list: hundreds of rows may look into it. */
	private reading: Promise<boolean> | undefined;
	/** The look-ups that were sent, by name. */
	private readonly asked = new Map<string, Promise<IDataObject | undefined>>();
	/** What the service does with look-ups, as far as is known. */
	private lookUps: 'untried' | 'missed' | 'found' | 'ignored' = 'untried';

	/** @param base the address of links without a domain */
	constructor(
		list: NamedList,
		private readonly send: Send,
		private readonly base: string,
	) {
		super(list);
		this.pages = pagesOf(list.source, send);
	}

	/** Whether no page was read yet. */
	get isUnread(): boolean {
		return this.last === undefined;
	}

	/** How many pages are still to be read; Infinity before the first one, and where the service does not say. */
	get pagesLeft(): number {
		if (!this.last) return Infinity;
		const { page, next } = this.last;
		if (!next) return 0;
		const count = page.maxPage ?? (page.result ?? Infinity) / Math.max(1, page.records.length);
		return Math.max(1, Math.ceil(count) - next.page + 1);
	}

	/**
	 * Asks for the record of a name, if that takes fewer requests than to read on. A service that cannot look records up responds with
	 * page 1, which then need not be read. @param rows how many rows want a record each
	 */
	async lookUp(name: string, rows: number): Promise<IDataObject | undefined> {
		const key = this.nameOf(name);
		// The first one says for all whether the service can look records up.
		const [first] = this.asked.values();
		const asked = this.asked.get(key) ?? this.lookUpAfter(first, name, rows);
		this.asked.set(key, asked);
		void asked.catch(() => this.asked.delete(key));
		const found = await asked;
		// A row may have renamed it since.
		return this.withName(key).find(({ id }) => found && id === found.id);
	}

	private async lookUpAfter(
		first: Promise<unknown> | undefined,
		name: string,
		rows: number,
	): Promise<IDataObject | undefined> {
		await first?.catch(() => undefined);
		// `find` needs no request for a known one.
		if (this.isUnique(name) && this.withName(this.nameOf(name)).length > 0) return undefined;
		// A second look-up shows that more follow: page 1 says whether to read on takes fewer requests.
		const isRepeated = this.lookUps === 'missed' || this.lookUps === 'found';
		if (isRepeated && this.isUnread && rows > 1) await this.readNextPage();
		return this.pagesLeft <= rows ? undefined : await this.lookUpNow(name);
	}

	private async lookUpNow(name: string): Promise<IDataObject | undefined> {
		if (!this.list.lookUp || this.lookUps === 'ignored') return undefined;
		const found = await this.list.lookUp(name, this.send, this.base);
		if (found && 'record' in found) {
			this.lookUps = 'found';
			return this.put(found.record);
		}
		if (this.lookUps === 'untried') this.lookUps = 'missed';
		if (found) this.lookUps = 'ignored';
		if (found?.page && this.isUnread) {
			this.pages = pagesOf(this.list.source, this.send, LIST_START, found.page);
			await this.readNextPage();
		}
		return undefined;
	}

	/** Whether what a look-up does not find does not exist: a look-up has found something, maybe a record of page 1. */
	async findsAll(): Promise<boolean> {
		if (this.lookUps === 'found') return true;
		const names = this.known.flatMap((record) => this.list.names(record));
		const name = names.find((each) => this.isUnique(each));
		const found = name === undefined ? undefined : await this.lookUpNow(name);
		if (!found) this.lookUps = 'ignored';
		return found !== undefined;
	}

	/** @throws Failure if several have the name */
	async find(text: string, scan: Scan): Promise<IDataObject | undefined> {
		const exact = await this.all(text, scan);
		const isFound = exact.length > 0 || scan === 'exact';
		return this.singleRecord(text, isFound ? exact : this.ignoringCase(this.nameOf(text)));
	}

	/** @param rows how many rows look a name up @throws Failure unless one record has the name */
	async idOf(text: string, scan: Scan, rows = 1): Promise<number> {
		const isExact = scan === 'exact';
		// A deletion must not hit a namesake, which a look-up does not show.
		const mayLookUp = !isExact || this.isUnique(text);
		const single = mayLookUp ? await this.lookUp(text, rows) : undefined;
		const isNamed = single && (!isExact || this.withName(this.nameOf(text)).includes(single));
		const record = isNamed ? single : await this.find(text, scan);
		const id = idIn(record?.id);
		if (id !== undefined) return id;
		if (!record) throw this.noneOf(text);
		throw refused(
			`The ${this.list.what} "${text}" has no ID`,
			'It may belong to the service, so that this account cannot change it',
		);
	}

	/** That no record has a name, and what may be meant. */
	private noneOf(text: string): Failure {
		const { list } = this;
		const message = `There is no ${list.what} "${text}"`;
		const named = this.get(text);
		if (named)
			return refused(
				`${message}, but ${list.label(named)} has this ID`,
				'Enter its name, or pick it by its ID',
			);
		const [similar] = this.ignoringCase(this.nameOf(text));
		return refused(
			message,
			similar
				? `Did you mean "${list.names(similar)[0]}"? Enter it exactly as in the service`
				: 'Check its spelling; it may have been deleted, or belong to another account',
		);
	}

	async all(text: string, scan: Scan): Promise<IDataObject[]> {
		const name = this.nameOf(text);
		const isFound = (): boolean => scan === 'first' && this.withName(name).length > 0;
		while (!isFound() && (await this.readNextPage()));
		return this.withName(name);
	}

	isUnique(text: string): boolean {
		return this.list.isUnique?.(this.nameOf(text)) === true;
	}

	private nameOf(text: string): string {
		return nameKey(this.list.nameOf?.(text) ?? text);
	}

	/** @returns whether there was one @throws Failure; whoever asks next requests it again, unless the list is refused */
	async readNextPage(): Promise<boolean> {
		const reading = this.reading ?? this.loadPage();
		this.reading = reading;
		return await reading;
	}

	private async loadPage(): Promise<boolean> {
		try {
			const { value } = await this.pages.next();
			for (const entry of value?.records ?? []) this.put(this.list.recordOf?.(entry) ?? entry);
			if (value) this.last = value;
			this.reading = undefined;
			return value !== undefined;
		} catch (error) {
			const failure = toFailure(error);
			if (!failure.mayBeRefusal) this.reading = undefined;
			// An iterator ends when it throws.
			this.pages = pagesOf(this.list.source, this.send, this.last?.next);
			throw failure;
		}
	}
}

const refused = (message: string, advice: string): Failure =>
	new Failure({ kind: 'refused', message, advice });
