import { record } from '../n8n-host/json.ts';
import { begunBy, startQueue } from './queue.ts';
import type { Queue } from './queue.ts';
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
let queue: Queue;

beforeAll(async () => {
	queue = await startQueue(stack, LIMIT, 2);
});
afterAll(async () => await stack.disposeAsync());

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
	expect((await begunBy(queue)).toSorted()).toEqual([0, 1]);
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
	const before = await begunBy(queue);
	const executions = rowsOf('bulk', EXECUTIONS, 30);
	const items = await runAtOnce('bulk', step, executions);
	const begun = (await begunBy(queue)).map((count, worker) => count - Number(before[worker]));
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
