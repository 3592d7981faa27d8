import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { RateLimit } from '../../sandbox/rateLimit.ts';
import type { RecordedRequest, Sandbox } from '../../sandbox/sandbox.ts';
import { removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';
import type { N8nHost } from '../n8n-host/host.ts';
import { startN8n } from '../n8n-host/host.ts';
import type { SandboxAccess } from '../n8n-host/instance.ts';
import { saveSandboxCredentials, startInstance, withCredentials } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record } from '../n8n-host/json.ts';
import { startPostgres, startRedis } from './servers.ts';
import { resultsFolder } from './stage.ts';
import { link, webhookChain } from './workflow.ts';

/** n8n in queue mode: one main, some workers, and the servers they share. */
export type Queue = Awaited<ReturnType<typeof startQueue>>;

/** Where their logs are left, and what Redis and PostgreSQL have stored. */
export const QUEUE_LOGS = join(resultsFolder(), 'queue-mode');

/** @param stack ends them */
export async function startQueue(
	stack: AsyncDisposableStack,
	tarball: string,
	workerCount: number,
) {
	await rm(QUEUE_LOGS, { recursive: true, force: true });
	const userFolder = stack.adopt(await temporaryFolder('queue'), removeFolder);
	const redis = await startRedis(stack, join(QUEUE_LOGS, 'redis.log'));
	const postgres = await startPostgres(stack, join(QUEUE_LOGS, 'postgres.log'));
	const env = {
		EXECUTIONS_MODE: 'queue',
		// As n8n 3 has it.
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		...redis,
		...postgres,
	};
	// The main process makes the tables and the encryption key that the workers need.
	const main = await startInstance({ userFolder, tarball, env, log: join(QUEUE_LOGS, 'main.log') });
	stack.defer(main.host.stop);
	const starting = Array.from({ length: workerCount }, async (_, index) => {
		const log = join(QUEUE_LOGS, `worker-${index + 1}.log`);
		const worker = await startN8n({ command: 'worker', userFolder, env, log });
		stack.defer(worker.stop);
		return worker;
	});
	return { client: main.client, workers: await Promise.all(starting) };
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
	sandbox.clearRequests();
	const begunBefore = await Promise.all(workers.map(begunBy));
	const { rows, ended } = await runAll('bulk', executions, links / executions);
	const begunAfter = await Promise.all(workers.map(begunBy));
	const results = await Promise.all(ended.map(async ({ id }) => await client.finished(id)));
	const items = results.flatMap((result) => result.items(NODE));
	return {
		rows,
		statuses: ended.map(({ status }) => status),
		failed: items.filter(({ json }) => Boolean(json.error)).length,
		begunByWorker: begunAfter.map((count, index) => count - Number(begunBefore[index])),
	};
}

/** By which the requests of a program that shares the key are told from n8n's: the body of a refused one is not read. */
export const OTHER_PROGRAM = 'other-program';

const isAccepted = ({ status }: RecordedRequest): boolean => status === 200;

/** What the service saw of rows of which each becomes a link. */
export function bulkSeen(requests: RecordedRequest[], rows: JsonRecord[], limit: RateLimit) {
	const ours = requests.filter(({ headers }) => headers['user-agent'] !== OTHER_PROGRAM);
	const written = ours.filter(isAccepted);
	const different = new Set(written.map(({ body }) => record(body).url)).size;
	const [first, last] = [written[0]?.at ?? 0, written.at(-1)?.at ?? 0];
	const used = requests.filter((each) => isAccepted(each) && each.at >= first && each.at <= last);
	// The last link has used up its window, too.
	const windows = (last - first) / 1000 / limit.windowSeconds + 1;
	return {
		requests: ours.length,
		/** Refused for the limit, and sent in vain or sent again */
		refused: ours.filter(({ status }) => status === 429).length,
		/** Rows of which no link was made */
		missing: rows.length - different,
		/** Links beyond the first one of a row */
		repeated: written.length - different,
		/** From the beginning of the first window to the last link */
		ms: last - Math.floor(first / 1000) * 1000,
		/** Of all that the limit lets through from the first to the last of these links, what was used, by whomever */
		shareOfLimit: used.length / windows / limit.requests,
	};
}
