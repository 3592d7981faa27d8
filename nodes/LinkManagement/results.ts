import type { IDataObject } from 'n8n-workflow';

import type { OperationPlan, Pagination } from '../shared/operations/plan';
import { operation } from '../shared/operations/operation';
import { Failure } from '../shared/values/failure';
import { idIn, textIn } from '../shared/values/json';
import { linkService } from './envelope';
import { namedLists } from './locators';

/** An operation of the link service; its locators may name a record instead of giving its id. */
export const linkOperation = (plan: OperationPlan): Pagination =>
	operation(linkService, { ...plan, lists: namedLists });

/** What the service says besides its envelope; members that the document does not know are passed on. */
export function membersOf(body: IDataObject): IDataObject {
	const { error: _error, message: _message, ...members } = body;
	return members;
}

/** What an update or an assign answers: its message, beside the ids it was about. */
export const updateResult: OperationPlan['results'] = (body, { ids }) => [
	{ success: true, ...membersOf(body), ...onlyId(ids), message: textIn(body.message) ?? '' },
];

/** What a delete answers. */
export const deleteResult: OperationPlan['results'] = (_body, { ids }) => [
	{ deleted: true, ...onlyId(ids) },
];

/** One id is called `id`; where there are two, each keeps the name of its parameter. */
function onlyId(ids: Record<string, number>): IDataObject {
	const values = Object.values(ids);
	return values.length === 1 ? { id: values[0] } : { ...ids };
}

/** What a create answers: the new record's id, and whatever the service says of it. */
export const createdRecord: OperationPlan['results'] = (body) => [
	{ ...membersOf(body), id: requireId(body) },
];

/**
 * The id of a new record.
 * @throws Failure if it is not there
 */
export function requireId(body: IDataObject): number {
	const id = idIn(body.id);
	if (id !== undefined) return id;
	throw new Failure({
		kind: 'unreadable',
		message: 'The answer of the link service holds no ID of the new record',
		advice: 'Look in the service whether it was created, before you run it again',
		outcomeUnknown: true,
	});
}
