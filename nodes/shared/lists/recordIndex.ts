import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../values/failure';
import { idIn } from '../values/json';
import type { ListSource, RequestPage } from './pages';
import { LARGEST_PAGE, walkPages } from './pages';

/** A list whose records people know by a name. */
export interface NamedList {
	source: ListSource;
	/** What a record is called: `link`, as in `There is no link "spring"`. */
	what: string;
	/** The names of a record; compared letter for letter. */
	names(record: IDataObject): string[];
	/** What else people enter for a name; suggested, never matched. */
	mistakenFor?(record: IDataObject): string[];
	/** A text that was entered, in the form that `names` gives. */
	nameOf?(text: string): string;
	/** Whether only one record can have that name. */
	isUnique?(name: string): boolean;
	/** Tells a record from its namesakes, in a message. */
	label(record: IDataObject): string;
}

/**
 * The records of a list by their names. The list is read page by page when a name is looked up, and only once, whatever the
 * number of names. What the same run writes has to be put in, because the page that it is on may have been read before.
 */
export class RecordIndex {
	private readonly records = new Map<unknown, IDataObject>();
	private readonly byName = new Map<string, Map<unknown, IDataObject>>();
	private readonly pages: AsyncGenerator<IDataObject[]>;
	/** The page that is being read, for all who wait for it. If it failed, every further lookup fails the same way. */
	private reading: Promise<boolean> | undefined;
	/** The last page with records, and the id that was read last. */
	private lastPage = 1;
	private lastId: number | undefined;
	/** The ways that ids ran from one record to the next. */
	private readonly order = new Set<'newestFirst' | 'oldestFirst'>();

	/** @param first the page to begin with, if pages before it were read earlier */
	constructor(
		private readonly list: NamedList,
		private readonly requestPage: RequestPage,
		first = 1,
	) {
		this.pages = this.walk(first);
	}

	/**
	 * The record of that name; undefined if there is none.
	 * @param toEnd whether to read the whole list even if a record is found, because a namesake may follow
	 * @throws Failure if there are several, or the list cannot be read
	 */
	async find(text: string, toEnd: boolean): Promise<IDataObject | undefined> {
		return this.only(text, await this.all(text, toEnd));
	}

	/** The only one of the records of a name. @throws Failure if there are several */
	only(text: string, records: readonly IDataObject[]): IDataObject | undefined {
		if (records.length > 1) throw this.severalFailure(text, records);
		return records[0];
	}

	/**
	 * The id of the record of that name.
	 * @throws Failure the same, and if there is none
	 */
	async idOf(text: string, toEnd: boolean): Promise<number> {
		const found = await this.find(text, toEnd);
		const id = idIn(found?.id);
		if (id !== undefined) return id;
		throw this.missingFailure(text);
	}

	/** Every record of that name, the lowest id first, which is the oldest. */
	async all(text: string, toEnd: boolean): Promise<IDataObject[]> {
		const name = this.nameOf(text);
		while ((toEnd || this.known(name).length === 0) && (await this.readOn()));
		return this.known(name);
	}

	/** Whether no two records can have that name. */
	isUnique(text: string): boolean {
		return this.list.isUnique?.(this.nameOf(text)) === true;
	}

	/**
	 * Reads what was added since the list was read to its end. In a list in the order of creation that is at its newer end, as
	 * far as a record that was known before; any other list is read again.
	 */
	async readNew(): Promise<void> {
		const [order, otherOrder] = this.order;
		const isOrdered = order !== undefined && otherOrder === undefined;
		const first = isOrdered && order === 'oldestFirst' ? this.lastPage : 1;
		let isEmpty = true;
		for await (const records of this.walk(first)) {
			isEmpty = false;
			const meetsKnown = records.some(({ id }) => this.get(id) !== undefined);
			records.forEach(this.put);
			if (isOrdered && order === 'newestFirst' && meetsKnown) return;
		}
		// Deletions may have moved the end of the list to an earlier page.
		if (isEmpty && first > 1) for await (const records of this.walk(1)) records.forEach(this.put);
	}

	/** A record whose name is of another case, or that is known by what was entered. */
	nearest(text: string): IDataObject | undefined {
		const wanted = this.nameOf(text).toLowerCase();
		return [...this.records.values()].find((record) =>
			[...this.list.names(record), ...(this.list.mistakenFor?.(record) ?? [])].some(
				(name) => name.toLowerCase() === wanted,
			),
		);
	}

	/** What is known of the record with an id. */
	get(id: unknown): IDataObject | undefined {
		return this.records.get(idIn(id));
	}

	/** Adds a record, or what is new of it. Without a name nothing changes. */
	readonly put = (given: IDataObject): void => {
		const news = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
		const record = { ...this.get(given.id), ...Object.fromEntries(news) };
		const names = this.list.names(record);
		if (names.length === 0) return;
		// A service may not say the id of a new record. Until the list has it, its names stand for it.
		const unnumbered = names.join(' ');
		const key = idIn(record.id) ?? unnumbered;
		this.remove(unnumbered);
		this.remove(key);
		this.records.set(key, record);
		for (const name of names) {
			const namesakes = this.byName.get(name) ?? new Map<unknown, IDataObject>();
			this.byName.set(name, namesakes.set(key, record));
		}
	};

	remove(key: unknown): void {
		for (const name of this.list.names(this.records.get(key) ?? {})) {
			this.byName.get(name)?.delete(key);
		}
		this.records.delete(key);
	}

	private nameOf(text: string): string {
		return this.list.nameOf?.(text) ?? text;
	}

	private known(name: string): IDataObject[] {
		const namesakes = [...(this.byName.get(name)?.values() ?? [])];
		return namesakes.sort((a, b) => Number(a.id) - Number(b.id));
	}

	private async readOn(): Promise<boolean> {
		this.reading ??= this.takePage().then((isPage) => {
			this.reading = undefined;
			return isPage;
		});
		return await this.reading;
	}

	/** @returns whether there was another page */
	private async takePage(): Promise<boolean> {
		const next = await this.pages.next();
		if (next.done === true) return false;
		for (const record of next.value) {
			const id = idIn(record.id);
			if (id !== undefined && this.lastId !== undefined)
				this.order.add(id < this.lastId ? 'newestFirst' : 'oldestFirst');
			this.lastId = id ?? this.lastId;
			this.put(record);
		}
		return true;
	}

	private walk(first: number): AsyncGenerator<IDataObject[]> {
		const requestPage: RequestPage = async (number, limit) => {
			const page = await this.requestPage(number, limit);
			if (page.records.length > 0) this.lastPage = Math.max(this.lastPage, number);
			return page;
		};
		return walkPages(requestPage, LARGEST_PAGE, first);
	}

	private missingFailure(text: string): Failure {
		const near = this.nearest(text);
		return new Failure({
			kind: 'refused',
			message: `There is no ${this.list.what} "${text}"`,
			advice: near
				? `Did you mean "${this.list.names(near).at(-1)}"? Enter it exactly as in the service`
				: 'Check its spelling; it may have been deleted, or belong to another account',
		});
	}

	private severalFailure(text: string, found: readonly IDataObject[]): Failure {
		const { what } = this.list;
		const labels = found.map((record) => `${this.list.label(record)} (ID ${idIn(record.id)})`);
		const more = labels.length > 5 ? ', …' : '';
		return new Failure({
			kind: 'refused',
			message: `${found.length} ${what}s are called "${text}": ${labels.slice(0, 5).join(', ')}${more}`,
			advice: 'Use the ID, or the short URL or domain of a link',
		});
	}
}
