import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { RateLimit } from '../../sandbox/rateLimit.ts';
import type { N8nHost } from '../n8n-host/host.ts';
import { startN8n } from '../n8n-host/host.ts';
import { freePort } from '../n8n-host/ports.ts';
import { removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';
import { OwnN8n, RESULTS } from './ownN8n.ts';
import { startPostgres } from './postgres.ts';
import { pathOf } from './programs.ts';

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

/** How many executions each worker has begun. */
export const begunBy = async ({ workers }: Queue): Promise<number[]> =>
	await Promise.all(
		workers.map(async ({ logFile }) => {
			const log = await readFile(logFile, 'utf8');
			return log.split('Worker started execution').length - 1;
		}),
	);
