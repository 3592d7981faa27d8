// One input item: `checkItem` reads its credential and form, and sends nothing. `performItem` looks names up, builds the request,
// and lets the operation send it.

import type { DeclarativeRestApiSettings, IExecutePaginationFunctions } from 'n8n-workflow';

import { connect } from '../http/connection';
import { senderOf } from '../http/request';
import { type Failure, inputFailure } from '../values/failure';
import { mapIn } from '../values/json';
import type { GetParameter } from '../values/input';
import { fillPath } from '../values/path';
import type { BatchRun } from './batchRun';
import { contentOf } from './content';
import type { Form } from './form';
import { Item, type ItemAccess, limitExplained } from './item';
import type { Content, ItemRequest, RunnableOperation } from './operationPlan';
import type { ItemResult, Steps } from './steps';
import { webClientOf } from './webClient';

/** What n8n's routing made of the node: the options of the HTTP client are used. */
type Routed = DeclarativeRestApiSettings.ResultOptions['options'];

interface CheckedItem<Checked> extends ItemAccess {
	/** Undefined if there is nothing to do for the item. */
	content: Content<Checked> | undefined;
}

/** Reads the credential and every field of an input item. Nothing is sent. */
export async function checkItem<Checked>(
	node: IExecutePaginationFunctions,
	routed: Routed,
	form: Form,
	operation: RunnableOperation<Checked>,
	run: BatchRun,
): Promise<CheckedItem<Checked>> {
	const { proxy } = routed;
	const skipSslCertificateValidation = routed.skipSslCertificateValidation === true;
	const clientOptions = { ...(proxy && { proxy }), skipSslCertificateValidation };
	// n8n resolves expressions in a credential for each item, so two items may have two keys.
	const connection = await connect(node, operation.service, clientOptions, run.connections);
	form.serviceZone = connection.timezone;
	const content = contentOf(form, operation);
	const timeoutMs = timeoutIn(form.parameter);
	// n8n 1 gives declarative nodes no signal.
	const signal = 'getExecutionCancelSignal' in node ? node.getExecutionCancelSignal() : undefined;
	const shared = run.sharedBy(connection.connectionKey, (turns) =>
		senderOf(connection, {
			isRead: operation.plan.isRead,
			urgent: false,
			run: turns,
			signal,
			timeoutMs,
		}),
	);
	const web = webClientOf(node, clientOptions, timeoutMs, signal);
	const checked = { connection, form, content, shared, web };
	takeClaim(node.getItemIndex(), checked, operation);
	return checked;
}

/** @throws Failure if an earlier item changes the same, and says something else */
function takeClaim<Checked>(
	itemIndex: number,
	{ connection, content, shared }: CheckedItem<Checked>,
	{ plan }: RunnableOperation<Checked>,
): void {
	const claim = content && plan.claim?.(content, connection);
	if (claim) shared.claims.take(itemIndex, claim);
}

/** Looks names up, builds the request, and lets the operation perform it. @returns undefined if there is nothing to do */
export async function performItem<Checked>(
	itemIndex: number,
	checkedItem: CheckedItem<Checked>,
	operation: RunnableOperation<Checked>,
	steps: Steps,
): Promise<ItemResult[] | undefined> {
	const { plan, method, url, locators } = operation;
	const { content, form } = checkedItem;
	if (!content) return undefined;
	// Again, because an earlier item may have been checked after this one.
	takeClaim(itemIndex, checkedItem, operation);
	const { body, query, words, checked, maxWaitMs } = content;
	const item = new Item(checkedItem, itemIndex, steps, maxWaitMs);
	try {
		await form.references.lookUp(item.lookUp, method);
		const ids = form.references.idsOf(locators);
		const path = fillPath(url, { ...ids, ...words });
		const request: ItemRequest = { method, path, ids, query, body };
		const results = await plan.perform(request, item, checked);
		if (results.length > MAX_RESULTS) throw tooMany();
		form.references.note(item.shared.indexOf, request, results[0]?.json);
		return results;
	} catch (error) {
		const failure = limitExplained(error, maxWaitMs);
		throw plan.explained?.(failure, body, form) ?? failure;
	}
}

const tooMany = (): Failure =>
	inputFailure(
		`The list has more than ${MAX_RESULTS.toLocaleString('en')} records, which is more than n8n can take`,
		'Set a Limit, or use filters to read the list in parts',
	);

/** The user's *Timeout* in milliseconds. n8n's own option is five minutes, even for reads; Node.js timers have a limit. */
function timeoutIn(parameter: GetParameter): number | undefined {
	const timeout = Math.floor(Number(mapIn(parameter('requestOptions')).timeout));
	return timeout > 0 && timeout < 2 ** 31 ? timeout : undefined;
}

/** n8n fails on about 126,000 records in one item's results, and does not say why. */
export const MAX_RESULTS = 100_000;
