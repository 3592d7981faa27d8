// What the user entered for an item (`Form`), each field read once; also its input row, the records it picks, and the time zones
// of its dates.

import {
	type IDataObject,
	type IExecutePaginationFunctions,
	type INodeParameters,
	type INodeProperties,
	isExpression,
} from 'n8n-workflow';

import { checkedTimeZone } from '../http/credential';
import type { GetParameter } from '../values/input';
import type { InputItems } from './inputItems';
import type { MappedColumns } from './mappedColumns';
import { parameterGetter } from './parameters';
import { type NamedLists, References } from './references';

/** What an operation says of its forms. */
export interface FormPlan {
	/** Where names are looked up, by the locators that may hold them. */
	lists?: NamedLists;
	/** The columns of an input row that fill fields; undefined if the fields are filled by hand. */
	mappedColumns?: (parameter: GetParameter, row: IDataObject) => MappedColumns | undefined;
}

/** What was entered for one item. Each parameter is evaluated once, and checked before anything is sent. */
export class Form {
	/** A parameter, checked; null if the node does not have it. */
	readonly parameter: GetParameter;
	readonly input: { item: IDataObject; items: InputItems };
	/** The columns of the item that fill fields; undefined if the fields are filled by hand. */
	readonly mapped: MappedColumns | undefined;
	readonly references: References;
	/** As the credential says, which is read after the form is made, and before any date is parsed. */
	serviceZone = '';
	private readonly workflowZone: string;

	/** @param parameters of the node, as it holds them */
	constructor(
		node: IExecutePaginationFunctions,
		readonly parameters: INodeParameters,
		{ plan, fields }: { plan: FormPlan; fields: ReadonlyMap<string, INodeProperties> },
		items: InputItems,
	) {
		const get: GetParameter = (path) => node.getNodeParameter(path, null);
		this.parameter = parameterGetter(parameters, fields, get);
		this.input = { item: node.getInputData().json, items };
		this.mapped = plan.mappedColumns?.(this.parameter, this.input.item);
		this.references = new References(plan.lists ?? {}, this.parameter);
		this.workflowZone = node.getTimezone();
	}

	/** IANA names: the workflow's time zone, in which users enter times, and the service's. @throws Failure if that is wrong */
	get zones(): { from: string; to: string } {
		return { from: this.workflowZone, to: checkedTimeZone(this.serviceZone) };
	}

	/** Checks which record a locator picks; `Item.id` gives its id. One in a collection is passed as `held`. */
	pick(name: string, held: unknown = this.parameter(name)): void {
		this.references.pick(name, held);
	}

	isExpression(name: string): boolean {
		return isExpression(this.parameters[name]);
	}
}
