import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';

import type { RecordedRequest, Sandbox } from '../../sandbox/sandbox.ts';
import { DEMO, startSandbox } from '../../sandbox/sandbox.ts';
import type { N8nClient, WorkflowJson } from '../n8n-host/client.ts';
import { temporaryFolder } from '../n8n-host/community-package.ts';
import type { N8nHost } from '../n8n-host/host.ts';
import {
	demoAccess,
	sandboxCredentials,
	startInstance,
	withCredentials,
} from '../n8n-host/instance.ts';
import { list, record } from '../n8n-host/json.ts';
import { freePorts } from '../n8n-host/ports.ts';
import { removeFolder } from './folders.ts';
import { KEYS } from './keys.ts';
import { resultsFolder, theStage } from './stage.ts';

/**
 * The triggers on the real n8n, as it comes and with its durable cursors and scheduler, side by side: n8n polls once a
 * minute at most, so this takes minutes.
 */

const DURABLE = {
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

const TRIGGER = 'When something is new';
const LONGEST_WAIT_MS = 150_000;
const EVERY_MINUTE = { item: [{ mode: 'everyMinute' }] };

function workflowOf(name: string, type: string, parameters: object): WorkflowJson {
	const credential = type === 'storeTrigger' ? 'storeApi' : 'linkManagementApi';
	return {
		name,
		nodes: [
			{
				id: '5a1c1000-0000-4000-8000-000000000001',
				name: TRIGGER,
				type: `n8n-nodes-linkstore.${type}`,
				typeVersion: 1,
				position: [0, 0],
				parameters: { ...parameters, options: {}, pollTimes: EVERY_MINUTE },
				credentials: { [credential]: { id: null, name: '' } },
			},
			{
				id: '5a1c1000-0000-4000-8000-000000000002',
				name: 'Done',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [200, 0],
				parameters: {},
			},
		],
		connections: { [TRIGGER]: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

/** One n8n with services of its own. */
class Setting {
	readonly name: string;
	readonly env: Record<string, string>;
	private folder = '';
	private ports: number[] = [];
	private running: { host: N8nHost; client: N8nClient } | undefined;
	private services: Sandbox | undefined;
	private readonly made: number[] = [];

	constructor(name: string, env: Record<string, string>) {
		this.name = name;
		this.env = env;
	}

	get logFile(): string {
		return join(resultsFolder(), `n8n-triggers-${this.name}.log`);
	}

	get client(): N8nClient {
		if (!this.running) throw new Error('n8n does not run');
		return this.running.client;
	}

	get sandbox(): Sandbox {
		if (!this.services) throw new Error('The services do not run');
		return this.services;
	}

	async open(): Promise<void> {
		this.folder = await temporaryFolder(`triggers-${this.name}`);
		this.ports = await freePorts(2);
		this.services = await startSandbox({ seed: 'demo' });
		await mkdir(resultsFolder(), { recursive: true });
		await this.start();
		for (const credential of sandboxCredentials(demoAccess(this.sandbox))) {
			await this.client.saveCredential(credential);
		}
	}

	async start(): Promise<void> {
		const [port = 0, brokerPort = 0] = this.ports;
		this.running = await startInstance({
			userFolder: join(this.folder, 'n8n'),
			port,
			brokerPort,
			tarball: theStage().tarball,
			log: this.logFile,
			env: this.env,
		});
	}

	/** SIGKILL: n8n has no chance to write down anything. */
	async kill(): Promise<void> {
		await this.running?.host.kill();
		this.running = undefined;
	}

	async close(): Promise<void> {
		await this.running?.host.stop();
		await this.services?.stop();
		if (this.folder !== '') await removeFolder(this.folder);
	}

	async publish(workflow: WorkflowJson): Promise<string> {
		const credentials = await this.client.credentials();
		return await this.client.publish(withCredentials(workflow, credentials));
	}

	/** Makes links as anybody else would. */
	async makeLinks(count: number): Promise<void> {
		for (let number = 0; number < count; number += 1) {
			const { data } = await axios.post<unknown>(
				`${this.sandbox.linkUrl}/api/url/add`,
				{ url: `https://example.com/${this.made.length}` },
				{ headers: { Authorization: `Bearer ${DEMO.link.apiKey}` }, proxy: false },
			);
			this.made.push(Number(record(data).id));
		}
	}

	/** Sells the demo store's first item. */
	async sell(code: string): Promise<void> {
		const { data } = await axios.get<unknown>(`${this.sandbox.storeUrl}/api/items/all`, {
			params: { api_key: DEMO.store.apiKey },
			proxy: false,
		});
		const [item] = list(record(data).items);
		this.sandbox.store.addPurchase(Number(record(item).id), { code });
	}

	get expected(): number[] {
		return this.made;
	}

	/** Waits until the list of links was read that many times since the sandbox's requests were cleared. */
	async polls(count: number): Promise<void> {
		const isPoll = ({ method, path, status }: RecordedRequest): boolean =>
			method === 'GET' && path === '/api/urls' && status === 200;
		await until(() => this.sandbox.requests.filter(isPoll).length >= count, `${count} polls`);
		// What a poll gave out is on its way.
		await sleep(3000);
	}

	/** What the trigger gave to all executions, the first one first. */
	async given(workflowId: string, member: string): Promise<unknown[]> {
		const executions = await this.client.executions(workflowId);
		const values: unknown[] = [];
		for (const { id } of executions.toReversed()) {
			const execution = await this.client.finished(id);
			expect(execution.status).toBe('success');
			values.push(...execution.items(TRIGGER).map(({ json }) => json[member]));
		}
		return values;
	}

	async givenAtLeast(count: number, workflowId: string, member: string): Promise<unknown[]> {
		let values: unknown[] = [];
		await until(async () => {
			values = await this.given(workflowId, member);
			return values.length >= count;
		}, `${count} items`);
		return values;
	}
}

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
	const deadline = Date.now() + LONGEST_WAIT_MS;
	while (!(await condition())) {
		if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`);
		await sleep(500);
	}
}

const SETTINGS = [new Setting('as-it-comes', {}), new Setting('durable', DURABLE)];

beforeAll(async () => {
	for (const setting of SETTINGS) await setting.open();
}, 300_000);

afterAll(async () => {
	await Promise.all(SETTINGS.map(async (setting) => await setting.close()));
}, 120_000);

/** n8n activates a workflow after it has said that it will, and tries a few times; so this is told by its log. */
async function wrongKey(setting: Setting): Promise<void> {
	const wrong = await setting.client.saveCredential({
		name: 'Mistyped',
		type: 'linkManagementApi',
		data: {
			baseUrl: setting.sandbox.linkUrl,
			apiKey: KEYS.mistyped,
			requestsPerMinute: 30,
			timezone: 'UTC',
		},
	});
	const workflow = workflowOf('E2E wrong key', 'linkManagementTrigger', { event: 'linkCreated' });
	const { id } = await setting.client.importWorkflow(withCredentials(workflow, [wrong]));
	await setting.client.activate(id);
	await until(async () => {
		const log = await readFile(setting.logFile, 'utf8');
		return /problem activating the workflow: ".*Check the API key in the credential/.test(log);
	}, 'the reason in the log');
	await setting.client.deactivate(id);
}

test('a workflow with a wrong key is not activated, and n8n says why', async () => {
	await Promise.all(SETTINGS.map(wrongKey));
});

/** The same story in both settings at once, because most of it is waiting. */
async function story(setting: Setting): Promise<void> {
	const bought = `bought-${setting.name}`;
	const links = await setting.publish(
		workflowOf('E2E new links', 'linkManagementTrigger', { event: 'linkCreated' }),
	);
	const purchases = await setting.publish(
		workflowOf('E2E new purchases', 'storeTrigger', {
			event: 'newPurchase',
			purchaseCodes: [DEMO.purchaseCodes.valid, bought].join('\n'),
		}),
	);
	// With durable cursors n8n does not keep what the poll of the activation noted; the next one notes it.
	const notingPolls = setting.name === 'durable' ? 2 : 1;
	await setting.polls(notingPolls);

	await setting.makeLinks(3);
	expect(await setting.givenAtLeast(3, links, 'id')).toEqual(setting.expected);

	// The execution is there a moment before n8n has stored the state; a kill in between would give the links again.
	await sleep(2000);
	await setting.kill();
	await setting.makeLinks(4);
	await setting.sell(bought);
	await setting.start();
	expect(await setting.givenAtLeast(7, links, 'id')).toEqual(setting.expected);

	await setting.kill();
	await setting.start();
	setting.sandbox.clearRequests();
	await setting.polls(1);
	await setting.makeLinks(2);
	expect(await setting.givenAtLeast(9, links, 'id')).toEqual(setting.expected);
	expect(await setting.givenAtLeast(1, purchases, 'purchase_code')).toEqual([bought]);
	setting.sandbox.clearRequests();
	await setting.polls(1);
	expect(await setting.given(links, 'id')).toEqual(setting.expected);
}

test('links made between polls, while n8n is killed and before it is back, arrive once each', async () => {
	await Promise.all(SETTINGS.map(story));
}, 600_000);
