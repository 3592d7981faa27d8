import {
	type IDataObject,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	isExpression,
} from 'n8n-workflow';

import { checkedTimeZone } from '../http/credential';
import type { GetParameter } from '../values/input';
import { type NamedLists, References } from './references';

/** What was entered for one item. Each parameter is evaluated once, and checked before anything is sent. */
export class Form {
	readonly input: { item: IDataObject; items: readonly INodeExecutionData[] };
	readonly references: References;
	private readonly parameters: IDataObject;
	private readonly workflowZone: string;

	constructor(
		node: IExecutePaginationFunctions,
		/** A parameter, checked; null if the node does not have it. */
		readonly parameter: GetParameter,
		lists: NamedLists,
		private readonly serviceZone: string,
	) {
		this.references = new References(lists, parameter);
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
	pick(name: string, held: unknown = this.parameter(name)): void {
		this.references.pick(name, held);
	}

	isExpression(name: string): boolean {
		return isExpression(this.parameters[name]);
	}
}
