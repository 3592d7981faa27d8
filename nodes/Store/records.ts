import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../shared/values/failure';
import { recordsIn, requireList, withIntegers } from '../shared/values/json';

/**
 * The items of a list.
 * @throws Failure if there is no list
 */
export const requireItems = (body: IDataObject): IDataObject[] =>
	recordsIn(requireList(body, 'items'));

/** An item (document: "Item"). */
export const itemRecord = (entry: IDataObject): IDataObject => withIntegers(entry, ['id']);

/** The document lists "No items found" among the errors; it is an empty list. */
export const isEmptyList = ({ kind, message }: Failure): boolean =>
	kind === 'refused' && /\bno items found\b/i.test(message);
