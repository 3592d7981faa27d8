import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeProperties,
} from 'n8n-workflow';
import { deepCopy, isExpression } from 'n8n-workflow';

import type { ApiRequest, Service } from '../http/connection';
import { connect } from '../http/connection';
import type { Send } from '../http/request';
import { sendRequest, timeoutIn } from '../http/request';
import type { Failure } from '../values/failure';
import { failureOf, inputFailure } from '../values/failure';
import { mapIn } from '../values/json';
import type { ReadParameter } from '../values/path';
import { fillPath } from '../values/path';
import type { BatchRun, ItemResult, PreparedItem } from './batchRun';
import type { ItemContext, ItemRequest, ResponseContext } from './itemContext';
import type { MappedColumns } from './inputRow';
import { checkChoices } from './parameters';
import type { NamedLists } from './references';
import { References } from './references';
import { explainRefusal } from './refusal';
import { bodyOf, queryOf, withoutEmpty } from './sentFields';

/** What an operation is made of; `operation` does the rest. */
export interface OperationPlan {
	/** Turns a response into the item's results. */
	results(body: IDataObject, request: ItemRequest, context: ResponseContext): IDataObject[];
	/** The labels for members of the body that no single field sends; for messages. */
	labels?: Readonly<Record<string, string>>;
	/**
	 * Changes what was entered in the fields, before it is read.
	 * @returns undefined if there is nothing to do for the item
	 */
	entered?(body: IDataObject, context: ItemContext): IDataObject | undefined;
	/**
	 * Adds to the body what no single field holds.
	 * @throws Failure of the kind `input`
	 */
	body?(body: IDataObject, context: ItemContext): IDataObject;
	/** The same for the query that n8n's routing made. */
	query?(query: IDataObject, context: ItemContext): IDataObject;
	/** Which columns of the input row fill fields; then the row is output, too. */
	mappedColumns?: MappedColumns;
	/** The lists in which a locator's name is looked up. */
	lists?: NamedLists;
	/** Whether it changes nothing at the service, although it is no GET. */
	isRead?: boolean;
	/** Whether it changes a record: then a blank field is sent, and clears, and a request without any field is refused. */
	isUpdate?: boolean;
	/**
	 * Sends the requests itself, if there may be more than one; then `results` is not called.
	 * @param send for reads; writes are sent with `context.step`
	 */
	perform?(request: ItemRequest, send: Send, context: ItemContext): Promise<IDataObject[]>;
	/** Makes an item of a result, with a file for instance. */
	complete?(result: IDataObject, context: ItemContext): Promise<ItemResult>;
}

/** An operation with the fields of its panel. */
export interface OperationWithFields extends OperationPlan {
	fields: readonly INodeProperties[];
}

type RoutedRequest = DeclarativeRestApiSettings.ResultOptions['options'];

/**
 * Makes the request of an item, and checks all that can be checked without sending anything.
 * @param options what n8n's routing made of the fields
 * @throws Failure if a value cannot be sent
 */
