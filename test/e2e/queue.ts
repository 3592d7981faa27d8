import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { RateLimit } from '../../sandbox/rateLimit.ts';
import type { RecordedRequest } from '../../sandbox/sandbox.ts';
import type { N8nHost } from '../n8n-host/host.ts';
import { startN8n } from '../n8n-host/host.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record } from '../n8n-host/json.ts';
import { freePort } from '../n8n-host/ports.ts';
import { removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';
import { OwnN8n, RESULTS } from './ownN8n.ts';
import { startPostgres } from './postgres.ts';
import { pathOf } from './programs.ts';
import { link, webhookChain } from './workflow.ts';

/** n8n in queue mode, as docs/installation.md has it: one main, some workers, and the PostgreSQL and Redis that they share. */
export interface Queue {
	n8n: OwnN8n;
	workers: N8nHost[];
}

/** @param stack ends them */
export async function startQueue(
	stack: AsyncDisposableStack,
	rateLimit: RateLimit,
	workerCount: number,
): Promise<Queue> {
	const { dump, env: database } = await startPostgres(stack);
	const env = {
		...database,
		EXECUTIONS_MODE: 'queue',
		// As n8n 3 has it.
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(await startRedis(stack)),
	};
	// The main process makes the tables and the encryption key that the workers need.
	const sandbox = { rateLimit };
	const n8n = await OwnN8n.open(stack, { name: 'queue-main', env, dump, sandbox });
	const starting = Array.from({ length: workerCount }, async (_, index) => {
		const log = join(RESULTS, `n8n-queue-worker-${index + 1}.log`);
		const worker = await startN8n({ command: 'worker', userFolder: n8n.folder, env, log });
		stack.defer(worker.stop);
		return worker;
	});
	return { n8n, workers: await Promise.all(starting) };
}

/** @returns its port; n8n waits until it answers */
async function startRedis(stack: AsyncDisposableStack): Promise<number> {
	const port = await freePort();
	const cwd = stack.adopt(await temporaryFolder('redis'), removeFolder);
	const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
	const redis = spawn(pathOf('redis'), settings, { cwd, stdio: 'ignore' });
	const ended = once(redis, 'exit');
	stack.defer(async () => {
		redis.kill();
		await ended;
	});
	return port;
}

/** How many executions this worker has begun. */
export async function begunBy({ logFile }: N8nHost): Promise<number> {
	return (await readFile(logFile, 'utf8')).split('Worker started execution').length - 1;
}

const NODE = 'Create';
/** The first executions of a worker are slow, because it loads what it needs. */
const WARM_UPS = 6;

/** Creates that many links, of URLs that no service has, in executions that begin at once; gives what came of it. */
export async function createLinksInQueue(
	{ n8n, workers }: Queue,
	links: number,
	executions: number,
) {
	const { client, sandbox } = n8n;
	// A row that fails must not hide what becomes of the others.
	const create = link(NODE, 'create', { url: '={{ $json.url }}' });
	const step = { ...create, onError: 'continueRegularOutput' } as const;
	const runAll = async (path: string, count: number, rowsEach: number) => {
		const id = await client.publish(n8n.ready(webhookChain(path, path, 'onReceived', [step])));
		const all = Array.from({ length: count }, (_, number) =>
			Array.from({ length: rowsEach }, (_row, row) => ({
				url: `https://example.com/${path}/${number}/${row}`,
			})),
		);
		for (const rows of all) await client.callWebhook(path, { rows });
		return { rows: all.flat(), ended: await client.allEnded(id, count) };
	};
	await runAll('warm-up', WARM_UPS, 1);
	sandbox.clearRequests();
	const begunBefore = await Promise.all(workers.map(begunBy));
	const { rows, ended } = await runAll('bulk', executions, links / executions);
	const begunAfter = await Promise.all(workers.map(begunBy));
	const results = await Promise.all(ended.map(async ({ id }) => await client.finished(id)));
	const items = results.flatMap((result) => result.json(NODE));
	return {
		rows,
		failed: items.filter(({ error }) => Boolean(error)).length,
		begunByWorker: begunAfter.map((count, index) => count - Number(begunBefore[index])),
	};
}

const isAccepted = ({ status }: RecordedRequest): boolean => status === 200;

/** What the service saw of rows of which each becomes a link. */
export function bulkSeen(requests: RecordedRequest[], rows: JsonRecord[], limit: RateLimit) {
	const accepted = requests.filter(isAccepted);
	const written = accepted.filter(({ method }) => method === 'POST');
	const different = new Set(written.map(({ body }) => record(body).url)).size;
	const [first, last] = [accepted[0]?.at ?? 0, accepted.at(-1)?.at ?? 0];
	// The last link has used up its window, too.
	const windows = (last - first) / 1000 / limit.windowSeconds + 1;
	return {
		requests: requests.length,
		/** Refused for the limit, and sent in vain or sent again */
		refused: requests.filter(({ status }) => status === 429).length,
		/** Rows of which no link was made */
		missing: rows.length - different,
		/** Links beyond the first one of a row */
		repeated: written.length - different,
		/** From the beginning of the first window to the last link */
		ms: last - Math.floor(first / 1000) * 1000,
		/** Of all that the limit lets through from the first to the last of these links, what was used */
		shareOfLimit: accepted.length / windows / limit.requests,
	};
}
