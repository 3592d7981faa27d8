// What locators hold: the id of a record, or a name that is looked up when the row is executed.

import type { NamedList } from '../lists/knownRecords';
import { isRecord, pickedValue, textIn } from '../values/json';
import { visibleText } from '../values/text';
import type { NamedLists } from './panelFields';
import {
	labelOf,
	PICK_OR_ENTER_ID,
	parseId,
	type ParameterValues,
	parseName,
	requiredValue,
} from '../values/input';

export type RecordRef = number | { list: NamedList; name: string };

/**
 * The name that a locator holds, if any. n8n sets *By ID* when a column is dragged onto a picker, so a text there is a name, too.
 * What begins like a number, `..` or an encoded character is more likely a wrong id. @throws Failure if the name is blank
 */
function nameIn(name: string, held: unknown): string | undefined {
	const mode = isRecord(held) ? held.mode : 'id';
	const value = pickedValue(held);
	const isDragged = mode === 'id' && /^(?![+-]?[.\d%])./.test(visibleText(textIn(value) ?? ''));
	const isName = mode === 'name' || mode === 'alias' || isDragged;
	return isName ? requiredValue(parseName)(labelOf(name).replace(' ID', ''), value) : undefined;
}

/** @param held the locator, as n8n stores it @throws Failure if it is neither an id nor a name */
export function parseLocator(
	name: string,
	held: unknown,
	list: NamedLists[string] | undefined,
	parameters: ParameterValues,
): RecordRef {
	const text = list && nameIn(name, held);
	if (list === undefined || text === undefined)
		return parseId(name, pickedValue(held), list ? pickOrName(list) : PICK_OR_ENTER_ID);
	return { list: typeof list === 'function' ? list(parameters) : list, name: text };
}

const pickOrName = (list: NamedLists[string]): string =>
	typeof list === 'function'
		? PICK_OR_ENTER_ID
		: `Pick one from the list, enter its ID, or switch the field to '${list.nameMode ?? 'By Name'}'`;