export async function prepareItem(
	context: IExecutePaginationFunctions,
	options: RoutedRequest,
	read: ReadParameter,
	service: Service,
	plan: OperationWithFields,
	run: BatchRun,
): Promise<PreparedItem> {
	const item = context.getItemIndex();
	const { parameters } = context.getNode();
	const stored = (name: string): unknown =>
		context.getNodeParameter(name, null, { extractValue: false });
	const { proxy, skipSslCertificateValidation, method = 'GET' } = options;
	const clientOptions = {
		...(proxy === undefined ? {} : { proxy }),
		skipSslCertificateValidation: skipSslCertificateValidation === true,
	};
	// n8n resolves expressions in a credential for each item, so two items may have two keys.
	const connection = await connect(context, service, clientOptions);
	const { connectionKey } = connection;
	// Read from the user's setting: n8n's own option is five minutes if there is none, for reads, too.
	const timeoutMs = timeoutIn(mapIn(read('requestOptions')).timeout);
	const references = new References(plan.lists ?? {}, read);
	const isWrite = method !== 'GET' && plan.isRead !== true;
	const signal = cancelSignal(context);

	const sendNow: Send = async (request) =>
		await sendRequest(connection, request, {
			repeatable: !isWrite || request.method === 'GET',
			urgent: false,
			signal,
			timeoutMs,
		});
	const account: ApiRequest = { method: 'GET', path: service.testPath };
	const readAccount = async () =>
		await run.account(connectionKey, async () => await sendNow(account));
	const send: Send = async (request) =>
		await run.send(connectionKey, async () => {
			try {
				return await sendNow(request);
			} catch (error) {
				throw await settled(failureOf(error), readAccount);
			}
		});
	const sendRead: Send = async (request) => {
		if (request.method === 'GET') return await send(request);
		if (isWrite) throw new Error('A write belongs in a step');
		// Many items may need the same check, for instance of one purchase code.
		const response = await run.once(connectionKey, request, async () => await send(request));
		const { body, answeredAt } = response;
		return { body: deepCopy(body), answeredAt };
	};
	const itemContext: ItemContext = {
		connection,
		read,
		id: (name, held = name in parameters ? stored(name) : null) => references.id(name, held),
		indexOf: (list) => run.indexOf(connection, list, send),
		step: async (name, write) => await run.step(item, name, async () => await write(send)),
		web: {
			get: async (request): Promise<unknown> =>
				await context.helpers.httpRequest({ ...clientOptions, ...request }),
			timeoutMs,
			cancelled: signal,
			file: async (...file) => await context.helpers.prepareBinaryData(...file),
		},
		input: {
			item: context.getInputData().json,
			items: context.getExecuteData().data.main?.[0] ?? [],
		},
		isExpression: (name) => isExpression(parameters[name]),
		zones: { from: context.getTimezone(), to: connection.timezone },
	};
	const { indexOf } = itemContext;
	checkChoices(plan.fields, read);
	const panel = mapIn(options.body);
	const entered = plan.entered ? plan.entered(panel, itemContext) : panel;
	if (!entered) return { isWrite, perform: async () => await Promise.resolve([{ json: {} }]) };
	const filled = { ...options, body: entered };
	const checked = filledRequest(filled, plan, itemContext);
	if (plan.isRead && method !== 'GET') run.share(connectionKey, checked);
	return {
		isWrite,
		async perform() {
			await references.resolve(indexOf, method);
			const request = references.isEmpty ? checked : filledRequest(filled, plan, itemContext);
			const results = await perform(plan, request, send, sendRead, itemContext);
			references.note(indexOf, request, results[0]);
			return await Promise.all(
				results.map(async (json) => (await plan.complete?.(json, itemContext)) ?? { json }),
			);
		},
	};
}

/** @throws Failure if a value cannot be sent, or an update changes nothing */
function filledRequest(
	options: RoutedRequest,
	plan: OperationWithFields,
	context: ItemContext,
): ItemRequest {
	const { method = 'GET', url = '', qs = {} } = options;
	const { fields, isUpdate = false } = plan;
	const { path, ids } = fillPath(url, context.id, (name) => wordIn(fields, name, context));
	const query = queryOf(fields, qs);
	const read = bodyOf(fields, mapIn(options.body), isUpdate, context);
	const body = plan.body?.(read, context) ?? read;
	if (isUpdate && Object.keys(body).length === 0) {
		throw inputFailure(
			'There is nothing to update',
			'Add at least one field under Update Fields, or check the expressions in them',
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

/** What an options field puts into the path; undefined if the parameter is not one, but an id. */
const wordIn = (
	fields: readonly INodeProperties[],
	name: string,
	{ read }: ItemContext,
): string | undefined =>
	fields.some((field) => field.name === name && field.type === 'options')
		? String(read(name))
		: undefined;

async function perform(
	plan: OperationWithFields,
	request: ItemRequest,
	send: Send,
	sendRead: Send,
	context: ItemContext,
): Promise<IDataObject[]> {
	try {
		if (plan.perform) return await plan.perform(request, sendRead, context);
		const response = await (plan.isRead ? sendRead : send)(request);
		return plan.results(response.body, request, { ...context, at: response.answeredAt });
	} catch (error) {
		throw explainRefusal(failureOf(error), plan);
	}
}

/** What a 403 in words that nobody knows means: if the account can be read, the service refused this request alone. */
async function settled(failure: Failure, readAccount: () => Promise<unknown>): Promise<Failure> {
	if (failure.kind !== 'forbidden') return failure;
	try {
		await readAccount();
		return failure.with({ kind: 'refused', advice: '' });
	} catch (error) {
		const account = failureOf(error);
		return ['unauthorised', 'noAccess'].includes(account.kind) ? account : failure;
	}
}

/** n8n 1 does not tell a declarative node that the execution was cancelled. */
function cancelSignal(context: IExecutePaginationFunctions): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}
