import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import type { RecordedRequest } from '../../sandbox/sandbox.ts';
import { DEMO } from '../../sandbox/demo.ts';
import type { WorkflowJson } from '../n8n-host/client.ts';
import { withCredentials } from '../n8n-host/instance.ts';
import { record } from '../n8n-host/json.ts';
import { KEYS } from './keys.ts';
import { OwnN8n } from './ownN8n.ts';
import { theStage } from './stage.ts';
import { until } from '../n8n-host/until.ts';
import { EVERY_FEW_SECONDS, inLine } from './workflow.ts';

/** The triggers on the real n8n, as it comes and with its durable cursors and scheduler, side by side. */

const DURABLE = {
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	// After a start, poll times that have passed since are left out, and not polled all at once.
	N8N_SCHEDULER_MISFIRE_GRACE: '2',
};

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

/** One of both, and what was made in its services. */
class Setting {
	readonly name: string;
	readonly env: Record<string, string>;
	readonly made: number[] = [];
	private own: OwnN8n | undefined;

	constructor(name: string, env: Record<string, string>) {
		this.name = name;
		this.env = env;
	}

	async open(): Promise<void> {
		const { name, env } = this;
		this.own = await OwnN8n.open({
			name: `triggers-${name}`,
			tarball: theStage().tarball,
			env,
			sandbox: { rateLimit: { requests: 0, windowSeconds: 1 } },
		});
	}

	get n8n(): OwnN8n {
		if (this.own === undefined) throw new Error('n8n was not started');
		return this.own;
	}

	async close(): Promise<void> {
		await this.own?.close();
	}

	private async request(method: string, path: string, body?: object): Promise<unknown> {
		const Authorization = `Bearer ${DEMO.link.apiKey}`;
		const headers = { Authorization, 'Content-Type': 'application/json' };
		const given = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
		const response = await fetch(`${this.n8n.sandbox.linkUrl}${path}`, given);
		return await response.json();
	}

	/** Makes links as anybody else would. */
	async makeLinks(count: number): Promise<void> {
		for (let number = 0; number < count; number += 1) {
			const body = { url: `https://example.com/${this.made.length}` };
			this.made.push(Number(record(await this.request('POST', '/api/url/add', body)).id));
		}
	}

	/** Waits until the list of links was read that many times, and what came of it was stored. */
	async polls(count: number): Promise<void> {
		this.n8n.sandbox.clearRequests();
		await this.listed(count);
		await sleep(2000);
	}

	/** Waits until the list of links was read that many times since the requests were cleared. */
	async listed(count: number): Promise<void> {
		const isPoll = ({ method, path, status }: RecordedRequest): boolean =>
			method === 'GET' && path === '/api/urls' && status === 200;
		await until(
			() => this.n8n.sandbox.requests.filter(isPoll).length >= count,
			`${count} polls of ${this.name}`,
		);
	}

	/** Waits until the trigger has given so many items to all executions, the first one first, and compares them. */
	async expectGiven(workflowId: string, member: string, expected: unknown[]): Promise<void> {
		const { client } = this.n8n;
		let values: unknown[] = [];
		await until(async () => {
			values = [];
			for (const { id } of (await client.executions(workflowId)).toReversed()) {
				const execution = await client.finished(id);
				expect(execution.status).toBe('success');
				values.push(...execution.items(TRIGGER).map(({ json }) => json[member]));
			}
			return values.length >= expected.length;
		}, `${expected.length} items of ${this.name}`);
		expect(values).toEqual(expected);
	}
}

const SETTINGS = [new Setting('as-it-comes', {}), new Setting('durable', DURABLE)];

beforeAll(async () => {
	await Promise.all(SETTINGS.map(async (setting) => await setting.open()));
});

afterAll(async () => {
	await Promise.all(SETTINGS.map(async (setting) => await setting.close()));
});

/**
 * n8n 1 says so at once. Later ones activate a workflow after they have said that they will, and try a few times; so it is
 * told by their log.
 */
async function wrongKey({ n8n }: Setting): Promise<void> {
	const wrong = await n8n.client.saveCredential({
		name: 'Mistyped',
		type: 'linkManagementApi',
		data: { baseUrl: n8n.sandbox.linkUrl, apiKey: KEYS.mistyped, requestsPerMinute: 30 },
	});
	const workflow = workflowOf('E2E wrong key', 'linkManagementTrigger', { event: 'linkCreated' });
	const { id } = await n8n.client.importWorkflow(withCredentials(workflow, [wrong]));
	const answer = await n8n.client.activate(id).then(String, String);
	await until(async () => {
		const log = await readFile(n8n.logFile, 'utf8');
		return /problem activating the workflow: ".*Check the API key in the credential/.test(
			answer + log,
		);
	}, 'the reason in the answer or the log');
	await n8n.client.deactivate(id);
}

test('a workflow with a wrong key is not activated, and n8n says why', async () => {
	await Promise.all(SETTINGS.map(wrongKey));
});

/** Links come all the time, while polls take longer than the time between them. */
async function burst(setting: Setting): Promise<void> {
	const slow = { kind: 'delay', path: '/api/urls', milliseconds: 6000 } as const;
	for (let part = 0; part < 16; part += 1) {
		if (part % 8 === 0) setting.n8n.sandbox.faults.add(slow);
		await setting.makeLinks(5);
		await sleep(1000);
	}
}

/** The same story in both settings at once, because much of it is waiting. */
async function story(setting: Setting): Promise<void> {
	const { n8n, made } = setting;
	const bought = `bought-${setting.name}`;
	const purchases = await n8n.publish(
		workflowOf('E2E new purchases', 'storeTrigger', {
			event: 'newPurchase',
			purchaseCodes: [DEMO.purchaseCodes.valid, bought].join('\n'),
		}),
	);
	n8n.sandbox.clearRequests();
	const links = await n8n.publish(
		workflowOf('E2E new links', 'linkManagementTrigger', { event: 'linkCreated' }),
	);
	// The poll of the activation counts, although with durable cursors n8n does not keep what it noted.
	await setting.listed(1);

	await setting.makeLinks(3);
	await setting.expectGiven(links, 'id', made);
	await burst(setting);
	await setting.expectGiven(links, 'id', made);
	// The execution is there a moment before n8n has stored the state; a kill in between would give the links again.
	await setting.polls(1);
	await setting.expectGiven(links, 'id', made);

	await n8n.kill();
	await setting.makeLinks(4);
	// The first item of the demo store.
	n8n.sandbox.store.addPurchase(1, { code: bought });
	await n8n.start();
	await setting.expectGiven(links, 'id', made);
	await setting.expectGiven(purchases, 'purchase_code', [bought]);

	await setting.makeLinks(2);
	await setting.expectGiven(links, 'id', made);
	await setting.polls(2);
	await setting.expectGiven(links, 'id', made);
	await n8n.client.deactivate(links);
}

test('links made between polls, while n8n is killed and before it is back, arrive once each', async () => {
	await Promise.all(SETTINGS.map(story));
}, 300_000);
