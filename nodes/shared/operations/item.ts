import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { connect, type Connection } from '../http/connection';
import { type Send, senderOf } from '../http/request';
import { inputFailure } from '../values/failure';
import { mapIn } from '../values/json';
import type { ReadParameter } from '../values/input';
import { fillPath } from '../values/path';
import type { BatchRun } from './batchRun';
import { type Content, contentOf, Form } from './form';
import type { Item, ItemRequest, RunnableOperation } from './operationPlan';
import type { ItemResult } from './steps';
import { webClientOf } from './webClient';

/** What n8n's routing made of the node: the options of the HTTP client are used. */
type Routed = DeclarativeRestApiSettings.ResultOptions['options'];

interface CheckedItem<Checked> {
	item: Item;
	/** Undefined if there is nothing to do for the item. */
	content: Content<Checked> | undefined;
}

/** Reads the credential and every field of an input item. Nothing is sent. */
export async function checkItem<Checked>(
	node: IExecutePaginationFunctions,
	routed: Routed,
	read: ReadParameter,
	operation: RunnableOperation<Checked>,
	run: BatchRun,
): Promise<CheckedItem<Checked>> {
	const { proxy } = routed;
	const skipSslCertificateValidation = routed.skipSslCertificateValidation === true;
	const clientOptions = { ...(proxy && { proxy }), skipSslCertificateValidation };
	// n8n resolves expressions in a credential for each item, so two items may have two keys.
	const connection = await connect(node, operation.service, clientOptions);
	const form = new Form(node, read, operation.plan.lists ?? {}, connection.timezone);
	const content = contentOf(form, operation);
	const item = itemAt(node, connection, form, operation, run, clientOptions);
	const { plan } = operation;
	if (content && plan.claim) item.claim(plan.claim(content, item));
	return { item, content };
}

function itemAt<Checked>(
	node: IExecutePaginationFunctions,
	connection: Connection,
	form: Form,
	{ plan: { isRead } }: RunnableOperation<Checked>,
	run: BatchRun,
	clientOptions: Partial<IHttpRequestOptions>,
): Item {
	const itemIndex = node.getItemIndex();
	const steps = run.stepsOf(itemIndex);
	const timeoutMs = timeoutIn(form.read);
	// n8n 1 gives declarative nodes no signal.
	const signal = 'getExecutionCancelSignal' in node ? node.getExecutionCancelSignal() : undefined;
	const shared = run.connection(connection);
	const options = { isRead, urgent: false, run: shared.turns, signal, timeoutMs };
	const sendNow = senderOf(connection, options, shared.keyCheck);
	const send: Send = async (request) => await shared.send(request, sendNow);
	return {
		form,
		connection,
		send,
		step: async (name, write) => await steps.write(name, async () => await write(send)),
		keyProof: {
			begin: () => shared.keyProof.begin(),
			await: (ask) => steps.awaitProof(shared.keyProof.proved(ask)),
		},
		id: (name) => form.references.id(name),
		indexOf: (list) => shared.indexOf(list, send),
		claim: (claim) => shared.claims.take(itemIndex, claim),
		idsOnce: async (key, read) => await shared.idsOnce(key, read),
		acceptedLimit: (path) => shared.acceptedLimit(path),
		web: webClientOf(node, clientOptions, timeoutMs, signal),
	};
}

/** The user's *Timeout* in milliseconds. n8n's own option is five minutes, even for reads; Node.js timers have a limit. */
function timeoutIn(read: ReadParameter): number | undefined {
	const timeout = Math.floor(Number(mapIn(read('requestOptions')).timeout));
	return timeout > 0 && timeout < 2 ** 31 ? timeout : undefined;
}

/** Looks names up, builds the request, and lets the operation perform it. */
export async function performItem<Checked>(
	{ item, content }: CheckedItem<Checked>,
	{ plan, method, url, locators }: RunnableOperation<Checked>,
): Promise<ItemResult[]> {
	if (!content) return [{ json: {} }];
	// Again, because an earlier item may have been checked after this one.
	if (plan.claim) item.claim(plan.claim(content, item));
	const { indexOf } = item;
	const { references } = item.form;
	const { body, query, words, checked } = content;
	await references.lookUp(indexOf, method);
	const ids = references.idsOf(locators);
	const request: ItemRequest = {
		method,
		path: fillPath(url, { ...ids, ...words }),
		ids,
		query,
		body,
	};
	const results = await plan.perform(request, item, checked);
	if (results.length > MAX_RESULTS) {
		throw inputFailure(
			`The list has more than ${MAX_RESULTS.toLocaleString('en')} records, which is more than n8n can take`,
			'Set a Limit, or use filters to read the list in parts',
		);
	}
	references.note(indexOf, request, results[0]?.json);
	return results;
}

/** n8n fails on about 126,000 records in one item's results, and does not say why. */
export const MAX_RESULTS = 100_000;
