// `runOperation` makes what n8n calls for each row: it finds the run of the row, and outputs its results or its error.

import {
	type DeclarativeRestApiSettings,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import type { Service } from '../http/connection';
import { Failure } from '../values/failure';
import { Form, formPlan } from './form';
import type { Operation } from './operation';
import { besideColumns, nodeError, placeOf } from './output';
import { prepareRow } from './row';
import { Run } from './run';
import { sessionOf } from './session';

/** n8n's `operations.pagination`, called for each input item. */
export type Pagination = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

export function runOperation(service: Service, operation: Operation): Pagination {
	const { request, isRead, failed } = operation;
	const plan = formPlan(operation);
	const isWrite = request.method !== 'GET' && isRead !== true;
	return async function (this, { options }) {
		const run = runOf(this, isWrite);
		const item = this.getItemIndex();
		const { json: input } = this.getInputData();
		const place = placeOf(input, item, run.options.rowCount);
		const outcome = await run.take(item, place, async () => {
			const session = await sessionOf(this, options, service, isRead, run);
			const form = new Form(this, plan, session.connection.timezone);
			return prepareRow(form, plan, session, place, run);
		});
		if (!(outcome instanceof Failure)) return outcome;
		const node = this.getNode();
		if (!this.continueOnFail()) throw nodeError(node, outcome);
		const error = outcome.explanation;
		// n8n recognizes an item for the error output by its only member, `error`, and adds the input row itself.
		const isAlone = node.onError === 'continueErrorOutput';
		const json = isAlone ? { error } : besideColumns(input, { ...failed, error });
		return [{ json, pairedItem: { item } }];
	};
}

/** The last try of each run, by an object that n8n keeps over all tries: execution data, or arguments of an AI tool call. */
const runs = new WeakMap<object, Run>();

function runOf(context: IExecutePaginationFunctions, isWrite: boolean): Run {
	const item = context.getItemIndex();
	const executeData = context.getExecuteData();
	const items = executeData.data.main?.[0] ?? [];
	// Each call of an AI tool is a run of its own, but n8n gives all of them the execution data of the agent.
	const isToolCall = items[item] !== context.getInputData();
	const key = isToolCall ? context.getInputData(0, NodeConnectionTypes.AiTool).json : executeData;
	const rowCount = isToolCall || context.getNode().executeOnce === true ? 1 : items.length;
	const last = runs.get(key);
	if (last && !last.isPast(item)) return last;
	const run = new Run({ rowCount, isWrite, continues: context.continueOnFail() }, last);
	runs.set(key, run);
	return run;
}
