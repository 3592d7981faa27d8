// What n8n calls for each row of an operation: finds the batch of the row, and outputs its items or its error.

import {
	type DeclarativeRestApiSettings,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import type { Service } from '../http/connection';
import { nodeError } from '../http/nodeError';
import { Failure } from '../values/failure';
import { Batch } from './batch';
import type { Operation } from './operation';
import { rowLabel } from './output';
import { besideColumns, checkRow } from './rowContext';
import { EnteredRow, operationFields } from './rowInput';
import { sessionOf } from './session';

/** n8n's `operations.pagination`, called for each input item. */
export type Pagination = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

export function executeOperation(service: Service, operation: Operation): Pagination {
	const { request, isSafe, failed } = operation;
	const fields = operationFields(operation);
	const isWrite = request.method !== 'GET' && isSafe !== true;
	return async function (this, { options }) {
		const isDryRun = operation.isDryRun?.((name) => this.getNodeParameter(name, null)) === true;
		const continues = this.continueOnFail() || isDryRun;
		const batch = batchOf(this, { isWrite, continues });
		const item = this.getItemIndex();
		const { json: columns } = this.getInputData();
		const label = rowLabel(columns, item);
		const { isToolCall, rowCount } = batch.options;
		const outcome = await batch.run(item, label, async () => {
			const session = await sessionOf(this, options, service, isSafe, batch);
			const { timezone, baseUrl } = session.connection;
			const input = new EnteredRow(this, fields, timezone, baseUrl, isToolCall);
			return checkRow(input, fields, session, {
				label: label.text,
				rowsLeft: rowCount - item - 1,
				yieldTurn: async () => await batch.yieldTurn(),
			});
		});
		if (!(outcome instanceof Failure)) return outcome;
		const node = this.getNode();
		const error = outcome.explanation;
		// A model may get to read only the message.
		const told = isToolCall ? outcome.with({ message: error, advice: '' }) : outcome;
		if (!continues) throw nodeError(node, told);
		// n8n recognizes an item for the error output by its only member, `error`, and adds the input row itself.
		const isAlone = node.onError === 'continueErrorOutput' && !isDryRun;
		const result = { ...failed, ...outcome.written, error };
		const json = isAlone ? { error } : besideColumns(columns, result, operation);
		return [{ json, pairedItem: { item } }];
	};
}

/** The last try of each run, by an object that n8n keeps over all tries: execution data, or arguments of an AI tool call. */
const batches = new WeakMap<object, Batch>();

function batchOf(
	context: IExecutePaginationFunctions,
	options: { isWrite: boolean; continues: boolean },
): Batch {
	const item = context.getItemIndex();
	const executeData = context.getExecuteData();
	const items = executeData.data.main?.[0] ?? [];
	// Each call of an AI tool is a run of its own, but n8n gives all of them the execution data of the agent.
	const isToolCall = items[item] !== context.getInputData();
	const key = isToolCall ? context.getInputData(0, NodeConnectionTypes.AiTool).json : executeData;
	const rowCount = isToolCall || context.getNode().executeOnce === true ? 1 : items.length;
	const last = batches.get(key);
	if (last && !last.isPast(item)) return last;
	const batch = new Batch({ ...options, rowCount, isToolCall }, last);
	batches.set(key, batch);
	return batch;
}
