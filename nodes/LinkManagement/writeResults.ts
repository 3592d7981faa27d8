// What the operations of the service have in common: their usual outputs.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Operation, ToItems } from '../shared/operations/operation';
import { Failure } from '../shared/values/failure';
import { idIn, isRecord, textIn, without } from '../shared/values/json';
import { record } from './records';

/** The members of a response without its envelope. Some services have them under `data`. */
export function membersOf(body: IDataObject): IDataObject {
	const { data, ...members } = without(body, 'error', 'message');
	return isRecord(data) ? { ...members, ...data } : members;
}

/** The output of an update or an assignment: the service's message, with the ids of the request. */
export const updateResult: ToItems = (body, { ids }) => [
	{ success: true, ...membersOf(body), ...onlyId(ids), message: textIn(body.message) ?? '' },
];

type Shown = 'action' | 'description' | 'fields';

export const creation = (url: string): Omit<Operation, Shown> => ({
	name: 'Create',
	value: 'create',
	request: { method: 'POST', url },
	toItems: createdRecord,
});

export const change = (url: string): Omit<Operation, Shown> => ({
	name: 'Update',
	value: 'update',
	request: { method: 'PUT', url },
	toItems: updateResult,
});

export const deletion = (
	url: string,
	locator: INodeProperties,
): Omit<Operation, 'action' | 'description'> => ({
	name: 'Delete',
	value: 'delete',
	request: { method: 'DELETE', url },
	toItems: (_body, { ids }) => [{ deleted: true, ...onlyId(ids) }],
	fields: [locator],
});

/** A single id is named `id`; two keep the names of their parameters. */
function onlyId(ids: Record<string, number>): IDataObject {
	const values = Object.values(ids);
	return values.length === 1 ? { id: values[0] } : { ...ids };
}

/** The output of a create: the new record's id, and the other members of the response. */
export const createdRecord: ToItems = (body) => [
	{ ...record(membersOf(body)), id: requireId(body) },
];

/** @throws Failure if the response has no id of a new record */
export function requireId(body: IDataObject): number {
	const { id: found } = membersOf(body);
	const id = idIn(found);
	if (id !== undefined) return id;
	throw new Failure({
		kind: 'unreadable',
		message: 'The response has no ID for the new record',
		advice: 'Check in the service whether it was created before you run it again',
		outcomeUnknown: true,
	});
}
