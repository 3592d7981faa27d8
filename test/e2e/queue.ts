import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Sandbox } from '../../sandbox/sandbox.ts';
import { removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';
import type { N8nHost } from '../n8n-host/host.ts';
import { startN8n } from '../n8n-host/host.ts';
import type { SandboxAccess } from '../n8n-host/instance.ts';
import { saveSandboxCredentials, startInstance, withCredentials } from '../n8n-host/instance.ts';
import { startPostgres, startRedis } from './servers.ts';
import { resultsFolder } from './stage.ts';
import { link, webhookChain } from './workflow.ts';

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
		const env = { EXECUTIONS_MODE: 'queue', ...redis.n8nEnv, ...postgres.n8nEnv };
		// The main process makes the tables and the encryption key that the workers need.
		const main = await startInstance({ userFolder, tarball, env, log: join(logs, 'main.log') });
		undo.push(main.host.stop);
		const workers: N8nHost[] = [];
		while (workers.length < workerCount) {
			const log = join(logs, `worker-${workers.length + 1}.log`);
			const worker = await startN8n({ command: 'worker', userFolder, env, log });
			undo.push(worker.stop);
			workers.push(worker);
		}
		return { client: main.client, workers, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** How many executions this worker has begun. */
async function begunBy({ logFile }: N8nHost): Promise<number> {
	return (await readFile(logFile, 'utf8')).split('Worker started execution').length - 1;
}

const NODE = 'Create';
/** The first executions of a worker are slow, because it loads what it needs. */
const WARM_UPS = 6;

/** Creates that many links, of URLs that no service has, in executions that begin at once; gives what came of it. */
export async function createLinksInQueue(
	{ client, workers }: Queue,
	sandbox: Sandbox,
	access: SandboxAccess,
	links: number,
	executions: number,
) {
	const credentials = await saveSandboxCredentials(client, access);
	// A row that fails must not hide what becomes of the others.
	const create = link(NODE, 'create', { url: '={{ $json.url }}' });
	const step = { ...create, onError: 'continueRegularOutput' } as const;
	const runAll = async (path: string, count: number, rowsEach: number) => {
		const workflow = webhookChain(path, path, 'onReceived', [step]);
		const id = await client.publish(withCredentials(workflow, credentials));
		const all = Array.from({ length: count }, (_, number) =>
			Array.from({ length: rowsEach }, (_row, row) => ({
				url: `https://example.com/${path}/${number}/${row}`,
			})),
		);
		for (const rows of all) await client.callWebhook(path, { rows });
		return { rows: all.flat(), ended: await client.allEnded(id, count) };
	};
	await runAll('warm-up', WARM_UPS, 1);
	const before = sandbox.requests.length;
	const begunBefore = await Promise.all(workers.map(begunBy));
	const { rows, ended } = await runAll('bulk', executions, links / executions);
	const begunAfter = await Promise.all(workers.map(begunBy));
	const results = await Promise.all(ended.map(async ({ id }) => await client.finished(id)));
	const items = results.flatMap((result) => result.items(NODE));
	return {
		rows,
		before,
		requests: sandbox.requests.slice(before),
		statuses: ended.map(({ status }) => status),
		failed: items.filter(({ json }) => Boolean(json.error)).length,
		begunByWorker: begunAfter.map((count, index) => count - Number(begunBefore[index])),
	};
}
