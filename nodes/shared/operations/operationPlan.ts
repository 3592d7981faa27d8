// What an operation declares (`OperationPlan`), reads from an item (`Content`) and sends (`ItemRequest`). `completePlan` adds
// what a plan leaves out, and `runnable` prepares it once for all items.

import type {
	IDataObject,
	IHttpRequestMethods,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';

import type { Connection, Service } from '../http/connection';
import type { ApiRequest } from '../http/connection';
import type { Failure } from '../values/failure';
import { placeholdersIn } from '../values/path';
import type { Claim } from './claims';
import type { Form, FormPlan } from './form';
import type { Item } from './item';
import { checkedFields, choicesIn } from './parameters';
import { type SentField, sentIn } from './sentFields';
import type { ItemResult } from './steps';

/** What an operation says of itself, besides its path and its fields: data, and what it checks and performs. */
interface PlanData extends FormPlan {
	/** Whether it changes nothing at the service, although it is no GET. */
	isRead?: boolean;
	/** Whether empty fields are sent, to clear values. Then a request without any field is refused. */
	isUpdate?: boolean;
	/** The columns of a result in a row that has none, because it failed or there was nothing to do; most are null. */
	noResult?: (why: 'failed' | 'skipped', parameters: INodeParameters) => IDataObject;
	/** Changes what was entered, before it is read. @returns undefined if there is nothing to do for the item */
	entered?(body: IDataObject, form: Form): IDataObject | undefined;
	/** Adds to the body what no single field holds. */
	body?(body: IDataObject, form: Form): IDataObject;
	/** Says in the words of the panel what the service refused in its own. */
	explained?(failure: Failure, body: IDataObject, form: Form): Failure;
}

/** What a form holds, checked: all of the request but its ids, which may have to be looked up, and what `perform` needs. */
export interface Content<Checked> {
	body: IDataObject;
	query: IDataObject;
	/** The options in the path, by the placeholder that each fills. */
	words: Readonly<Record<string, string>>;
	/** How long the item may take from its turn on; Infinity without a limit. */
	maxWaitMs: number;
	checked: Checked;
}

/** An operation that needs more than the request. */
export interface CheckedPlan<Checked> extends PlanData {
	/** Reads what `perform` needs, after body and query. @throws Failure if it cannot be used */
	check(form: Form): Checked;
	/** What the item changes; see `Claims`. */
	claim?(content: Content<Checked>, connection: Connection): Claim;
	/** Sends the requests, at the turn of the item. */
	perform(request: ItemRequest, item: Item, checked: Checked): Promise<ItemResult[]>;
}

/** An operation that performs its request itself, and needs nothing else. */
interface PerformedPlan extends PlanData {
	check?: undefined;
	perform(request: ItemRequest, item: Item): Promise<ItemResult[]>;
}

/** An operation of one request. */
interface SimplePlan extends PlanData {
	check?: undefined;
	perform?: undefined;
	/** Turns the response into results. Default: the body is the only one. */
	results?: Results;
}

export type OperationPlan<Checked = undefined> = CheckedPlan<Checked> | PerformedPlan | SimplePlan;

/** An operation of a service, with what its path and its fields say: the same for every item. */
export interface RunnableOperation<Checked> {
	service: Service;
	plan: CheckedPlan<Checked>;
	/** See `checkedFields`. */
	fields: ReadonlyMap<string, INodeProperties>;
	method: IHttpRequestMethods;
	url: string;
	/** The placeholders in the path that an option fills, and those that a locator does. */
	words: readonly string[];
	locators: readonly string[];
	/** The fields that offer choices. */
	choices: readonly string[];
	sent: Readonly<Record<'body' | 'query', readonly SentField[]>>;
	isUpdate: boolean;
	isWrite: boolean;
}

export type Results = (body: IDataObject, request: ItemRequest, form: Form) => IDataObject[];

export interface ItemRequest extends ApiRequest {
	query: IDataObject;
	body: IDataObject;
	ids: Record<string, number>;
}

/** The same plan with what it leaves out. */
export function completePlan(plan: PerformedPlan | SimplePlan): CheckedPlan<undefined> {
	const check = () => undefined;
	if (plan.perform) return { ...plan, check };
	const { results: resultsOf = (body) => [body] } = plan;
	return {
		...plan,
		check,
		async perform(request, { send, form }) {
			const { body } = await send(request);
			return resultsOf(body, request, form).map((json) => ({ json }));
		},
	};
}

/** The part of an operation's data that its run depends on. */
export interface OperationData {
	/** The path is that of the API document; a placeholder is named after the parameter that fills it. */
	request: { method: IHttpRequestMethods; url: string };
	/** In the order of the editor. For which resource and operation they are shown is added by `nodeProperties`. */
	fields: readonly INodeProperties[];
}

export function runnable<Checked>(
	service: Service,
	plan: CheckedPlan<Checked>,
	{ request: { method, url }, fields }: OperationData,
): RunnableOperation<Checked> {
	const placeholders = placeholdersIn(url);
	const checked = checkedFields(fields);
	const options = fields.filter(({ type }) => type === 'options').map(({ name }) => name);
	return {
		service,
		plan,
		fields: checked,
		method,
		url,
		words: placeholders.filter((name) => options.includes(name)),
		locators: placeholders.filter((name) => !options.includes(name)),
		choices: choicesIn(checked),
		sent: { body: sentIn(fields, 'body'), query: sentIn(fields, 'query') },
		isUpdate: plan.isUpdate === true,
		isWrite: method !== 'GET' && plan.isRead !== true,
	};
}
