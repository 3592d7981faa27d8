import {
	type IDataObject,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	isExpression,
} from 'n8n-workflow';

import { checkedTimeZone } from '../http/credential';
import { inputFailure, quoted } from '../values/failure';
import { isBlank, type ReadParameter } from '../values/input';
import { mapIn } from '../values/json';
import { maxWaitOption } from './fields';
import type { RunnableOperation } from './operationPlan';
import { type NamedLists, References } from './references';
import { bodyOf, enteredIn, queryOf, withoutEmpty } from './sentFields';

/** What was entered for one item. Each parameter is evaluated once, and checked before anything is sent. */
export class Form {
	readonly input: { item: IDataObject; items: readonly INodeExecutionData[] };
	readonly references: References;
	private readonly parameters: IDataObject;
	private readonly workflowZone: string;

	constructor(
		node: IExecutePaginationFunctions,
		/** A parameter, checked; null if the node does not have it. */
		readonly read: ReadParameter,
		lists: NamedLists,
		private readonly serviceZone: string,
	) {
		this.references = new References(lists, read);
		this.parameters = node.getNode().parameters;
		this.input = {
			item: node.getInputData().json,
			items: node.getExecuteData().data.main?.[0] ?? [],
		};
		this.workflowZone = node.getTimezone();
	}

	/** IANA names: the workflow's time zone, in which users enter times, and the service's. @throws Failure if that is wrong */
	get zones(): { from: string; to: string } {
		return { from: this.workflowZone, to: checkedTimeZone(this.serviceZone) };
	}

	/** Checks which record a locator picks; `Item.id` gives its id. One in a collection is passed as `held`. */
	pick(name: string, held: unknown = this.read(name)): void {
		this.references.pick(name, held);
	}

	isExpression(name: string): boolean {
		return isExpression(this.parameters[name]);
	}
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

/** Reads every field. @returns undefined if there is nothing to do for the item @throws Failure if a value cannot be sent */
export function contentOf<Checked>(
	form: Form,
	operation: RunnableOperation<Checked>,
): Content<Checked> | undefined {
	const { plan, sent, isUpdate } = operation;
	operation.choices.forEach(form.read);
	const panel = enteredIn(sent.body, form.read);
	const entered = plan.entered ? plan.entered(panel, form) : panel;
	if (!entered) return undefined;
	for (const name of operation.locators) form.pick(name);
	const own = bodyOf(sent.body, entered, isUpdate, form);
	const body = plan.body?.(own, form) ?? own;
	if (isUpdate && Object.keys(body).length === 0) {
		throw inputFailure(
			'There is nothing to update',
			'Add at least one field under Update Fields, or check the expressions in the fields',
		);
	}
	const words = operation.words.map((name) => [name, String(form.read(name))] as const);
	return {
		body: isUpdate ? body : withoutEmpty(body),
		query: queryOf(sent.query, form),
		words: Object.fromEntries(words),
		maxWaitMs: maxWaitIn(form),
		checked: plan.check(form),
	};
}

function maxWaitIn({ read }: Form): number {
	const { maxWait } = mapIn(read('options'));
	if (isBlank(maxWait)) return Infinity;
	const seconds = typeof maxWait === 'string' ? Number(maxWait) : maxWait;
	if (typeof seconds === 'number' && seconds > 0) return seconds * 1000;
	throw inputFailure(
		`${maxWaitOption.displayName} must be a number of seconds above 0, but is ${quoted(maxWait)}`,
	);
}
