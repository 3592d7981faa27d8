import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { N8nClient } from '../n8n-host/client.ts';
import {
	installCommunityPackage,
	removeFolder,
	temporaryFolder,
} from '../n8n-host/community-package.ts';
import type { N8nHost } from '../n8n-host/host.ts';
import { startN8n } from '../n8n-host/host.ts';
import { DEMO_OWNER } from '../n8n-host/instance.ts';
import { startPostgres, startRedis } from './servers.ts';
import { resultsFolder } from './stage.ts';

/**
 * How long a worker that says nothing keeps its jobs, and how often the others look. n8n's own settings are a minute
 * and half a minute; here they are shorter, so that nobody waits for that, but longer than a busy machine pauses.
 */
const QUICK_LOCKS = {
	QUEUE_WORKER_LOCK_DURATION: '12000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

/** n8n in queue mode: one main, some workers, and the servers they share. */
export type Queue = Awaited<ReturnType<typeof startQueue>>;

/** Their logs, and at the end all that the servers held, are left in `test-results/queue-mode`. */
export async function startQueue(tarball: string, workerCount: number) {
	const logs = join(resultsFolder(), 'queue-mode');
	/** What `stop` has to undo, the last first. */
	const undo: Array<() => Promise<unknown>> = [];
	const stop = async () => {
		for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
	};
	try {
		const userFolder = await temporaryFolder('queue');
		undo.push(async () => await removeFolder(userFolder));
		const redis = await startRedis(join(logs, 'redis.log'));
		undo.push(redis.stop);
		const postgres = await startPostgres(join(logs, 'postgres.log'));
		undo.push(postgres.stop);
		undo.push(async () => await postgres.dump(join(logs, 'postgres.sql')));
		undo.push(async () => await redis.dump(join(logs, 'redis.rdb')));
		const mode = { EXECUTIONS_MODE: 'queue', ...QUICK_LOCKS };
		const env = { ...mode, ...redis.n8nEnv, ...postgres.n8nEnv };
		await installCommunityPackage(userFolder, tarball);
		const start = async (command: 'start' | 'worker', name: string) => {
			const host = await startN8n({ command, userFolder, env, log: join(logs, `${name}.log`) });
			undo.push(host.stop);
			return host;
		};

		// The main process makes the tables and the encryption key that the workers need.
		const client = new N8nClient((await start('start', 'main')).url);
		await client.setUpOwner(DEMO_OWNER);
		const workers: N8nHost[] = [];
		const addWorker = async () =>
			void workers.push(await start('worker', `worker-${workers.length + 1}`));
		while (workers.length < workerCount) await addWorker();
		return { client, workers, addWorker, begunBy, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** The executions that this worker has begun, by id. */
async function begunBy({ logFile }: N8nHost): Promise<string[]> {
	const log = await readFile(logFile, 'utf8');
	return [...log.matchAll(/Worker started execution (\d+)/g)].map(([, id = '']) => id);
}
