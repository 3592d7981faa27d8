// What locators hold: the id of a record, or a name that is looked up at the turn of the row.

import type { NamedList } from '../lists/recordIndex';
import { isRecord, pickedValue, textIn } from '../values/json';
import { cleaned } from '../values/text';
import { labelOf, PICK_OR_ENTER, parseId, type GetParameter, requiredLine } from '../values/input';

/** By parameter, the list in which a name is looked up. */
export type NamedLists = Readonly<
	Record<string, NamedList | ((parameter: GetParameter) => NamedList)>
>;

/** A record by its id, or by a name in a list. */
export type Pick = number | { list: NamedList; name: string };

/** The name that a locator holds; undefined if it holds an id. @throws Failure if it is blank */
export function nameIn(name: string, held: unknown): string | undefined {
	if (!isRecord(held) || (held.mode !== 'name' && held.mode !== 'alias')) return undefined;
	return requiredLine(labelOf(name).replace(' ID', ''), held.value);
}

/**
 * The name in *By ID*: n8n sets that mode when a column is dragged onto a picker. What begins like a number, `..` or an
 * encoded character is more likely a wrong id.
 */
function nameInsteadOfId(name: string, held: unknown): string | undefined {
	if (isRecord(held) && held.mode !== 'id') return undefined;
	const value = cleaned(textIn(pickedValue(held)) ?? '');
	const isName = value !== '' && !/^[+-]?[.\d%]/.test(value);
	return isName ? requiredLine(labelOf(name).replace(' ID', ''), value) : undefined;
}

/** @param held the locator, as n8n stores it @throws Failure if it is neither an id nor a name */
export function pickOf(
	name: string,
	held: unknown,
	list: NamedLists[string] | undefined,
	parameter: GetParameter,
): Pick {
	const text = list && (nameIn(name, held) ?? nameInsteadOfId(name, held));
	if (list === undefined || text === undefined)
		return parseId(name, pickedValue(held), list ? pickOrName(list) : PICK_OR_ENTER);
	return { list: typeof list === 'function' ? list(parameter) : list, name: text };
}

const pickOrName = (list: NamedLists[string]): string =>
	typeof list === 'function'
		? PICK_OR_ENTER
		: `Pick one from the list, enter its ID, or switch the field to ${list.nameMode ?? 'By Name'}`;
