import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { DEMO } from '../../sandbox/demo.ts';
import type { WorkflowJson } from '../n8n-host/client.ts';
import { withCredentials } from '../n8n-host/instance.ts';
import { until } from '../n8n-host/until.ts';
import { KEYS } from './keys.ts';
import { OwnN8n } from './ownN8n.ts';
import { givenBy, pollingWorkflow } from './polling.ts';

/** A code that is sold later. */
const BOUGHT = 'd4c3b2a1-0f9e-4d8c-b7a6-958473625140';

/** The triggers, published in a real n8n with these settings. */
export function testTriggers(name: string, env: Record<string, string>): void {
	const stack = new AsyncDisposableStack();
	let n8n: OwnN8n;

	beforeAll(async () => {
		const sandbox = { rateLimit: { requests: 0, windowSeconds: 1 } };
		n8n = await OwnN8n.open(stack, { name, env, sandbox });
	});
	afterAll(async () => await stack.disposeAsync());

	/** Waits until the list of links is read that many times more. */
	const polls = async (count: number): Promise<void> => {
		n8n.sandbox.clearRequests();
		const reads = () => n8n.sandbox.requests.filter(({ path }) => path === '/api/urls').length;
		await until(() => reads() >= count, `${count} polls`);
	};

	/** Waits until the trigger has given so many items to all executions, in their order, and compares a member of them. */
	const expectGiven = async (
		workflowId: string,
		member: string,
		expected: unknown[],
	): Promise<void> => {
		let values: unknown[] = [];
		await until(async () => {
			values = await givenBy(n8n.client, workflowId, member);
			return values.length >= expected.length;
		}, `${expected.length} items`);
		expect(values).toEqual(expected);
	};

	test('a workflow with a wrong key is not activated, and n8n says why', async () => {
		const wrong = await n8n.client.createCredential({
			name: 'Mistyped',
			type: 'linkManagementApi',
			data: { baseUrl: n8n.sandbox.linkUrl, apiKey: KEYS.mistyped, requestsPerMinute: 30 },
		});
		const workflow = pollingWorkflow('Wrong key', 'linkManagementTrigger', {
			event: 'linkCreated',
		});
		const { id } = await n8n.client.createWorkflow(withCredentials(workflow, [wrong]));
		// n8n 1 says it at once. Later ones say that they will activate it, and then try a few times; so their log shows it.
		const answer = await n8n.client.activate(id).then(String, String);
		const reason = /problem activating the workflow: .*Check the API key in the credential/;
		const isSaid = async () => reason.test(answer + (await readFile(n8n.logFile, 'utf8')));
		await until(isSaid, 'the reason in the answer or the log');
		await n8n.client.deactivate(id);
	});

	test('links made between polls, while n8n is killed and before it is back, arrive once each', async () => {
		const publish = async (workflow: WorkflowJson) => await n8n.client.publish(n8n.ready(workflow));
		const purchaseCodes = `${DEMO.purchaseCodes.valid}\n${BOUGHT}`;
		const purchase = { event: 'newPurchase', purchaseCodes };
		const purchases = await publish(pollingWorkflow('Purchases', 'storeTrigger', purchase));
		const created = { event: 'linkCreated' };
		const links = await publish(pollingWorkflow('Links', 'linkManagementTrigger', created));
		await polls(1);

		/** The demo has 40 links; the first account is that of the demo. */
		const made: number[] = [];
		const makeLinks = (count: number) => {
			n8n.sandbox.links.addLinks(1, count, 0);
			for (let link = 0; link < count; link += 1) made.push(41 + made.length);
		};
		makeLinks(3);
		await expectGiven(links, 'id', made);
		// Links come all the time, while a poll takes longer than the time between polls.
		n8n.sandbox.faults.add({ kind: 'delay', path: '/api/urls', milliseconds: 6000 });
		for (let part = 0; part < 8; part += 1) {
			makeLinks(5);
			await sleep(1000);
		}
		await expectGiven(links, 'id', made);
		// The execution is there a moment before n8n has stored the state; a kill in between would give the links again.
		await polls(1);
		await sleep(2000);

		await n8n.kill();
		makeLinks(4);
		n8n.sandbox.store.addPurchase(DEMO.itemId, { code: BOUGHT });
		await n8n.start();
		await expectGiven(links, 'id', made);
		await expectGiven(purchases, 'purchase_code', [BOUGHT]);
		await polls(2);
		await expectGiven(links, 'id', made);
	}, 300_000);
}
