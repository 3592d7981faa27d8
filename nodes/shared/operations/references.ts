// Turns what locators pick into IDs: looks names up in their lists before the request is built. After a write, updates those
// lists.

import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { NamedList, RecordIndex } from '../lists/recordIndex';
import { isRecord, pickedValue, textIn } from '../values/json';
import { labelOf, PICK_OR_ENTER, parseId, type GetParameter, requiredText } from '../values/input';

type IndexOf = (list: NamedList) => RecordIndex;

export type LookUp = <Found>(
	list: NamedList,
	find: (index: RecordIndex) => Promise<Found>,
) => Promise<Found>;

/** By parameter, the list in which an item's `References` look up a name, once the item is checked. */
export type NamedLists = Readonly<
	Record<string, NamedList | ((parameter: GetParameter) => NamedList)>
>;

/** The name that a locator holds; undefined if it holds an id. @throws Failure if it is blank */
export function nameIn(name: string, held: unknown): string | undefined {
	if (!isRecord(held) || (held.mode !== 'name' && held.mode !== 'url')) return undefined;
	return requiredText(labelOf(name).replace(' ID', ''), held.value);
}

/**
 * The name in *By ID*: n8n sets that mode when a column is dragged onto a picker. What begins like a number, `..` or an
 * encoded character is more likely a wrong id.
 */
function nameInsteadOfId(name: string, held: unknown): string | undefined {
	if (isRecord(held) && held.mode !== 'id') return undefined;
	const value = textIn(pickedValue(held));
	const isName = value !== undefined && !/^[+-]?[.\d%]/.test(value);
	return isName ? requiredText(labelOf(name).replace(' ID', ''), value) : undefined;
}

const modesOf = (list: NamedLists[string] | undefined): string =>
	typeof list === 'object'
		? `Pick one from the list, enter its ID, or switch the field to ${list.nameMode ?? 'By Name'}`
		: PICK_OR_ENTER;

/** The records that the locators of one item pick: by their ids, or by names, which are looked up before the request is built. */
export class References {
	private readonly names = new Map<string, { list: NamedList; text: string }>();
	private readonly ids = new Map<string, number>();

	constructor(
		private readonly lists: NamedLists,
		private readonly parameter: GetParameter,
	) {}

	/** Notes what a locator picks. @param held the locator, as n8n stores it @throws Failure if it is neither an id nor a name */
	pick(name: string, held: unknown): void {
		const list = this.lists[name];
		const text = list && (nameIn(name, held) ?? nameInsteadOfId(name, held));
		if (list === undefined || text === undefined) {
			this.ids.set(name, parseId(name, pickedValue(held), modesOf(list)));
			return;
		}
		const source = typeof list === 'function' ? list(this.parameter) : list;
		this.names.set(name, { list: source, text });
	}

	async lookUp(lookUp: LookUp, method: IHttpRequestMethods): Promise<void> {
		for (const [name, { list, text }] of this.names) {
			const id = await lookUp(list, async (index) => {
				// A write must not hit a namesake. A deletion shifts the pages that are not read yet, so all are read before it.
				const toEnd = method === 'DELETE' || (method !== 'GET' && !index.isUnique(text));
				return await index.idOf(text, toEnd, method === 'DELETE');
			});
			this.ids.set(name, id);
		}
	}

	/** The id of a record that was picked, once its name is looked up. */
	id(name: string): number {
		const id = this.ids.get(name);
		if (id === undefined) throw new RangeError(`${name} was not picked, or not looked up`);
		return id;
	}

	idsOf(names: readonly string[]): Record<string, number> {
		return Object.fromEntries(names.map((name) => [name, this.id(name)]));
	}

	/** Updates the indexes after a deletion or an update; an assignment (POST) changes no names. */
	note(
		indexOf: IndexOf,
		{ method, body, ids }: { method: string; body: IDataObject; ids: Record<string, number> },
		result: IDataObject = {},
	): void {
		for (const [name, { list }] of this.names) {
			const id = ids[name];
			if (id === undefined) continue;
			if (method === 'DELETE') indexOf(list).remove(id);
			else if (method === 'PUT') indexOf(list).put({ ...body, ...result, id });
		}
	}
}
