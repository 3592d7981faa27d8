// Finds records of a list by their names, also by similar ones: reads page by page as names are looked up, and takes in what the
// run writes.

import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../http/connection';
import { Failure, toFailure } from '../values/failure';
import { idIn } from '../values/json';
import { KnownRecords, type LookedUp, nameKey, type NamedList } from './knownRecords';
import { ListWalk } from './listWalk';
import { type Page, pagesOf, type RequestPage } from './pages';

interface Lookup {
	/** `all`: a namesake may follow; `first`: reading stops at the page with a record of that name. */
	scan: 'first' | 'all';
	/** Whether a name that differs only in case counts if no other does. */
	match: 'exact' | 'ignoreCase';
}

/** The records of a list by their names. Each page is read once, when a name needs it, so what a run writes has to be put in. */
export class RecordIndex extends KnownRecords {
	private nextPage: Promise<boolean> | undefined;
	private readonly walk: ListWalk;
	private lastPage: { page: Page; number: number } | undefined;
	/** The first look-up, for all who wait for it: it says whether the service can look records up. */
	private firstLookUp: Promise<unknown> | undefined;
	private lookUps = 0;
	private readonly lookedUp = new Set<string>();
	private readonly missed = new Set<string>();
	private firstPage: Page | undefined;
	private refusal: Failure | undefined;

	constructor(
		list: NamedList,
		requestPage: RequestPage,
		private lookUp?: (name: string) => Promise<LookedUp>,
	) {
		super(list);
		this.walk = new ListWalk(async (number, pageSize) => {
			const known = number === 1 ? this.firstPage : undefined;
			const page = known ?? (await requestPage(number, pageSize));
			this.lastPage = { page, number };
			return page;
		});
	}

	/** Whether no page was read yet. */
	get isUnread(): boolean {
		return this.lastPage === undefined;
	}

	/** How many pages are still to be read; Infinity before the first one, and where the service does not say. */
	get pagesLeft(): number {
		if (this.walk.isDone) return 0;
		if (!this.lastPage) return Infinity;
		const { page, number } = this.lastPage;
		const last = page.maxPage ?? (page.result ?? Infinity) / Math.max(1, page.records.length);
		return Math.max(1, Math.ceil(last) - number);
	}

	/**
	 * Asks for the record of the first of these names that has one, if that takes fewer requests than to read on. A service that cannot
	 * look records up responds with page 1, which then need not be read. @param rows how many rows want a record each
	 */
	async lookUpFirst(names: readonly string[], rows: number): Promise<IDataObject | undefined> {
		for (const name of names) {
			const first = this.firstLookUp ?? Promise.resolve();
			const found = first.then(async () => await this.lookUpNext(name, rows));
			this.firstLookUp ??= found.catch(() => undefined);
			const record = await found;
			if (record) return record;
		}
		return undefined;
	}

	private async lookUpNext(name: string, rows: number): Promise<IDataObject | undefined> {
		const [known] = this.withName(this.nameOf(name));
		if (known && this.lookedUp.has(this.nameOf(name))) return known;
		// `find` needs no request for a known one.
		const isFindable = known && this.isUnique(name);
		if (isFindable || !this.lookUp || this.missed.has(name)) return undefined;
		if (await this.isListShort(rows)) return undefined;
		return await this.lookUpNow(name, this.lookUp);
	}

	/** Whether reading on takes no more requests than look-ups. A second look-up shows that more follow: then page 1 says it. */
	private async isListShort(rows: number): Promise<boolean> {
		if (this.isUnread && this.lookUps > 0 && rows > 1) await this.readNextPage();
		return this.pagesLeft <= rows;
	}

	private async lookUpNow(
		name: string,
		lookUp: (name: string) => Promise<LookedUp>,
	): Promise<IDataObject | undefined> {
		this.lookUps += 1;
		const found = await lookUp(name);
		if (!found) {
			this.missed.add(name);
			return undefined;
		}
		if ('record' in found) {
			this.lookedUp.add(this.nameOf(name));
			return this.put(found.record);
		}
		this.lookUp = undefined;
		if (!found.page) return undefined;
		this.firstPage = found.page;
		await this.readNextPage();
		return undefined;
	}

	/** Whether what a look-up does not find does not exist: a look-up has found something, maybe a record of page 1. */
	async findsAll(): Promise<boolean> {
		if (this.lookedUp.size > 0 || !this.lookUp) return this.lookedUp.size > 0;
		const names = this.known.flatMap((record) => this.list.names(record));
		const name = names.find((each) => this.isUnique(each));
		const found = name === undefined ? undefined : await this.lookUp(name);
		if (name === undefined || !found || !('record' in found)) {
			this.lookUp = undefined;
			return false;
		}
		this.lookedUp.add(name);
		return true;
	}

	/** @throws Failure if several have the name */
	async find(text: string, { scan, match }: Lookup): Promise<IDataObject | undefined> {
		const exact = await this.all(text, scan);
		const isFound = exact.length > 0 || match === 'exact';
		return this.singleRecord(text, isFound ? exact : this.ignoringCase(this.nameOf(text)));
	}

	/** @param rows how many rows look a name up @throws Failure unless one record has the name */
	async idOf(text: string, lookup: Lookup, rows = 1): Promise<number> {
		const isExact = lookup.match === 'exact';
		// A deletion must not hit a namesake, which a look-up does not show.
		const forms = isExact && !this.isUnique(text) ? [] : [text];
		const single = await this.lookUpFirst(forms, rows);
		const isNamed = single && (!isExact || this.withName(this.nameOf(text)).includes(single));
		const record = isNamed ? single : await this.find(text, lookup);
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
		const [similar] = this.ignoringCase(this.nameOf(text));
		if (named)
			return refused(
				`${message}, but ${list.label(named)} has this ID`,
				'Enter its name, or pick it by its ID',
			);
		const advice = similar
			? `Did you mean "${list.names(similar)[0]}"? Enter it exactly as in the service`
			: 'Check its spelling; it may have been deleted, or belong to another account';
		return refused(message, advice);
	}

	async all(text: string, scan: Lookup['scan']): Promise<IDataObject[]> {
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

	/** @returns whether there was one @throws Failure; whoever asks next requests it again */
	async readNextPage(): Promise<boolean> {
		this.nextPage ??= this.loadPage().finally(() => {
			this.nextPage = undefined;
		});
		return await this.nextPage;
	}

	/** A list that the service refuses is not asked for again: hundreds of rows may look into it. */
	private async loadPage(): Promise<boolean> {
		if (this.refusal) throw this.refusal;
		const records = await this.walk.next().catch((error: unknown) => {
			const failure = toFailure(error);
			if (failure.mayBeRefusal) this.refusal = failure;
			throw failure;
		});
		for (const entry of records ?? []) this.put(this.list.recordOf?.(entry) ?? entry);
		return records !== undefined;
	}
}

const refused = (message: string, advice: string): Failure =>
	new Failure({ kind: 'refused', message, advice });

/** The index of a list of the service, whose records can be looked up where the service knows how. */
export const recordIndexOf = (list: NamedList, send: Send, base: string): RecordIndex =>
	new RecordIndex(
		list,
		pagesOf(list.source, send),
		list.lookUp && (async (name) => await list.lookUp?.(name, send, base)),
	);
