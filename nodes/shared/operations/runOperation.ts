// `runOperation` makes what n8n calls for each input item. It finds the run that a call belongs to, and remembers the last one
// for Retry On Fail. `nodeError` turns a Failure into n8n's error, also for triggers.

import {
	type DeclarativeRestApiSettings,
	type IExecutePaginationFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeConnectionTypes,
} from 'n8n-workflow';

import type { Service } from '../http/connection';
import { Failure } from '../values/failure';
import { BatchRun } from './batchRun';
import { Form } from './form';
import { checkItem, performItem } from './performItem';
import {
	completePlan,
	type OperationData,
	type OperationPlan,
	runnable,
	type RunnableOperation,
} from './operationPlan';
import { RESULT_ALONE, type RowOutput, rowOutput } from './rowOutput';

/** n8n's `operations.pagination`, called for each input item. `runOperation` makes it from a plan. */
type Pagination = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

export type RunOperation = (data: OperationData) => Pagination;

/** Makes the function that n8n calls for each input item. It returns the item's results, or its error. */
export const runOperation =
	<Checked>(service: Service, plan: OperationPlan<Checked>): RunOperation =>
	(data) =>
		plan.check
			? runsItems(runnable(service, plan, data))
			: runsItems(runnable(service, completePlan(plan), data));

const runsItems = <Checked>(operation: RunnableOperation<Checked>): Pagination =>
	async function (this, { options }) {
		const { plan, isWrite } = operation;
		const run = batchRunOf(this, isWrite);
		const { node } = run;
		const item = this.getItemIndex();
		let output = RESULT_ALONE;
		const outcome = await run.run(
			item,
			async () => {
				const form = new Form(this, node.parameters, operation, run.items);
				output = rowOutput(form, plan.noResult, node.onError === 'continueErrorOutput');
				return await checkItem(this, options, form, operation, run);
			},
			async (checked, steps) => {
				const results = await performItem(item, checked, operation, steps);
				if (!results) return [{ json: output.skipped(), pairedItem: { item } }];
				return results.map(({ json, ...file }) => ({
					json: output.result(json),
					...file,
					pairedItem: { item },
				}));
			},
		);
		return outcome instanceof Failure ? [failedItem(this, outcome, output)] : outcome;
	};

/** An error item. @throws NodeApiError if the node does not continue on error */
function failedItem(
	node: IExecutePaginationFunctions,
	failure: Failure,
	output: RowOutput,
): INodeExecutionData {
	if (!node.continueOnFail()) throw nodeError(node.getNode(), failure);
	const json = output.failed(failure.explanation);
	return { json, pairedItem: { item: node.getItemIndex() } };
}

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
const runs = new WeakMap<object, BatchRun>();

function batchRunOf(context: IExecutePaginationFunctions, isWrite: boolean): BatchRun {
	const item = context.getItemIndex();
	const executeData = context.getExecuteData();
	const items = executeData.data.main?.[0] ?? [];
	// Each call of an AI tool is a run of its own, but n8n gives all of them the execution data of the agent.
	const isToolCall = items[item] !== context.getInputData();
	const key = isToolCall ? context.getInputData(0, NodeConnectionTypes.AiTool).json : executeData;
	const current = runs.get(key);
	if (current && !current.isPast(item)) return current;
	// n8n copies the node each time.
	const node = context.getNode();
	const itemCount = isToolCall || node.executeOnce === true ? 1 : items.length;
	const continueOnFail = context.continueOnFail();
	const run = new BatchRun({ node, items, itemCount, continueOnFail, isWrite }, current);
	runs.set(key, run);
	return run;
}
