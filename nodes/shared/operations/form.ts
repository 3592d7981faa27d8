// What the user entered for a row (`Form`): reads and checks each field once, and makes the request of it. Sends nothing.

import type { IDataObject, IExecutePaginationFunctions, INodeProperties } from 'n8n-workflow';

import { checkedTimeZone } from '../http/credential';
import { inputFailure } from '../values/failure';
import type { GetParameter } from '../values/input';
import { mapIn } from '../values/json';
import type { OperationData, Plan } from './operation';
import { checkedFields, choicesIn, parameterGetter } from './parameters';
import { type Pick, pickOf } from './picks';
import {
	type Columns,
	emptiedValues,
	enteredIn,
	type SentField,
	sentIn,
	sentValues,
} from './sentFields';

const PLACEHOLDER = /:([A-Za-z]+)/g;

/** Only ids and options get into a path, so no row can lead to another one. */
export const fillPath = (path: string, values: Readonly<Record<string, number | string>>): string =>
	path.replace(PLACEHOLDER, (_placeholder, name: string) =>
		encodeURIComponent(String(values[name])),
	);

/** What the path and the fields of an operation say, the same for every row. */
export interface FormPlan {
	plan: Plan;
	fields: ReadonlyMap<string, INodeProperties>;
	/** The placeholders in the path that an option fills, and those that a locator does. */
	words: readonly string[];
	locators: readonly string[];
	body: readonly SentField[];
	query: readonly SentField[];
	/** Whether it has *Update Fields*, so that a request without any field is refused. */
	isUpdate: boolean;
}

export function formPlan(plan: Plan, { request: { url }, fields }: OperationData): FormPlan {
	const placeholders = Array.from(url.matchAll(PLACEHOLDER), ([, name = '']) => name);
	const options = fields.filter(({ type }) => type === 'options').map(({ name }) => name);
	return {
		plan,
		fields: checkedFields(fields),
		words: placeholders.filter((name) => options.includes(name)),
		locators: placeholders.filter((name) => !options.includes(name)),
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

export class Form {
	/** A parameter, checked; null if the node does not have it. */
	readonly parameter: GetParameter;
	readonly row: IDataObject;
	/** Undefined if the fields are filled by hand. */
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
		this.columns = form.plan.columns?.(this.parameter, this.row);
	}

	/** IANA names: the workflow's time zone, in which users enter times, and the service's. @throws Failure if that is wrong */
	get zones(): { from: string; to: string } {
		return { from: this.node.getTimezone(), to: checkedTimeZone(this.serviceZone) };
	}

	/** Checks which record a locator picks; `Row.id` gives its id. One in a collection is passed as `held`. */
	pick(name: string, held: unknown = this.parameter(name)): void {
		const list = this.form.plan.lists?.[name];
		this.picks.set(name, pickOf(name, held, list, this.parameter));
	}

	/** What a field holds, which may be an expression. */
	held(name: string, collection?: string): unknown {
		const { parameters } = this.node.getNode();
		return (collection === undefined ? parameters : mapIn(parameters[collection]))[name];
	}

	/** @returns undefined if there is nothing to do for the row @throws Failure if a value cannot be sent */
	draft(): Draft | undefined {
		const { plan, fields, words, locators, body: sentInBody, query: sentInQuery } = this.form;
		choicesIn(fields).forEach(this.parameter);
		const panel = enteredIn(sentInBody, this.parameter);
		const entered = plan.entered ? plan.entered(panel, this) : panel;
		if (!entered) return undefined;
		for (const name of locators) this.pick(name);
		const own = sentValues(sentInBody, entered, this);
		const { clearFields } = mapIn(this.parameter('updateFields'));
		const emptied = emptiedValues(sentInBody, clearFields, own);
		const body = { ...(plan.body?.(own, this) ?? own), ...emptied };
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
			query: plan.query?.(ownQuery) ?? ownQuery,
			words: Object.fromEntries(wordValues),
		};
	}
}
