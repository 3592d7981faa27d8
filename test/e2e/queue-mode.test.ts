import { setTimeout as sleep } from 'node:timers/promises';

import type { RecordedRequest, Sandbox } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { CredentialRef } from '../n8n-host/client.ts';
import { demoAccess, saveSandboxCredentials, withCredentials } from '../n8n-host/instance.ts';
import { record } from '../n8n-host/json.ts';
import { KEYS } from './keys.ts';
import type { Queue } from './queue.ts';
import { startQueue } from './queue.ts';
import { theStage } from './stage.ts';
import { link, webhookChain } from './workflow.ts';

/**
 * Several processes with one key cannot see each other's requests. They learn from the service's responses what the others
 * use of the limit, leave room for it, and wait out what is refused.
 */

const LIMIT = { requests: 30, windowSeconds: 4 };
const LIMIT_PER_SECOND = LIMIT.requests / LIMIT.windowSeconds;
const LEAST_SHARE_OF_LIMIT = 0.88;
const MOST_REFUSED = 0.03;
const ROWS_EACH = 30;
const WARM_UPS = 6;
/** What n8n says of an execution whose worker is gone */
const STALLED: unknown = expect.stringContaining('failed to be processed too many times');

let sandbox: Sandbox;
let queue: Queue;
let credentials: CredentialRef[];

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: LIMIT });
	queue = await startQueue(theStage().tarball, 2);
	const { apiKey } = await sandbox.register({
		email: 'queue@links.example',
		apiKey: KEYS.queue,
	});
	const access = { ...demoAccess(sandbox), linkApiKey: apiKey };
	credentials = await saveSandboxCredentials(queue.client, access);
}, 300_000);

afterAll(async () => {
	await sandbox.stop();
	await queue.stop();
}, 120_000);

/** Publishes a workflow that makes a link of every row of what its webhook gets. */
async function publish(path: string): Promise<string> {
	const create = link('Create', 'create', { url: '={{ $json.url }}' });
	const workflow = webhookChain(`E2E queue ${path}`, path, 'onReceived', [create]);
	return await queue.client.publish(withCredentials(workflow, credentials));
}

/** The first executions of a worker are slow, because it loads what it needs; they should not count. */
async function warmUp(): Promise<void> {
	const workflowId = await publish('warm-up');
	for (let number = 1; number <= WARM_UPS; number += 1) await begin('warm-up', number, 1);
	await queue.client.allEnded(workflowId, WARM_UPS);
	sandbox.clearRequests();
}

/** Begins one execution with rows of its own. */
async function begin(path: string, number: number, rowCount = ROWS_EACH): Promise<void> {
	const rows = Array.from({ length: rowCount }, (_, row) => ({
		url: `https://example.com/${path}/${number}/${row}`,
	}));
	await queue.client.callWebhook(path, { rows });
}

/** The writes that the service has answered, in order of arrival. */
function creates(): RecordedRequest[] {
	return sandbox.requests.filter(({ method, path }) => `${method} ${path}` === 'POST /api/url/add');
}

function urlsOf(requests: RecordedRequest[]): string[] {
	return requests.map(({ body }) => String(record(body).url));
}

test('14 executions of 30 rows each, on two workers with one key, use the limit and lose nothing', async () => {
	const executions = 14;
	const workflowId = await publish('bulk');
	await warmUp();
	for (let number = 1; number <= executions; number += 1) await begin('bulk', number);
	const ended = await queue.client.allEnded(workflowId, executions);

	expect(ended.map(({ status }) => status)).toEqual(Array(executions).fill('success'));
	for (const { id } of ended) {
		const result = await queue.client.finished(id);
		expect(result.items('Create')).toHaveLength(ROWS_EACH);
	}
	for (const worker of queue.workers) {
		expect((await queue.begunBy(worker)).length).toBeGreaterThanOrEqual(executions / 5);
	}

	const requests = creates();
	const written = requests.filter(({ status }) => status === 200);
	expect(written).toHaveLength(executions * ROWS_EACH);
	expect(new Set(urlsOf(written)).size).toBe(executions * ROWS_EACH);

	const refused = requests.filter(({ status }) => status === 429).length;
	const first = written[0]?.at ?? 0;
	const last = written.at(-1)?.at ?? 0;
	// What came last has used up its window too.
	const seconds = (last - first) / 1000 + LIMIT.windowSeconds;
	const share = written.length / seconds / LIMIT_PER_SECOND;
	process.stderr.write(
		`Queue mode, two workers: ${written.length} links in ${seconds.toFixed(1)} s, ` +
			`${(share * 100).toFixed(1)} % of the limit, ${refused} requests refused.\n`,
	);
	expect(share).toBeGreaterThanOrEqual(LEAST_SHARE_OF_LIMIT);
	expect(refused / requests.length).toBeLessThanOrEqual(MOST_REFUSED);
});

test('what a killed worker was doing ends as failed, and nobody does it again', async () => {
	sandbox.clearRequests();
	const workflowId = await publish('killed');
	const [doomed] = queue.workers;
	if (doomed === undefined) throw new Error('There is no worker');
	const before = new Set(await queue.begunBy(doomed));
	const lost = async () => (await queue.begunBy(doomed)).filter((id) => !before.has(id));
	let executions = 0;
	while (executions < 4 || (await lost()).length === 0) {
		executions += 1;
		await begin('killed', executions);
		await sleep(100);
	}
	while (creates().length < 45) await sleep(50);
	await doomed.kill();

	const ended = await queue.client.allEnded(workflowId, executions);
	const failed = ended.filter(({ status }) => status !== 'success').map(({ id }) => id);
	expect(failed.length).toBeGreaterThan(0);
	// Of those that the worker had begun it may have ended some.
	expect(await lost()).toEqual(expect.arrayContaining(failed));
	for (const id of failed) {
		const { status, error } = await queue.client.finished(id);
		expect({ id, status, error }).toMatchObject({ status: 'error', error: { message: STALLED } });
	}

	// Neither the other worker takes up the lost work, nor one that comes later.
	await queue.addWorker();
	const countAtEnd = creates().length;
	await sleep(5000);
	expect(creates()).toHaveLength(countAtEnd);
	const written = urlsOf(creates().filter(({ status }) => status === 200));
	expect(new Set(written).size).toBe(written.length);
	expect(written.length).toBeLessThan(executions * ROWS_EACH);
	for (const { id } of ended.filter(({ status }) => status === 'success')) {
		expect((await queue.client.finished(id)).items('Create')).toHaveLength(ROWS_EACH);
	}
});
