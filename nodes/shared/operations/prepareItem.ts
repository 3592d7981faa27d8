import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestMethods,
} from 'n8n-workflow';
import { deepCopy, isExpression } from 'n8n-workflow';

import type { Service } from '../http/connection';
import { connect } from '../http/connection';
import type { Send } from '../http/request';
import { sendRequest } from '../http/request';
import { failureOf, inputFailure } from '../values/failure';
import { integerIn, mapIn } from '../values/json';
import type { ReadParameter } from '../values/path';
import { fillPath } from '../values/path';
import { isOn } from '../values/text';
import type { BatchRun, PreparedItem } from './batchRun';
import type { ItemContext, ItemRequest, OperationPlan } from './plan';
import { explainRefusal } from './refusal';
import { References } from './references';
import { bodyOf, withoutEmpty } from './sentFields';

/**
 * Makes the request of an item, and checks all that can be checked without sending anything.
 * @throws Failure if a value cannot be sent
 */
export async function prepareItem(
	context: IExecutePaginationFunctions,
	{ options }: DeclarativeRestApiSettings.ResultOptions,
	service: Service,
	plan: OperationPlan,
	run: BatchRun,
): Promise<PreparedItem> {
	const { proxy, skipSslCertificateValidation } = options;
	const clientOptions = {
		...(proxy === undefined ? {} : { proxy }),
		skipSslCertificateValidation: skipSslCertificateValidation === true,
	};
	// n8n resolves expressions in a credential for each item, so two items may have two keys.
	const connection = await connect(context, service, clientOptions);
	const read = parametersOf(context, true);
	const held = parametersOf(context, false);
	// Read from the user's setting: n8n's own option is five minutes if there is none, for reads, too.
	const timeoutMs = integerIn(mapIn(read('requestOptions')).timeout);
	const references = new References(plan.lists ?? {}, read);
	const { method = 'GET' } = options;
	const isWrite = method !== 'GET' && plan.isRead !== true;

	const signal = cancelSignal(context);

	const send: Send = async (request) =>
		await sendRequest(connection, request, {
			repeatable: !isWrite || request.method === 'GET',
			urgent: false,
			signal,
			timeoutMs,
		});
	// Many items may need the same check, for instance of one purchase code.
	const sendOnce: Send = async (request) => {
		const { connectionKey } = connection;
		const response = await run.once(connectionKey, request, async () => await send(request));
		const { body, answeredAt } = response;
		return { body: deepCopy(body), answeredAt };
	};
	const itemContext: ItemContext = {
		connection,
		read,
		id: (name, value = held(name)) => references.id(name, value),
		indexOf: (list) => run.indexOf(connection, list, send),
		web: {
			get: async (request): Promise<unknown> =>
				await context.helpers.httpRequest({ ...clientOptions, ...request }),
			timeoutMs,
			cancelled: signal,
			file: async (...file) => await context.helpers.prepareBinaryData(...file),
		},
		isExpression: (name) => isExpression(context.getNode().parameters[name]),
		zones: { from: context.getTimezone(), to: connection.timezone },
	};
	const { indexOf } = itemContext;
	const checked = filledRequest(options, plan, itemContext);
	return {
		connectionKey: connection.connectionKey,
		isWrite,
		async perform() {
			await references.resolve(indexOf, method);
			const request = references.isEmpty ? checked : filledRequest(options, plan, itemContext);
			const results = await perform(plan, request, plan.isRead ? sendOnce : send, itemContext);
			references.note(indexOf, request, results[0]);
			const { includeInputFields } = mapIn(read('options'));
			const input = isOn(includeInputFields) ? context.getInputData().json : undefined;
			return await Promise.all(
				results.map(async (result) => ({
					json: input ? withInput(input, result) : result,
					...(plan.binary ? { binary: await plan.binary(result, itemContext) } : {}),
				})),
			);
		},
	};
}

/** The fields of the input row and of the result, which wins; its undefined members count as absent. */
function withInput(input: IDataObject, result: IDataObject): IDataObject {
	const given = Object.entries(result).filter(([, value]) => value !== undefined);
	return { ...deepCopy(input), ...Object.fromEntries(given) };
}

/** Reads the parameters of an item, each evaluated once. @param extractValue whether of a locator only its value is read */
function parametersOf(context: IExecutePaginationFunctions, extractValue: boolean): ReadParameter {
	const { parameters } = context.getNode();
	const values = new Map<string, unknown>();
	return (name) => {
		// n8n drops parameters that its panel does not show, and throws if one of them is read.
		if (!(name in parameters)) return null;
		const value = values.has(name)
			? values.get(name)
			: context.getNodeParameter(name, null, { extractValue });
		values.set(name, value);
		return value;
	};
}

function filledRequest(
	options: DeclarativeRestApiSettings.ResultOptions['options'],
	plan: OperationPlan,
	context: ItemContext,
): ItemRequest {
	const { method = 'GET', url = '', qs = {} } = options;
	const { path, ids } = fillPath(url, context.read, plan.allowedValues, context.id);
	const query = withoutEmpty(qs);
	return {
		method,
		path,
		ids,
		body: bodyToSend(plan, method, mapIn(options.body), context),
		query: plan.query?.(query, context) ?? query,
	};
}

/** @throws Failure if a value cannot be sent, or an update changes nothing */
function bodyToSend(
	plan: OperationPlan,
	method: IHttpRequestMethods,
	entered: IDataObject,
	context: ItemContext,
): IDataObject {
	const isUpdate = method === 'PUT';
	const read = bodyOf(plan.fields ?? [], entered, isUpdate, context);
	const body = plan.body?.(read, context) ?? read;
	if (!isUpdate) return withoutEmpty(body);
	if (Object.keys(body).length > 0) return body;
	throw inputFailure(
		'There is nothing to update',
		'Add at least one field under Update Fields, or check the expressions in them',
	);
}

async function perform(
	plan: OperationPlan,
	request: ItemRequest,
	send: Send,
	context: ItemContext,
): Promise<IDataObject[]> {
	try {
		if (plan.perform) return await plan.perform(request, send, context);
		const response = await send(request);
		return plan.results(response.body, request, { ...context, at: response.answeredAt });
	} catch (error) {
		const failure = failureOf(error);
		const results = plan.recover?.(failure, request, context);
		if (results) return results;
		throw explainRefusal(failure, plan);
	}
}

/** n8n 1 does not tell a declarative node that the execution was cancelled. */
function cancelSignal(context: IExecutePaginationFunctions): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}
