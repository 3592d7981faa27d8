import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from '../loopback.ts';
import { startN8n } from '../n8n-host/host.ts';
import { temporaryFolder } from '../n8n-host/install.ts';
import { record } from '../n8n-host/json.ts';
import { OwnN8n, RESULTS } from './ownN8n.ts';
import { startPostgres } from './postgres.ts';
import { startServer } from './programs.ts';
import { given, pollingWorkflow } from './triggers.ts';
import type { Step } from './workflow.ts';
import { byId, chain, link, qrCode, webhookChain } from './workflow.ts';

/**
 * Several processes with one key cannot see each other's requests. They learn from the service's responses what the others
 * use of the limit, leave room for it, and wait after a refused request.
 */

const LIMIT = { requests: 30, windowSeconds: 4 };
const LEAST_SHARE_OF_LIMIT = 0.88;
const MAX_REFUSED = 0.03;
const EXECUTIONS = 14;
/** The first executions of a worker are slow, because it loads what it needs. */
const WARM_UPS = 6;

const stack = new AsyncDisposableStack();
let queue: Awaited<ReturnType<typeof startQueue>>;

beforeAll(async () => {
	queue = await startQueue();
});
afterAll(async () => await stack.disposeAsync());

/** n8n in queue mode, as docs/installation.md has it: one main, some workers, and the PostgreSQL and Redis that they share. */
async function startQueue() {
	const { dump, env: database } = await startPostgres(stack);
	const redisPort = String(await freePort());
	const settings = ['--port', redisPort, '--bind', '127.0.0.1', '--save', ''];
	startServer(stack, 'redis', settings, { cwd: await temporaryFolder(stack, 'redis') });
	const env = {
		...database,
		EXECUTIONS_MODE: 'queue',
		// As n8n 3 has it.
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: redisPort,
	};
	// The main process makes the tables and the encryption key that the workers need.
	const sandbox = { rateLimit: LIMIT };
	const n8n = await OwnN8n.open(stack, { name: 'queue-main', env, dump, sandbox });
	const starting = [1, 2].map(async (number) => {
		const log = join(RESULTS, `n8n-queue-worker-${number}.log`);
		const worker = await startN8n({ command: 'worker', userFolder: n8n.folder, env, log });
		stack.defer(worker.stop);
		return worker;
	});
	return { n8n, workers: await Promise.all(starting) };
}

/** By each worker. */
const executionsBegun = async (): Promise<number[]> =>
	await Promise.all(
		queue.workers.map(async ({ logFile }) => {
			const log = await readFile(logFile, 'utf8');
			return log.split('Worker started execution').length - 1;
		}),
	);

/** Runs the step in executions that begin at once, each with its rows, and gives all items that come of it. */
async function runAtOnce(path: string, step: Step, executions: Array<Array<{ url: string }>>) {
	const { client } = queue.n8n;
	const workflow = webhookChain(path, path, 'onReceived', [step]);
	const id = await client.publish(queue.n8n.ready(workflow));
	for (const rows of executions) await client.callWebhook(path, { rows });
	const ended = await client.allEnded(id, executions.length);
	const results = await Promise.all(ended.map(async ({ id }) => await client.finished(id)));
	return results.flatMap((result) => result.json(step.name));
}

test('what somebody starts in the editor runs on a worker, and its files are in the database', async () => {
	const { client } = queue.n8n;
	const made = chain('By hand', [
		qrCode('Make', 'create', { qrType: 'text', text: 'Table 7' }),
		qrCode('Picture', 'getImage', { qrCodeId: byId('={{ $json.id }}') }),
	]);
	const [item] = (await client.run(queue.n8n.ready(made))).items('Picture');
	const id = item?.binary?.data?.id;
	expect(id).toMatch(/^database/);
	expect((await client.file(id)).toString('latin1')).toMatch(/^\x89PNG\r\n/);
	expect((await executionsBegun()).toSorted()).toEqual([0, 1]);
});

test('14 executions of 30 rows each, on two workers with one key, use the limit and lose nothing', async () => {
	// A row that fails must not hide what becomes of the others.
	const create = link('Create', 'create', { url: '={{ $json.url }}' });
	const step: Step = { ...create, onError: 'continueRegularOutput' };
	const rowsOf = (path: string, executions: number, rows: number) =>
		Array.from({ length: executions }, (_, number) =>
			Array.from({ length: rows }, (_row, row) => ({
				url: `https://example.com/${path}/${number}/${row}`,
			})),
		);
	await runAtOnce('warm-up', step, rowsOf('warm-up', WARM_UPS, 1));
	const { sandbox } = queue.n8n;
	sandbox.clearRequests();
	const before = await executionsBegun();
	const executions = rowsOf('bulk', EXECUTIONS, 30);
	const items = await runAtOnce('bulk', step, executions);
	const begun = (await executionsBegun()).map((count, worker) => count - Number(before[worker]));
	expect(items.filter(({ error }) => Boolean(error))).toEqual([]);
	expect(Math.min(...begun)).toBeGreaterThanOrEqual(EXECUTIONS / 5);

	const accepted = sandbox.requests.filter(({ status }) => status === 200);
	const written = accepted.filter(({ method }) => method === 'POST');
	const urls = executions.flat().map(({ url }) => url);
	expect(written.map(({ body }) => record(body).url).toSorted()).toEqual(urls.toSorted());
	const refused = sandbox.requests.filter(({ status }) => status === 429);
	expect(refused.length / sandbox.requests.length).toBeLessThanOrEqual(MAX_REFUSED);
	// The last link has used up its window, too.
	const ms = Number(accepted.at(-1)?.at) - Number(accepted[0]?.at);
	const windows = ms / 1000 / LIMIT.windowSeconds + 1;
	const share = accepted.length / windows / LIMIT.requests;
	expect(share).toBeGreaterThanOrEqual(LEAST_SHARE_OF_LIMIT);
}, 600_000);

test('a sheet of 60 rows in two executions becomes 60 links, and a trigger gives each of them once', async () => {
	const { n8n } = queue;
	const rows = Array.from({ length: 60 }, (_, row) => ({
		url: `https://example.com/sheet/${row}`,
		alias: `sheet-${row}`,
	}));
	const created = pollingWorkflow('New', 'linkManagementTrigger', { event: 'linkCreated' });
	const trigger = await n8n.client.publish(n8n.ready(created));
	const upsert = link('Links', 'upsert', { mappingMode: 'autoMapInputData' });
	const links = await runAtOnce('sheet', upsert, [rows.slice(0, 30), rows.slice(30)]);
	expect(links.map(({ outcome }) => outcome)).toEqual(rows.map(() => 'created'));
	const aliases = rows.map(({ alias }) => alias).toSorted();
	expect((await given(n8n, trigger, 'alias', rows.length)).toSorted()).toEqual(aliases);
});
