// What the operations of the service have in common: their errors, and their usual outputs.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Form } from '../shared/operations/form';
import { columnLabel } from '../shared/operations/mappedColumns';
import type { Operation } from '../shared/operations/operation';
import { runOperation, type RunOperation } from '../shared/operations/runOperation';
import type { OperationPlan, Results } from '../shared/operations/operationPlan';
import { labelsOf } from '../shared/operations/sentFields';
import { Failure, LONGEST_MESSAGE, quoted } from '../shared/values/failure';
import { idIn, isRecord, textIn, without } from '../shared/values/json';
import { record } from './records';
import { withExtraFields } from './fields';
import { linkService } from './service';
import { namedLists } from './locators';

/**
 * An operation of the service. Its locators may hold a name instead of an id.
 * @param otherLabels of members of the body that no single field sends
 */
export const linkOperation =
	<Checked>(plan: OperationPlan<Checked>, otherLabels: Labels = {}): RunOperation =>
	(data) => {
		const labels = { ...labelsOf(data.fields), ...otherLabels };
		return runOperation(linkService, {
			...plan,
			lists: namedLists,
			body: (body, form) => withExtraFields(plan.body?.(body, form) ?? body, labels),
			explained: (failure, body, form) =>
				withLabel(failure, { ...labels, ...columnLabels(form) }, body),
		})(data);
	};

type Labels = Readonly<Record<string, string>>;

/** The columns that fill members of the body, as errors name them. */
const columnLabels = ({ mapped }: Form): Labels =>
	Object.fromEntries(
		[...(mapped?.cells ?? [])].map(([member, cell]) => [member, columnLabel(cell)] as const),
	);

/**
 * A refusal that begins with the API's name of a field, or with what was sent in it, with the label of that field and what was
 * sent before it, as in `Custom Alias is "spring sale": custom must have …`.
 */
function withLabel(failure: Failure, labels: Labels, body: IDataObject): Failure {
	const { kind, message } = failure;
	const [, word = ''] = /^(?:The )?([a-z]\w*)/.exec(message) ?? [];
	const name = Object.hasOwn(labels, word) ? word : (memberAtStart(message, body) ?? '');
	const label = Object.hasOwn(labels, name) ? (labels[name] ?? '') : '';
	if (kind !== 'refused' || label === '') return failure;
	const value = name === 'password' ? '' : (textIn(body[name]) ?? '');
	const isSaid = value.length > LONGEST_SAID || message.includes(value);
	const isSame = label.replace(/\s/g, '').toLowerCase() === name;
	if (isSaid && isSame) return failure;
	return failure.with({
		message: `${isSaid ? label : `${label} is ${quoted(value)}`}: ${message}`,
	});
}

/** The member whose value a message begins with. A value of one word may be a word of the service, so it tells nothing. */
function memberAtStart(message: string, body: IDataObject): string | undefined {
	const found = Object.keys(body).filter((name) => {
		const value = textIn(body[name]) ?? '';
		return /\w\W+\w/.test(value) && message.startsWith(`${value} `);
	});
	return found.length === 1 ? found[0] : undefined;
}

/** A longer value hides what is said about it. */
const LONGEST_SAID = 80;

/**
 * The members of a response without its envelope; also those that the document does not have. Some services have them
 * under `data`.
 */
export function membersOf(body: IDataObject): IDataObject {
	const { data, ...members } = without(body, 'error', 'message');
	return isRecord(data) ? { ...members, ...data } : members;
}

const messageIn = ({ message }: IDataObject): string =>
	(textIn(message) ?? '').slice(0, LONGEST_MESSAGE);

/** The output of an update or an assignment: the service's message, with the ids of the request. */
export const updateResult: Results = (body, { ids }) => [
	{ success: true, ...membersOf(body), ...onlyId(ids), message: messageIn(body) },
];

/** What *Delete* is for every record. */
export const deletion = (
	url: string,
	locator: INodeProperties,
): Omit<Operation, 'action' | 'description'> => ({
	name: 'Delete',
	value: 'delete',
	request: { method: 'DELETE', url },
	pagination: linkOperation({ results: (_body, { ids }) => [{ deleted: true, ...onlyId(ids) }] }),
	fields: [locator],
});

/** A single id is named `id`; two keep the names of their parameters. */
function onlyId(ids: Record<string, number>): IDataObject {
	const values = Object.values(ids);
	return values.length === 1 ? { id: values[0] } : { ...ids };
}

/** The output of a create: the new record's id, and the other members of the response. */
export const createdRecord = (body: IDataObject): IDataObject[] => [newRecord(body)];

export const newRecord = (body: IDataObject): IDataObject => ({
	...record(membersOf(body)),
	id: requireId(body),
});

/**
 * The id of a new record.
 * @throws Failure if the response has none
 */
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
