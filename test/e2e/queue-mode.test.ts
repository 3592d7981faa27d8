import { begunBy, bulkSeen, createLinksInQueue, startQueue } from './queue.ts';
import type { Queue } from './queue.ts';
import { given, pollingWorkflow } from './triggers.ts';
import { byId, chain, link, qrCode, webhookChain } from './workflow.ts';

/**
 * Several processes with one key cannot see each other's requests. They learn from the service's responses what the others
 * use of the limit, leave room for it, and wait after a refused request.
 */

const LIMIT = { requests: 30, windowSeconds: 4 };
const LEAST_SHARE_OF_LIMIT = 0.88;
const MAX_REFUSED = 0.03;
const EXECUTIONS = 14;
const ROWS = EXECUTIONS * 30;

const stack = new AsyncDisposableStack();
let queue: Queue;

beforeAll(async () => {
	queue = await startQueue(stack, LIMIT, 2);
});
afterAll(async () => await stack.disposeAsync());

test('what somebody starts in the editor runs on a worker, and its files are in the database', async () => {
	const { client } = queue.n8n;
	const made = chain(
		'By hand',
		[{}],
		[
			qrCode('Make', 'create', { qrType: 'text', text: 'Table 7' }),
			qrCode('Picture', 'getImage', { qrCodeId: byId('={{ $json.id }}') }),
		],
	);
	const [item] = (await client.run(queue.n8n.ready(made))).items('Picture');
	const id = item?.binary?.data?.id;
	expect(id).toMatch(/^database/);
	expect((await client.file(id)).toString('latin1')).toMatch(/^\x89PNG\r\n/);
	const begun = await Promise.all(queue.workers.map(begunBy));
	expect(begun.toSorted()).toEqual([0, 1]);
});

test('14 executions of 30 rows each, on two workers with one key, use the limit and lose nothing', async () => {
	const run = await createLinksInQueue(queue, ROWS, EXECUTIONS);
	expect(run.failed).toBe(0);
	for (const begun of run.begunByWorker) expect(begun).toBeGreaterThanOrEqual(EXECUTIONS / 5);
	const seen = bulkSeen(queue.n8n.sandbox.requests, run.rows, LIMIT);
	expect(seen).toMatchObject({ missing: 0, repeated: 0 });
	expect(seen.shareOfLimit).toBeGreaterThanOrEqual(LEAST_SHARE_OF_LIMIT);
	expect(seen.refused / seen.requests).toBeLessThanOrEqual(MAX_REFUSED);
}, 600_000);

test('a sheet of 60 rows in two executions becomes 60 links, and a trigger gives each of them once', async () => {
	const { n8n } = queue;
	const { client } = n8n;
	const rows = Array.from({ length: 60 }, (_, row) => ({
		url: `https://example.com/sheet/${row}`,
		alias: `sheet-${row}`,
	}));
	const created = pollingWorkflow('New', 'linkManagementTrigger', { event: 'linkCreated' });
	const trigger = await client.publish(n8n.ready(created));
	const upsert = link('Links', 'upsert', { mappingMode: 'autoMapInputData' });
	const sheet = await client.publish(
		n8n.ready(webhookChain('Sheet', 'sheet', 'onReceived', [upsert])),
	);
	for (const half of [rows.slice(0, 30), rows.slice(30)]) {
		await client.callWebhook('sheet', { rows: half });
	}
	const ended = await client.allEnded(sheet, 2);
	const results = await Promise.all(ended.map(async ({ id }) => await client.finished(id)));
	const links = results.flatMap((result) => result.json('Links'));
	expect(links.map(({ outcome }) => outcome)).toEqual(rows.map(() => 'created'));

	const aliases = rows.map(({ alias }) => alias).toSorted();
	expect((await given(n8n, trigger, 'alias', rows.length)).toSorted()).toEqual(aliases);
});
