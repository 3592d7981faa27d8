import type { IDataObject } from 'n8n-workflow';

import { Failure, failureIn, isRefusal } from '../values/failure';
import { idIn } from '../values/json';
import type { ListSource, Page, RequestPage } from './pages';
import { LARGEST_PAGE, walkPages } from './pages';

/** A list whose records people know by a name. */
export interface NamedList {
	source: ListSource;
	/** What a record is called: `link`, as in `There is no link "spring"`. */
	what: string;
	/** The names of a record; compared letter for letter. */
	names(record: IDataObject): string[];
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
	private readonly records = new Map<number, IDataObject>();
	private readonly byName = new Map<string, Map<number, IDataObject>>();
	private readonly pages: AsyncGenerator<IDataObject[]>;
	/** The page that is being read, for all who wait for it. If it failed, every further lookup fails the same way. */
	private reading: Promise<boolean> | undefined;

	/** @param first the page to begin with, if pages before it were read earlier */
	constructor(
		private readonly list: NamedList,
		private readonly requestPage: RequestPage,
		first = 1,
	) {
		this.pages = walkPages(requestPage, LARGEST_PAGE, first);
	}

	/**
	 * The record of that name; undefined if there is none.
	 * @param toEnd whether to read the whole list even if a record is found, because a namesake may follow
	 * @throws Failure if there are several, or the list cannot be read
	 */
	async find(text: string, toEnd: boolean): Promise<IDataObject | undefined> {
		const [found, ...others] = await this.all(text, toEnd);
		if (found && others.length > 0) throw this.severalFailure(text, [found, ...others]);
		return found;
	}

	/**
	 * The id of the record of that name.
	 * @throws Failure the same, and if there is none
	 */
	async idOf(text: string, toEnd: boolean): Promise<number> {
		const id = idIn((await this.find(text, toEnd))?.id);
		if (id !== undefined) return id;
		throw new Failure({
			kind: 'refused',
			message: `There is no ${this.list.what} "${text}"`,
			advice:
				'Look how it is written in the service; it may have been deleted, or belong to another account',
		});
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

	/** Reads the list again up to a page that has the name, beginning where new records are. */
	async again(text: string): Promise<IDataObject | undefined> {
		const name = this.nameOf(text);
		const pages = walkPages(async (number, limit) => {
			const page = await this.requestPage(number, limit);
			return number === 1 ? await this.withNewEnd(page, limit) : page;
		}, LARGEST_PAGE);
		while (this.known(name).length === 0 && (await this.takePage(pages)));
		return this.known(name)[0];
	}

	/** Adds a record, or replaces what was known of it. Without a name in it, nothing changes. */
	put(record: IDataObject): void {
		const id = idIn(record.id);
		const names = this.list.names(record);
		if (id === undefined || names.length === 0) return;
		this.remove(id);
		this.records.set(id, record);
		for (const name of names) {
			const namesakes = this.byName.get(name) ?? new Map<number, IDataObject>();
			this.byName.set(name, namesakes.set(id, record));
		}
	}

	remove(id: number): void {
		for (const name of this.list.names(this.records.get(id) ?? {})) {
			this.byName.get(name)?.delete(id);
		}
	}

	private nameOf(text: string): string {
		return this.list.nameOf?.(text) ?? text;
	}

	private known(name: string): IDataObject[] {
		const namesakes = [...(this.byName.get(name) ?? [])];
		return namesakes.sort(([a], [b]) => a - b).map(([, record]) => record);
	}

	private async readOn(): Promise<boolean> {
		this.reading ??= this.takePage(this.pages).then((isPage) => {
			this.reading = undefined;
			return isPage;
		});
		return await this.reading;
	}

	/** @returns whether there was another page */
	private async takePage(pages: AsyncGenerator<IDataObject[]>): Promise<boolean> {
		const next = await pages.next();
		if (next.done === true) return false;
		for (const record of next.value) this.put(record);
		return true;
	}

	/** The first page; if the oldest records come first, with the records of the last page, where new ones are. */
	private async withNewEnd(page: Page, limit: number): Promise<Page> {
		const { records, maxPage = 0 } = page;
		const isOldestFirst = (idIn(records.at(0)?.id) ?? 0) < (idIn(records.at(-1)?.id) ?? 0);
		if (!isOldestFirst || maxPage <= 2) return page;
		const end = await this.requestPage(maxPage, limit).catch((error: unknown) => {
			if (isRefusal(failureIn(error))) return undefined;
			throw error;
		});
		return { ...page, records: [...records, ...(end?.records ?? [])] };
	}

	private severalFailure(text: string, found: readonly IDataObject[]): Failure {
		const { what } = this.list;
		const labels = found.map((record) => `${this.list.label(record)} (ID ${idIn(record.id)})`);
		const more = labels.length > 5 ? ', …' : '';
		return new Failure({
			kind: 'refused',
			message: `${found.length} ${what}s are called "${text}": ${labels.slice(0, 5).join(', ')}${more}`,
			advice: 'Say more exactly which one: by its ID, or a link by its short URL or domain',
		});
	}
}
