// `runOperation` makes what n8n calls for each row: it finds the run of the row, and outputs its results or its error.

import {
	deepCopy,
	type DeclarativeRestApiSettings,
	type IDataObject,
	type IExecutePaginationFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeConnectionTypes,
} from 'n8n-workflow';

import type { Service } from '../http/connection';
import { Failure } from '../values/failure';
import { mapIn, without } from '../values/json';
import { Form, formPlan } from './form';
import type { OperationData, Plan } from './operation';
import { prepareRow } from './row';
import { Run } from './run';
import { sessionOf } from './session';

/** n8n's `operations.pagination`, called for each input item. */
export type Pagination = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

export type RunOperation = (data: OperationData) => Pagination;

export const runOperation =
	(service: Service, plan: Plan): RunOperation =>
	(data) => {
		const operation = { ...data, ...formPlan(plan, data) };
		const isWrite = data.request.method !== 'GET' && plan.isRead !== true;
		return async function (this, { options }) {
			const run = runOf(this, isWrite);
			const item = this.getItemIndex();
			let row: IDataObject | undefined;
			const outcome = await run.take(item, async () => {
				const session = await sessionOf(this, options, service, plan.isRead, run);
				const form = new Form(this, operation, session.connection.timezone);
				row = outputRow(form);
				const perform = prepareRow(form, operation, session, item);
				return async (memory) =>
					(await perform(memory)).map(({ json, ...file }) => ({
						json: row ? beside(row, json) : json,
						...file,
						pairedItem: { item },
					}));
			});
			if (!(outcome instanceof Failure)) return outcome;
			const node = this.getNode();
			if (!this.continueOnFail()) throw nodeError(node, outcome);
			const error = outcome.explanation;
			// n8n recognizes an item for the error output by its only member, `error`, and adds the input row itself.
			const isAlone = node.onError === 'continueErrorOutput';
			const json = row && !isAlone ? beside(row, { ...plan.failed, error }) : { error };
			return [{ json, pairedItem: { item } }];
		};
	};

/**
 * The columns of the row, if they are output beside the result. Only a failed row has an `error`: n8n takes a first item with
 * any for a failed one.
 */
const outputRow = ({ columns, parameter, row }: Form): IDataObject | undefined =>
	columns || mapIn(parameter('options')).includeInputFields === true
		? without(row, 'error')
		: undefined;

/** A result with the columns of its row, in place of those that it has no value for. */
const beside = (row: IDataObject, json: IDataObject): IDataObject => {
	const members = Object.entries(json).filter(([, value]) => value !== undefined);
	return deepCopy({ ...row, ...Object.fromEntries(members) });
};

export function nodeError(node: INode, failure: Failure): NodeApiError {
	const { message, advice: description, httpCode, cause } = failure;
	const status = httpCode === undefined ? {} : { httpCode: String(httpCode) };
	const error = new NodeApiError(node, { message }, { message, description, ...status });
	if (cause instanceof Error) error.cause = cause;
	// The editor would add n8n's number of the item, which counts from 0, to a message that counts from 1.
	Object.defineProperty(error.context, 'itemIndex', { get: () => undefined, set: () => undefined });
	return error;
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
