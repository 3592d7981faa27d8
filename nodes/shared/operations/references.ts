import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { NamedList, RecordIndex } from '../lists/recordIndex';
import { isRecord, pickedValue } from '../values/json';
import type { ReadParameter } from '../values/path';
import { labelOf, readId } from '../values/path';
import { requiredText } from '../values/text';
import type { ItemRequest } from './plan';

/** The index of a list, for the service and the key of an item. */
export type IndexOf = (list: NamedList) => RecordIndex;

/** The lists in which locators look a record up that is named, by the name of their parameter. */
export type NamedLists = Readonly<Record<string, NamedList | ((read: ReadParameter) => NamedList)>>;

/** Modes of a locator in which it holds no id. */
const BY_NAME = new Set<unknown>(['name', 'url']);

/**
 * The name that a locator holds; undefined if it holds an id.
 * @throws Failure if it is blank
 */
export function nameIn(name: string, held: unknown): string | undefined {
	if (!isRecord(held) || !BY_NAME.has(held.mode)) return undefined;
	return requiredText(labelOf(name).replace(' ID', ''), held.value);
}

interface Reference {
	list: NamedList;
	text: string;
}

/**
 * The ids in the locators of one item. A locator may hold a name instead: then its id is known only when the list was
 * read, which is at the item's turn. Until then any id stands for it, so that all else can be checked before.
 */
export class References {
	private readonly references = new Map<string, Reference>();
	private readonly ids = new Map<string, number>();

	constructor(
		private readonly lists: NamedLists,
		private readonly read: ReadParameter,
	) {}

	/**
	 * The id that a locator picks.
	 * @param name of its parameter
	 * @param held what it holds, as n8n stores it
	 * @throws Failure if it holds neither an id nor a name
	 */
	id(name: string, held: unknown): number {
		const list = this.lists[name];
		const text = list && nameIn(name, held);
		if (list === undefined || text === undefined) return readId(name, pickedValue(held));
		this.references.set(name, {
			list: typeof list === 'function' ? list(this.read) : list,
			text,
		});
		return this.ids.get(name) ?? 1;
	}

	/** Whether the locators hold ids alone, as far as they were asked for. */
	get isEmpty(): boolean {
		return this.references.size === 0;
	}

	/**
	 * Looks up what is named.
	 * @throws Failure if there is no such record, or several
	 */
	async resolve(indexOf: IndexOf, method: IHttpRequestMethods): Promise<void> {
		for (const [name, { list, text }] of this.references) {
			const index = indexOf(list);
			// A change must not hit a namesake. A deletion moves up what was not read yet, so all has to be read before.
			const toEnd = method === 'DELETE' || (method !== 'GET' && !index.isUnique(text));
			this.ids.set(name, await index.idOf(text, toEnd));
		}
	}

	/** Tells the lists what became of the records that were named; an assignment changes none of them. */
	note(indexOf: IndexOf, { method, body, ids }: ItemRequest, result: IDataObject = {}): void {
		for (const [name, { list }] of this.references) {
			const id = ids[name];
			if (id === undefined) continue;
			if (method === 'DELETE') indexOf(list).remove(id);
			else if (method === 'PUT') indexOf(list).put({ ...body, ...result, id });
		}
	}
}
