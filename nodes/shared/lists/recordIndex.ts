import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../values/failure';
import { composed, idIn } from '../values/json';
import { ListWalk, type Place } from './listWalk';
import type { AcceptedLimit, ListSource, RequestPage } from './pages';

export interface NamedList {
	source: ListSource;
	/** What messages call a record: `link`. */
	what: string;
	/** The names of a record, compared exactly, except that Unicode may compose a letter in several ways. */
	names(record: IDataObject): string[];
	/** What people enter by mistake instead of a name; suggested, never matched. */
	mistakenFor?(record: IDataObject): string[];
	/** A text that was entered, in the form that `names` gives. */
	nameOf?(text: string): string;
	/** Whether only one record can have that name. */
	isUnique?(name: string): boolean;
	label(record: IDataObject): string;
}

/** The records of a list by their names. Each page is read once, when a name needs it, so what a run writes has to be put in. */
export class RecordIndex {
	private readonly records = new Map<unknown, IDataObject>();
	private readonly byName = new Map<string, Map<unknown, IDataObject>>();
	/** Keys by names in lower case and by what is entered by mistake; filled when the first name is not found. */
	private near: Map<string, unknown> | undefined;
	/** The page that is being read, for all who wait for it. */
	private nextPage: Promise<boolean> | undefined;
	private walk: ListWalk;
	/** Whether this is the second walk. */
	private isReread = false;
	private readonly idsInOrder: number[] = [];
	/** Where the last page with records begins; undefined if that is the first one. */
	private lastPlace: Place | undefined;

	constructor(
		private readonly list: NamedList,
		private readonly requestPage: RequestPage,
		private readonly accepted: AcceptedLimit = { limit: Infinity },
	) {
		this.walk = this.newWalk();
	}

	/** @param toEnd whether to read on after a record is found, because a namesake may follow */
	async find(text: string, toEnd: boolean): Promise<IDataObject | undefined> {
		return this.singleRecord(text, await this.all(text, toEnd));
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

	async idOf(text: string, toEnd: boolean): Promise<number> {
		const id = idIn((await this.find(text, toEnd))?.id);
		if (id !== undefined) return id;
		const near = this.nearest(text);
		throw new Failure({
			kind: 'refused',
			message: `There is no ${this.list.what} "${text}"`,
			advice: near
				? `Did you mean "${this.list.names(near).at(-1)}"? Enter it exactly as in the service`
				: 'Check its spelling; it may have been deleted, or belong to another account',
		});
	}

	/** Every record of that name, the lowest id first, which is the oldest. */
	async all(text: string, toEnd: boolean): Promise<IDataObject[]> {
		const name = this.nameOf(text);
		while ((toEnd || !this.byName.get(name)?.size) && (await this.readOn()));
		const records = [...(this.byName.get(name)?.values() ?? [])];
		return records.sort((a, b) => Number(a.id) - Number(b.id));
	}

	isUnique(text: string): boolean {
		return this.list.isUnique?.(this.nameOf(text)) === true;
	}

	/** Reads what was added since the list was read. If it is in the order of creation, only its newer end is read. */
	async readNew(): Promise<void> {
		const isNewestFirst = isFalling(this.idsInOrder);
		const isOldestFirst = isFalling(this.idsInOrder.toReversed());
		const from = isOldestFirst ? this.lastPlace : undefined;
		const hasRead = await this.readFrom(from, isNewestFirst);
		// Deletions may have moved the end of the list to an earlier page.
		if (from && !hasRead) await this.readFrom(undefined, isNewestFirst);
	}

	/** @param untilKnown whether to stop at a page with a known record @returns whether there were records */
	private async readFrom(from: Place | undefined, untilKnown: boolean): Promise<boolean> {
		const walk = this.newWalk(from);
		let hasRead = false;
		for (;;) {
			const { place } = walk;
			const records = await walk.next();
			if (!records) return hasRead;
			hasRead = true;
			this.lastPlace = place;
			const meetsKnown = records.some(({ id }) => this.get(id) !== undefined);
			records.forEach(this.put);
			if (untilKnown && meetsKnown) return true;
		}
	}

	/** The record that was probably meant: with this name in another case, or often called so by mistake. */
	nearest(text: string): IDataObject | undefined {
		if (!this.near) {
			this.near = new Map();
			for (const [key, record] of this.records) this.leadNear(record, undefined, key);
		}
		return this.records.get(this.near.get(this.nameOf(text).toLowerCase()));
	}

	/** Leads the near names of a record that lead to `from` to another key. */
	private leadNear(record: IDataObject, from: unknown, to: unknown): void {
		const { near } = this;
		if (!near) return;
		for (const name of [...this.namesOf(record), ...(this.list.mistakenFor?.(record) ?? [])]) {
			if (near.get(name.toLowerCase()) === from) near.set(name.toLowerCase(), to);
		}
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
		for (const name of names) {
			const namesakes = this.byName.get(name) ?? new Map<unknown, IDataObject>();
			this.byName.set(name, namesakes.set(key, record));
		}
		this.leadNear(record, undefined, key);
	};

	remove(key: unknown): void {
		const record = this.records.get(key);
		if (!record) return;
		for (const name of this.namesOf(record)) this.byName.get(name)?.delete(key);
		this.leadNear(record, key, undefined);
		this.records.delete(key);
	}

	private nameOf(text: string): string {
		return composed(this.list.nameOf?.(text) ?? text);
	}

	private namesOf(record: IDataObject): string[] {
		return this.list.names(record).map((name) => composed(name));
	}

	/** Reads the next page. If it fails, whoever asks next requests it again. @returns whether there was one */
	private async readOn(): Promise<boolean> {
		this.nextPage ??= this.takePage().finally(() => {
			this.nextPage = undefined;
		});
		return await this.nextPage;
	}

	private async takePage(): Promise<boolean> {
		const { place } = this.walk;
		const records = await this.walk.next();
		if (records) {
			this.lastPlace = place;
			for (const id of records.flatMap((record) => idIn(record.id) ?? [])) this.idsInOrder.push(id);
			records.forEach(this.put);
			return true;
		}
		// Deletions between two pages move records to pages that were read before, so the list is read again, once.
		if (!this.walk.hasShrunk || this.isReread) return false;
		this.isReread = true;
		this.walk = this.newWalk();
		return await this.takePage();
	}

	private newWalk(from?: Place): ListWalk {
		return new ListWalk(this.requestPage, { from, accepted: this.accepted });
	}
}

const isFalling = (ids: readonly number[]): boolean =>
	ids.every((id, at) => at === 0 || id < (ids[at - 1] ?? 0));
