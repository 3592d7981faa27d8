import { readExample, readExamples } from '../n8n-host/instance.ts';
import { list, record } from '../n8n-host/json.ts';
import { OwnN8n } from './ownN8n.ts';
import { chain } from './workflow.ts';

/** The defaults of n8n 3, as far as n8n 2.41 can be set to them. `queue-mode.test.ts` has those of queue mode. */
const DEFAULTS = {
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	N8N_RUNNERS_TASK_TIMEOUT: '60',
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	// The sandbox is on this machine.
	N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
	N8N_DEFAULT_BINARY_DATA_MODE: 'database',
};

const stack = new AsyncDisposableStack();
let n8n: OwnN8n;

beforeAll(async () => {
	n8n = await OwnN8n.open(stack, { name: 'n8n-3', env: DEFAULTS });
});
afterAll(async () => await stack.disposeAsync());

test('pictures of QR codes are stored in the database', async () => {
	const workflow = n8n.ready(await readExample('qr-codes-as-files.json'));
	const result = await n8n.client.run(workflow);
	const [first] = result.json('Get the QR codes');
	const [picture] = result.items('Get each picture');
	const id = picture?.binary?.data?.id;
	expect(id).toMatch(/^database/);
	const sent = Buffer.from(await (await fetch(String(first?.link))).arrayBuffer());
	expect(await n8n.client.file(id)).toEqual(sent);
});

test("n8n's migration report names none of the examples, but a workflow with a removed node", async () => {
	const removed = { name: 'Old', type: 'n8n-nodes-base.orbit', parameters: {} };
	await n8n.client.createWorkflow(chain('Removed node', [{}], [removed]));
	for (const example of (await readExamples()).values()) {
		await n8n.client.createWorkflow(n8n.ready(example));
	}
	const path = '/breaking-changes/report/refresh?version=v3';
	const { report } = record(await n8n.client.post(path, {}));
	const found = list(record(report).workflowResults).map(record);
	expect(found.map(({ ruleId, nbAffectedWorkflows }) => [ruleId, nbAffectedWorkflows])).toEqual([
		['removed-nodes-v3', 1],
	]);
});
