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

/** Whether a failure means an empty list: the document has "No items found" among the errors. */
export const isEmptyList = ({ kind, message }: Failure): boolean =>
	kind === 'refused' && /\bno items found\b/i.test(message);
