// What the user entered for a row (`Form`): reads and checks each field once, and makes the request of it. Sends nothing.

import type { IDataObject, IExecutePaginationFunctions, INodeProperties } from 'n8n-workflow';

import { checkedTimeZone } from '../http/credential';
import { inputFailure } from '../values/failure';
import type { GetParameter } from '../values/input';
import { mapIn } from '../values/json';
import type { Columns, Operation, RowInput } from './operation';
import { checkedFields, choicesIn, parameterGetter } from './parameters';
import type { NamedLists } from './fields';
import { listsOf, type Pick, pickOf } from './picks';
import {
	emptiedValues,
	enteredIn,
	type SentField,
	sentIn,
	sentValues,
	withExtra,
} from './sentFields';

const PLACEHOLDER = /:([A-Za-z]+)/g;

/** Only ids and options get into a path, so no row can lead to another one. */
export const fillPath = (path: string, values: Readonly<Record<string, number | string>>): string =>
	path.replace(PLACEHOLDER, (_placeholder, name: string) =>
		encodeURIComponent(String(values[name])),
	);

/** What the path and the fields of an operation say, the same for every row. */
export interface FormPlan {
	operation: Operation;
	fields: ReadonlyMap<string, INodeProperties>;
	/** The placeholders in the path that an option fills, and those that a locator does. */
	words: readonly string[];
	locators: readonly string[];
	/** Where names are looked up, by the locators that may hold them. */
	lists: NamedLists;
	body: readonly SentField[];
	query: readonly SentField[];
	/** Whether it has *Update Fields*, so that a request without any field is refused. */
	isUpdate: boolean;
}

export function formPlan(operation: Operation): FormPlan {
	const { request, fields } = operation;
	const placeholders = Array.from(request.url.matchAll(PLACEHOLDER), ([, name = '']) => name);
	const options = fields.filter(({ type }) => type === 'options').map(({ name }) => name);
	return {
		operation,
		fields: checkedFields(fields),
		words: placeholders.filter((name) => options.includes(name)),
		locators: placeholders.filter((name) => !options.includes(name)),
		lists: listsOf(fields),
		body: sentIn(fields, 'body'),
		query: sentIn(fields, 'query'),
		isUpdate: fields.some(({ name }) => name === 'updateFields'),
	};
}

/** A request without the ids of its records, which may have to be looked up. */
interface Draft {
	body: IDataObject;
	query: IDataObject;
	words: Readonly<Record<string, string>>;
}

export class Form implements RowInput {
	readonly parameter: GetParameter;
	readonly row: IDataObject;
	readonly columns: Columns | undefined;
	/** By the names of locators, which records they pick. */
	readonly picks = new Map<string, Pick>();

	/** @param serviceZone as the credential says */
	constructor(
		readonly node: IExecutePaginationFunctions,
		private readonly form: FormPlan,
		private readonly serviceZone: string,
	) {
		const get: GetParameter = (path) => node.getNodeParameter(path, null);
		this.parameter = parameterGetter(node.getNode().parameters, form.fields, get);
		this.row = node.getInputData().json;
		this.columns = form.operation.columns?.(this.parameter, this.row);
	}

	get zones(): { from: string; to: string } {
		return { from: this.node.getTimezone(), to: checkedTimeZone(this.serviceZone) };
	}

	pick(name: string, held: unknown = this.parameter(name)): void {
		const list = this.form.lists[name];
		this.picks.set(name, pickOf(name, held, list, this.parameter));
	}

	held(name: string, collection?: string): unknown {
		const { parameters } = this.node.getNode();
		return (collection === undefined ? parameters : mapIn(parameters[collection]))[name];
	}

	/** @returns undefined if there is nothing to do for the row @throws Failure if a value cannot be sent */
	draft(): Draft | undefined {
		const { operation, fields, words, locators, body: sentInBody, query: sentInQuery } = this.form;
		choicesIn(fields).forEach(this.parameter);
		const panel = enteredIn(sentInBody, this.parameter);
		const entered = operation.entered ? operation.entered(panel, this) : panel;
		if (!entered) return undefined;
		for (const name of locators) this.pick(name);
		const own = sentValues(sentInBody, entered, this);
		const { clearFields } = mapIn(this.parameter('updateFields'));
		const emptied = emptiedValues(sentInBody, clearFields, own);
		const composed = operation.body?.(own, this) ?? own;
		const body = { ...withExtra(composed, sentInBody), ...emptied };
		if (this.form.isUpdate && Object.keys(body).length === 0) {
			throw inputFailure(
				'There is nothing to update',
				'Add a field with a value under Update Fields, or name in Clear Fields what is to be emptied',
			);
		}
		const ownQuery = sentValues(sentInQuery, enteredIn(sentInQuery, this.parameter), this);
		const wordValues = words.map((name) => [name, String(this.parameter(name))] as const);
		return {
			body,
			query: withExtra(ownQuery, sentInQuery, operation.ownQuery),
			words: Object.fromEntries(wordValues),
		};
	}
}
