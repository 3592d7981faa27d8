import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startSandbox } from '../../sandbox/sandbox.ts';
import type { SandboxAccess } from '../n8n-host/instance.ts';
import { demoAccess, saveSandboxCredentials, withCredentials } from '../n8n-host/instance.ts';
import { texts } from '../n8n-host/json.ts';
import { KEYS } from './keys.ts';
import { BESIDE_KEYS, keysIn } from './keySearch.ts';
import type { Queue } from './queue.ts';
import { begunBy, bulkSeen, createLinksInQueue, QUEUE_LOGS, startQueue } from './queue.ts';
import { theStage } from './stage.ts';
import { chain, qrCode, TRIGGER } from './workflow.ts';

/**
 * Several processes with one key cannot see each other's requests. They learn from the service's responses what the others
 * use of the limit, leave room for it, and wait after a refused request.
 */

const LIMIT = { requests: 30, windowSeconds: 4 };
const LEAST_SHARE_OF_LIMIT = 0.88;
const MAX_REFUSED = 0.03;
const EXECUTIONS = 14;
const ROWS = EXECUTIONS * 30;

test('14 executions of 30 rows each, on two workers with one key, use the limit and lose nothing', async () => {
	await using stack = new AsyncDisposableStack();
	const sandbox = await startSandbox({ rateLimit: LIMIT });
	stack.defer(async () => await sandbox.stop());
	const queue = await startQueue(stack, theStage().tarball, 2);
	const account = { email: 'queue@links.example', apiKey: KEYS.queue };
	const { apiKey } = sandbox.register('link', account);
	const access = { ...demoAccess(sandbox), linkApiKey: apiKey };
	await expectManualRunOnWorker(queue, access);
	const run = await createLinksInQueue(queue, sandbox, access, ROWS, EXECUTIONS);

	expect([run.failed, new Set(run.statuses)]).toEqual([0, new Set(['success'])]);
	for (const begun of run.begunByWorker) expect(begun).toBeGreaterThanOrEqual(EXECUTIONS / 5);
	const seen = bulkSeen(sandbox.requests, run.rows, LIMIT);
	expect(seen).toMatchObject({ missing: 0, repeated: 0 });
	process.stderr.write(
		`Queue mode, two workers: ${(seen.shareOfLimit * 100).toFixed(1)} % of the limit used, ${seen.refused} requests refused.\n`,
	);
	expect(seen.shareOfLimit).toBeGreaterThanOrEqual(LEAST_SHARE_OF_LIMIT);
	expect(seen.refused / seen.requests).toBeLessThanOrEqual(MAX_REFUSED);
}, 600_000);

/** n8n 3 runs what somebody starts in the editor on a worker, too; its files are in the database. */
async function expectManualRunOnWorker(queue: Queue, access: SandboxAccess): Promise<void> {
	const { client, workers } = queue;
	const credentials = await saveSandboxCredentials(client, access);
	const made = chain(
		'By hand',
		[{}],
		[
			qrCode('Make', 'create', { qrType: 'text', text: 'Table 7' }),
			qrCode('Picture', 'getImage', { qrCodeId: '={{ $json.id }}' }),
		],
	);
	const result = await client.run(withCredentials(made, credentials), TRIGGER);
	const [item] = result.items('Picture');
	const { id } = texts(item?.binary.data, 'id');
	expect(id).toMatch(/^database/);
	expect((await client.file(id)).toString('latin1')).toMatch(/^\x89PNG\r\n/);
	const begun = await Promise.all(workers.map(begunBy));
	expect(begun.toSorted()).toEqual([0, 1]);
}

test.each([
	{ server: 'Redis', files: '**/*.aof', holding: '"executionId"' },
	{ server: 'PostgreSQL', files: 'postgres.sql', holding: BESIDE_KEYS },
])('$server has held no key', async ({ files, holding }) => {
	const stored = globSync(files, { cwd: QUEUE_LOGS }).map((file) => join(QUEUE_LOGS, file));
	const content = Buffer.concat(
		await Promise.all(stored.map(async (file) => await readFile(file))),
	);
	expect(content.includes(holding)).toBe(true);
	expect(keysIn(content)).toEqual([]);
});
