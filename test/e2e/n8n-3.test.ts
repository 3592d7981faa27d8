import { readExamples, withCredentials } from '../n8n-host/instance.ts';
import { list, record, texts } from '../n8n-host/json.ts';
import { json, triggerOf } from './exampleStage.ts';
import { OwnN8n } from './ownN8n.ts';
import { theStage } from './stage.ts';
import { chain, link } from './workflow.ts';

/** The defaults of n8n 3, as far as n8n 2.41 can be set to them. `queue-mode.test.ts` has those of queue mode. */
const DEFAULTS = {
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	N8N_RUNNERS_TASK_TIMEOUT: '60',
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	// The shared address space, and the ranges of IPv6 that lead to IPv4.
	N8N_SSRF_BLOCKED_IP_RANGES: 'default,100.64.0.0/10,64:ff9b::/96,2001::/32,2002::/16',
	// The sandbox is on this machine.
	N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
};

const PICTURES = 'qr-codes-as-files.json';

describe.each(['filesystem', 'database'])('with binary data in the %s', (mode) => {
	const stack = new AsyncDisposableStack();
	let n8n: OwnN8n;

	beforeAll(async () => {
		n8n = await OwnN8n.open(stack, {
			name: `n8n-3-${mode}`,
			tarball: theStage().tarball,
			env: { ...DEFAULTS, N8N_DEFAULT_BINARY_DATA_MODE: mode },
		});
	});
	afterAll(async () => await stack.disposeAsync());

	test('pictures of QR codes are stored there', async () => {
		const example = (await readExamples()).get(PICTURES);
		if (example === undefined) throw new Error(`There is no examples/${PICTURES}`);
		const workflow = withCredentials(example, n8n.credentials);
		const result = await n8n.client.run(workflow, triggerOf(workflow));
		const [first] = json(result, 'Get the QR codes');
		const [picture] = result.items('Get each picture');
		const { id } = texts(picture?.binary.data, 'id');
		expect(id).toMatch(new RegExp(`^${mode}`));
		const sent = Buffer.from(await (await fetch(String(first?.link))).arrayBuffer());
		expect(await n8n.client.file(id)).toEqual(sent);
	});

	test.each(['http://100.64.0.1', 'http://[2002:7f00:1::]'])(
		'%s is refused, and the message says by what',
		async (baseUrl) => {
			const credential = await n8n.client.saveCredential({
				name: `Blocked ${baseUrl}`,
				type: 'linkManagementApi',
				data: { baseUrl, apiKey: 'unused-key', requestsPerMinute: 0, timezone: 'UTC' },
			});
			const read = link('Read', 'getAll', { returnAll: false, limit: 1 });
			const workflow = withCredentials(chain(`Blocked ${baseUrl}`, [{}], [read]), [credential]);
			const { status, error } = await n8n.client.run(workflow, triggerOf(workflow));
			expect(status).toBe('error');
			expect(error?.message).toMatch(
				/SSRF protection blocks that address, unless N8N_SSRF_ALLOWED_HOSTNAMES or/,
			);
		},
	);

	test("n8n's migration report names none of the examples, but a workflow with a removed node", async () => {
		const removed = { name: 'Old', type: 'n8n-nodes-base.orbit', parameters: {} };
		await n8n.client.importWorkflow(chain('Removed node', [{}], [removed]));
		const examples = await readExamples();
		for (const example of examples.values()) {
			await n8n.client.importWorkflow(withCredentials(example, n8n.credentials));
		}
		const path = '/breaking-changes/report/refresh?version=v3';
		const { report, totalWorkflows } = record(await n8n.client.post(path, {}));
		expect(Number(totalWorkflows)).toBeGreaterThanOrEqual(examples.size);
		const found = list(record(report).workflowResults).map(record);
		expect(found.map(({ ruleId, nbAffectedWorkflows }) => [ruleId, nbAffectedWorkflows])).toEqual([
			['removed-nodes-v3', 1],
		]);
	});
});
