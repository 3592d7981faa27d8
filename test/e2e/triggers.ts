import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { DEMO } from '../../sandbox/demo.ts';
import type { WorkflowJson } from '../n8n-host/client.ts';
import { withCredentials } from '../n8n-host/instance.ts';
import { until } from '../n8n-host/until.ts';
import { KEYS } from './keys.ts';
import type { OwnN8n } from './ownN8n.ts';
import { inLine } from './workflow.ts';

/** A code that is sold later. */
const BOUGHT = 'd4c3b2a1-0f9e-4d8c-b7a6-958473625140';

const TRIGGER = 'When something is new';
/** Durable cursors are kept by the id of their node. */
const ID = '5a1c1000-0000-4000-8000-00000000000';

/** n8n takes no poll time that comes more often than once a minute, but as many poll times as one likes. */
const EVERY_FEW_SECONDS = {
	item: Array.from({ length: 12 }, (_, number) => ({
		mode: 'custom',
		cronExpression: `${number * 5} * * * * *`,
	})),
};

/** A workflow that begins with one of the package's triggers. */
export function pollingWorkflow(
	name: string,
	type: 'linkManagementTrigger' | 'storeTrigger',
	parameters: INodeParameters,
): WorkflowJson {
	return inLine(name, [
		{
			id: `${ID}1`,
			name: TRIGGER,
			type: `n8n-nodes-linkstore.${type}`,
			parameters: { ...parameters, options: {}, pollTimes: EVERY_FEW_SECONDS },
		},
		{ id: `${ID}2`, name: 'Done', type: 'n8n-nodes-base.noOp', parameters: {} },
	]);
}

/** Waits until the trigger has given so many items to all executions. Gives a member of each, in their order. */
export async function given(
	{ client }: OwnN8n,
	workflowId: string,
	member: string,
	count: number,
): Promise<unknown[]> {
	return await until(async () => {
		const executions = (await client.executions(workflowId)).toReversed();
		const results = await Promise.all(executions.map(({ id }) => client.finished(id)));
		const values = results.flatMap((result) => result.json(TRIGGER).map((item) => item[member]));
		return values.length >= count && values;
	}, `${count} items`);
}

/** The triggers, published in this n8n. */
export function testTriggers(getN8n: () => OwnN8n): void {
	test('a workflow with a wrong key is not activated, and n8n says why', async () => {
		const { client, sandbox, logFile } = getN8n();
		const wrong = await client.createCredential({
			name: 'Mistyped',
			type: 'linkManagementApi',
			data: { baseUrl: sandbox.linkUrl, apiKey: KEYS.mistyped, requestsPerMinute: 30 },
		});
		const workflow = pollingWorkflow('Wrong key', 'linkManagementTrigger', {
			event: 'linkCreated',
		});
		const { id } = await client.createWorkflow(withCredentials(workflow, [wrong]));
		// n8n says that it will activate it, and then tries a few times; so its log shows it.
		await client.activate(id);
		const reason = /problem activating the workflow: .*Check the API key in the credential/;
		const isSaid = async () => reason.test(await readFile(logFile, 'utf8'));
		await until(isSaid, 'the reason in the log');
		await client.deactivate(id);
	});

	test('links made between polls, while n8n is killed and before it is back, arrive once each', async () => {
		const n8n = getN8n();
		const { sandbox } = n8n;
		/** Waits until the list of links is read that many times more. */
		const polls = async (count: number): Promise<void> => {
			sandbox.clearRequests();
			const reads = () => sandbox.requests.filter(({ path }) => path === '/api/urls').length;
			await until(() => reads() >= count, `${count} polls`);
		};
		const publish = async (workflow: WorkflowJson) => await n8n.client.publish(n8n.ready(workflow));
		const purchaseCodes = `${DEMO.purchaseCodes.valid}\n${BOUGHT}`;
		const purchase = { event: 'newPurchase', purchaseCodes };
		const purchases = await publish(pollingWorkflow('Purchases', 'storeTrigger', purchase));
		const created = { event: 'linkCreated' };
		const links = await publish(pollingWorkflow('Links', 'linkManagementTrigger', created));
		await polls(1);

		/** The first account is that of the demo. */
		const before = sandbox.tables.links.count(1);
		const made: number[] = [];
		const makeLinks = (count: number) => {
			sandbox.links.addLinks(1, count, 0);
			for (let link = 0; link < count; link += 1) made.push(before + made.length + 1);
		};
		const expectMade = async () => {
			expect(await given(n8n, links, 'id', made.length)).toEqual(made);
		};
		makeLinks(3);
		await expectMade();
		// Links come all the time, while a poll takes longer than the time between polls.
		sandbox.faults.add({ kind: 'delay', path: '/api/urls', milliseconds: 6000 });
		for (let part = 0; part < 8; part += 1) {
			makeLinks(5);
			await sleep(1000);
		}
		await expectMade();
		// The execution is there a moment before n8n has stored the state; a kill in between would give the links again.
		await polls(1);
		await sleep(2000);

		await n8n.kill();
		makeLinks(4);
		sandbox.store.addPurchase(DEMO.itemId, { code: BOUGHT });
		await n8n.start();
		await expectMade();
		expect(await given(n8n, purchases, 'purchase_code', 1)).toEqual([BOUGHT]);
		await polls(2);
		await expectMade();
	}, 300_000);
}
