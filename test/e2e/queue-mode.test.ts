import type { Sandbox } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { demoAccess } from '../n8n-host/instance.ts';
import { KEYS } from './keys.ts';
import type { Queue } from './queue.ts';
import { createLinksInQueue, startQueue } from './queue.ts';
import { theStage } from './stage.ts';

/**
 * Several processes with one key cannot see each other's requests. They learn from the service's responses what the others
 * use of the limit, leave room for it, and wait after a refused request.
 */

const LIMIT = { requests: 30, windowSeconds: 4 };
const LEAST_SHARE_OF_LIMIT = 0.88;
const MOST_REFUSED = 0.03;
const EXECUTIONS = 14;
const ROWS = EXECUTIONS * 30;

let sandbox: Sandbox;
let queue: Queue;

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: LIMIT });
	queue = await startQueue(theStage().tarball, 2);
}, 300_000);

afterAll(async () => {
	await sandbox.stop();
	await queue.stop();
}, 120_000);

test('14 executions of 30 rows each, on two workers with one key, use the limit and lose nothing', async () => {
	const account = { email: 'queue@links.example', apiKey: KEYS.queue };
	const { apiKey } = await sandbox.register(account);
	const access = { ...demoAccess(sandbox), linkApiKey: apiKey };
	const run = await createLinksInQueue(queue, sandbox, access, ROWS, EXECUTIONS);

	expect([run.failed, new Set(run.statuses)]).toEqual([0, new Set(['success'])]);
	for (const begun of run.begunByWorker) expect(begun).toBeGreaterThanOrEqual(EXECUTIONS / 5);
	const written = run.requests.filter(({ status }) => status === 200);
	expect(written).toHaveLength(ROWS);
	expect(new Set(written.map(({ body }) => JSON.stringify(body))).size).toBe(ROWS);

	const [first, last] = [written[0], written.at(-1)].map((request) => request?.at ?? 0);
	// The last request has used up its window, too.
	const seconds = (Number(last) - Number(first)) / 1000 + LIMIT.windowSeconds;
	const share = ROWS / seconds / (LIMIT.requests / LIMIT.windowSeconds);
	const refused = run.requests.filter(({ status }) => status === 429).length;
	process.stderr.write(
		`Queue mode, two workers: ${(share * 100).toFixed(1)} % of the limit used, ${refused} requests refused.\n`,
	);
	expect(share).toBeGreaterThanOrEqual(LEAST_SHARE_OF_LIMIT);
	expect(refused / run.requests.length).toBeLessThanOrEqual(MOST_REFUSED);
});
