import {
	type DeclarativeRestApiSettings,
	type IDataObject,
	type IExecutePaginationFunctions,
	type INodeProperties,
	isExpression,
} from 'n8n-workflow';

import { connect, type Service } from '../http/connection';
import { type Send, senderOf } from '../http/request';
import { type Failure, inputFailure } from '../values/failure';
import { mapIn } from '../values/json';
import type { ReadParameter } from '../values/input';
import { fillPath } from '../values/path';
import type { BatchRun, ItemResult } from './batchRun';
import type { ItemContext, ItemRequest } from './itemContext';
import { checkChoices } from './parameters';
import { type NamedLists, References } from './references';
import { bodyOf, withoutEmpty } from './sentFields';

export type Results = (
	body: IDataObject,
	request: ItemRequest,
	context: ItemContext,
) => IDataObject[];

export interface OperationPlan {
	/** Turns the response into results. Default: the body is the only one. */
	results?: Results;
	/** Changes what was entered, before it is read. @returns undefined if there is nothing to do for the item */
	entered?(body: IDataObject, context: ItemContext): IDataObject | undefined;
	/** Adds to the body what no single field holds. */
	body?(body: IDataObject, context: ItemContext): IDataObject;
	query?(query: IDataObject, context: ItemContext): IDataObject;
	/** The columns of an input row that fill fields; undefined if the fields are filled by hand. */
	mappedColumns?: (read: ReadParameter, row: IDataObject) => readonly string[] | undefined;
	lists?: NamedLists;
	/** Whether it changes nothing at the service, although it is no GET. */
	isRead?: boolean;
	/** Whether empty fields are sent, to clear values. Then a request without any field is refused. */
	isUpdate?: boolean;
	/**
	 * Sends the requests itself, if there may be more than one; then `results` is not called.
	 * @param send for reads; a write is sent in a `context.step`, so that a retry does not repeat it
	 */
	perform?(request: ItemRequest, send: Send, context: ItemContext): Promise<IDataObject[]>;
	/** Makes an output item of a result, for instance one with a file. */
	complete?(result: IDataObject, context: ItemContext): Promise<ItemResult>;
}

interface CompleteOperation extends OperationPlan {
	service: Service;
	fields: readonly INodeProperties[];
}

type RoutedRequest = DeclarativeRestApiSettings.ResultOptions['options'];

/**
 * Makes the request of an item, and checks what can be checked without sending it. @returns a function that sends it
 * @param options what n8n's routing made of the fields
 */
export async function prepareItem(
	node: IExecutePaginationFunctions,
	options: RoutedRequest,
	read: ReadParameter,
	plan: CompleteOperation,
	run: BatchRun,
): Promise<() => Promise<ItemResult[]>> {
	const { parameters } = node.getNode();
	const locatorIn = (name: string): unknown =>
		name in parameters ? node.getNodeParameter(name, null, { extractValue: false }) : null;
	const { proxy, method = 'GET' } = options;
	const skipSslCertificateValidation = options.skipSslCertificateValidation === true;
	const clientOptions = { ...(proxy && { proxy }), skipSslCertificateValidation };
	// n8n resolves expressions in a credential for each item, so two items may have two keys.
	const connection = await connect(node, plan.service, clientOptions);
	const shared = run.connection(connection);
	// The user's setting: n8n's own option is five minutes, even for reads. Node.js timers have a limit.
	const timeout = Math.floor(Number(mapIn(read('requestOptions')).timeout));
	const timeoutMs = timeout > 0 && timeout < 2 ** 31 ? timeout : undefined;
	// n8n 1 gives declarative nodes no signal.
	const signal = 'getExecutionCancelSignal' in node ? node.getExecutionCancelSignal() : undefined;

	const sendOptions = { isRead: plan.isRead, urgent: false, signal, timeoutMs };
	const sendNow = senderOf(connection, sendOptions, shared.account);
	const send: Send = async (request) => await shared.send(request, sendNow);
	const references = new References(plan.lists ?? {}, read);
	const context: ItemContext = {
		connection,
		read,
		id: (name, held = locatorIn(name)) => references.id(name, held),
		indexOf: (list) => shared.indexOf(list, send),
		acceptedLimit: (path) => shared.acceptedLimit(path),
		step: async (name, write) =>
			await run.step(node.getItemIndex(), name, async () => await write(send)),
		keyProof: {
			begin: () => shared.keyProof.begin(),
			await: (ask) => run.awaitProof(node.getItemIndex(), shared.keyProof.proved(ask)),
		},
		web: {
			get: async (request): Promise<unknown> =>
				await node.helpers.httpRequest({ ...clientOptions, ...request }),
			timeoutMs,
			cancelled: signal,
			file: async (...file) => await node.helpers.prepareBinaryData(...file),
		},
		input: { item: node.getInputData().json, items: node.getExecuteData().data.main?.[0] ?? [] },
		isExpression: (name) => isExpression(parameters[name]),
		zones: { from: node.getTimezone(), to: connection.timezone },
	};
	checkChoices(plan.fields, read);
	const panel = mapIn(options.body);
	const entered = plan.entered ? plan.entered(panel, context) : panel;
	if (!entered) return async () => await Promise.resolve([{ json: {} }]);
	const filled = () => filledRequest({ ...options, body: entered }, plan, context);
	// To check it. It is filled again when the names in it have been looked up.
	filled();
	const { results: resultsOf = (body) => [body] } = plan;
	return async () => {
		await references.resolve(context.indexOf, method);
		const request = filled();
		const results = plan.perform
			? await plan.perform(request, send, context)
			: resultsOf((await send(request)).body, request, context);
		if (results.length > MAX_RESULTS) throw tooMany();
		references.note(context.indexOf, request, results[0]);
		return await Promise.all(
			results.map(async (json) => (await plan.complete?.(json, context)) ?? { json }),
		);
	};
}

function filledRequest(
	{ method = 'GET', url = '', qs = {}, body: entered }: RoutedRequest,
	{ fields, isUpdate = false, ...plan }: CompleteOperation,
	context: ItemContext,
): ItemRequest {
	const isWord = (name: string) =>
		fields.some((field) => field.name === name && field.type === 'options');
	const word = (name: string) => (isWord(name) ? String(context.read(name)) : undefined);
	const { path, ids } = fillPath(url, context.id, word);
	const query = withoutEmpty(qs);
	const read = bodyOf(fields, mapIn(entered), isUpdate, context);
	const body = plan.body?.(read, context) ?? read;
	if (isUpdate && Object.keys(body).length === 0) {
		throw inputFailure(
			'There is nothing to update',
			'Add at least one field under Update Fields, or check the expressions in the fields',
		);
	}
	return {
		method,
		path,
		ids,
		body: isUpdate ? body : withoutEmpty(body),
		query: plan.query?.(query, context) ?? query,
	};
}

/** n8n fails on about 126,000 records in one item's results, and does not say why. */
export const MAX_RESULTS = 100_000;

const tooMany = (): Failure =>
	inputFailure(
		`The list has more than ${MAX_RESULTS.toLocaleString('en')} records, which is more than n8n can take`,
		'Set a Limit, or use filters to read the list in parts',
	);
