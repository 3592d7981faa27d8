import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { DEMO } from '../../sandbox/demo.ts';
import type { WorkflowJson } from '../n8n-host/client.ts';
import { withCredentials } from '../n8n-host/instance.ts';
import { until } from '../n8n-host/until.ts';
import { KEYS } from './keys.ts';
import { OwnN8n } from './ownN8n.ts';
import { isAll, theStage } from './stage.ts';
import { EVERY_FEW_SECONDS, inLine } from './workflow.ts';

/** The triggers on the real n8n as it comes, and, if all is tested, side by side with its durable cursors and scheduler. */

const SETTINGS: Record<string, Record<string, string>> = { 'as-it-comes': {} };
if (isAll()) {
	SETTINGS.durable = {
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
		// After a start, poll times that have passed since are left out, and not polled all at once.
		N8N_SCHEDULER_MISFIRE_GRACE: '2',
	};
}

const TRIGGER = 'When something is new';
/** Durable cursors are kept by the id of their node. */
const ID = '5a1c1000-0000-4000-8000-00000000000';

function workflowOf(name: string, type: string, parameters: object): WorkflowJson {
	const credential = type === 'storeTrigger' ? 'storeApi' : 'linkManagementApi';
	return inLine(name, [
		{
			id: `${ID}1`,
			name: TRIGGER,
			type: `n8n-nodes-linkstore.${type}`,
			parameters: { ...parameters, options: {}, pollTimes: EVERY_FEW_SECONDS },
			credentials: { [credential]: { id: null, name: '' } },
		},
		{ id: `${ID}2`, name: 'Done', type: 'n8n-nodes-base.noOp', parameters: {} },
	]);
}

const stack = new AsyncDisposableStack();
let settings: OwnN8n[];

beforeAll(async () => {
	const opening = Object.entries(SETTINGS).map(async ([setting, env]) => {
		const sandbox = { rateLimit: { requests: 0, windowSeconds: 1 } };
		const { tarball } = theStage();
		return await OwnN8n.open(stack, { name: `triggers-${setting}`, tarball, env, sandbox });
	});
	settings = await Promise.all(opening);
});

afterAll(async () => await stack.disposeAsync());

/**
 * n8n 1 says so at once. Later ones activate a workflow after they have said that they will, and try a few times; so their
 * log shows it.
 */
async function wrongKey(n8n: OwnN8n): Promise<void> {
	const wrong = await n8n.client.saveCredential({
		name: 'Mistyped',
		type: 'linkManagementApi',
		data: { baseUrl: n8n.sandbox.linkUrl, apiKey: KEYS.mistyped, requestsPerMinute: 30 },
	});
	const workflow = workflowOf('E2E wrong key', 'linkManagementTrigger', { event: 'linkCreated' });
	const { id } = await n8n.client.importWorkflow(withCredentials(workflow, [wrong]));
	const answer = await n8n.client.activate(id).then(String, String);
	const reason = /problem activating the workflow: ".*Check the API key in the credential/;
	const isSaid = async () => reason.test(answer + (await readFile(n8n.logFile, 'utf8')));
	await until(isSaid, 'the reason in the answer or the log');
	await n8n.client.deactivate(id);
}

test('a workflow with a wrong key is not activated, and n8n says why', async () => {
	await Promise.all(settings.map(wrongKey));
});

/** Waits until the list of links was read that many times since the requests were cleared. */
async function polls({ sandbox }: OwnN8n, count: number): Promise<void> {
	const reads = () => sandbox.requests.filter(({ path }) => path === '/api/urls').length;
	await until(() => reads() >= count, `${count} polls`);
}

/** Waits until the trigger has given so many items to all executions, in their order, and compares a member of them. */
async function expectGiven(
	{ client }: OwnN8n,
	workflowId: string,
	member: string,
	expected: unknown[],
): Promise<void> {
	let values: unknown[] = [];
	await until(async () => {
		values = [];
		for (const { id } of (await client.executions(workflowId)).toReversed()) {
			const execution = await client.finished(id);
			expect(execution.status).toBe('success');
			values.push(...execution.items(TRIGGER).map(({ json }) => json[member]));
		}
		return values.length >= expected.length;
	}, `${expected.length} items`);
	expect(values).toEqual(expected);
}

/** The same story in both settings at once, because much of it is waiting. */
async function story(n8n: OwnN8n): Promise<void> {
	const { sandbox } = n8n;
	const purchaseCodes = `${DEMO.purchaseCodes.valid}\nbought`;
	const purchase = { event: 'newPurchase', purchaseCodes };
	const purchases = await n8n.publish(workflowOf('E2E purchases', 'storeTrigger', purchase));
	sandbox.clearRequests();
	const created = { event: 'linkCreated' };
	const links = await n8n.publish(workflowOf('E2E links', 'linkManagementTrigger', created));
	// The poll of the activation counts, although with durable cursors n8n does not keep what it noted.
	await polls(n8n, 1);

	/** The demo has 40 links; the first account is that of the demo. */
	const made: number[] = [];
	const makeLinks = (count: number) => {
		sandbox.links.addLinks(1, count, 0);
		for (let link = 0; link < count; link += 1) made.push(41 + made.length);
	};
	makeLinks(3);
	await expectGiven(n8n, links, 'id', made);
	// Links come all the time, while polls take longer than the time between them.
	for (let part = 0; part < 16; part += 1) {
		if (part % 8 === 0) {
			sandbox.faults.add({ kind: 'delay', path: '/api/urls', milliseconds: 6000 });
		}
		makeLinks(5);
		await sleep(1000);
	}
	await expectGiven(n8n, links, 'id', made);
	// The execution is there a moment before n8n has stored the state; a kill in between would give the links again.
	sandbox.clearRequests();
	await polls(n8n, 1);
	await sleep(2000);

	await n8n.kill();
	makeLinks(4);
	// The first item of the demo store.
	sandbox.store.addPurchase(1, { code: 'bought' });
	await n8n.start();
	await expectGiven(n8n, links, 'id', made);
	await expectGiven(n8n, purchases, 'purchase_code', ['bought']);
	sandbox.clearRequests();
	await polls(n8n, 2);
	await expectGiven(n8n, links, 'id', made);
	await n8n.client.deactivate(links);
}

test('links made between polls, while n8n is killed and before it is back, arrive once each', async () => {
	await Promise.all(settings.map(story));
}, 300_000);
