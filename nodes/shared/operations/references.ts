import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { NamedList, RecordIndex } from '../lists/recordIndex';
import { isRecord, pickedValue } from '../values/json';
import { labelOf, readId, type ReadParameter, requiredText } from '../values/input';

export type IndexOf = (list: NamedList) => RecordIndex;

/** By parameter, the list in which an item's `References` look up a name, once the item is checked. */
export type NamedLists = Readonly<Record<string, NamedList | ((read: ReadParameter) => NamedList)>>;

/** The name that a locator holds; undefined if it holds an id. @throws Failure if it is blank */
export function nameIn(name: string, held: unknown): string | undefined {
	if (!isRecord(held) || (held.mode !== 'name' && held.mode !== 'url')) return undefined;
	return requiredText(labelOf(name).replace(' ID', ''), held.value);
}

/** The ids that the locators of one item pick. While the item is checked, 1 stands for the id of a name not looked up yet. */
export class References {
	private readonly references = new Map<string, { list: NamedList; text: string }>();
	private readonly ids = new Map<string, number>();

	constructor(
		private readonly lists: NamedLists,
		private readonly read: ReadParameter,
	) {}

	/** The id that a locator picks. @param held the locator, as n8n stores it */
	id(name: string, held: unknown): number {
		const list = this.lists[name];
		const text = list && nameIn(name, held);
		if (list === undefined || text === undefined) return readId(name, pickedValue(held));
		const source = typeof list === 'function' ? list(this.read) : list;
		this.references.set(name, { list: source, text });
		return this.ids.get(name) ?? 1;
	}

	async resolve(indexOf: IndexOf, method: IHttpRequestMethods): Promise<void> {
		for (const [name, { list, text }] of this.references) {
			const index = indexOf(list);
			// A write must not hit a namesake. A deletion shifts the pages that are not read yet, so all are read before it.
			const toEnd = method === 'DELETE' || (method !== 'GET' && !index.isUnique(text));
			this.ids.set(name, await index.idOf(text, toEnd));
		}
	}

	/** Updates the indexes after a deletion or an update; an assignment (POST) changes no names. */
	note(
		indexOf: IndexOf,
		{ method, body, ids }: { method: string; body: IDataObject; ids: Record<string, number> },
		result: IDataObject = {},
	): void {
		for (const [name, { list }] of this.references) {
			const id = ids[name];
			if (id === undefined) continue;
			if (method === 'DELETE') indexOf(list).remove(id);
			else if (method === 'PUT') indexOf(list).put({ ...body, ...result, id });
		}
	}
}
