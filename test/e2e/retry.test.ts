import type { Sandbox } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { CredentialRef, ExecutionResult } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import {
	DEMO_OWNER,
	demoAccess,
	saveSandboxCredentials,
	withCredentials,
} from '../n8n-host/instance.ts';
import { agentWorkflow, fromModel } from './agent.ts';
import { KEYS } from './keys.ts';
import type { ScriptedModel } from './model.ts';
import { startModel } from './model.ts';
import { theStage } from './stage.ts';
import { chain, link, TRIGGER } from './workflow.ts';

/** What n8n's *Retry On Fail* sends again: no row that was written, and none that may have been. */

const client = new N8nClient(theStage().n8nUrl);
const LONG_URL = 'https://example.com/asked-for-thrice';
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const CHANCE = '{{ $json.name }}-{{ Math.floor(Math.random() * 1e9) }}';
const rows = ['one', 'two', 'three'].map((name) => ({ name, url: `https://example.com/${name}` }));

let sandbox: Sandbox;
let credentials: CredentialRef[];

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: { requests: 0, windowSeconds: 60 } });
	const { apiKey } = await sandbox.register({ email: 'retry@example.com', apiKey: KEYS.retry });
	await client.login(DEMO_OWNER);
	credentials = await saveSandboxCredentials(
		client,
		{ ...demoAccess(sandbox), linkApiKey: apiKey },
		{ suffix: 'to try again', data: { requestsPerMinute: 0 } },
	);
});

beforeEach(() => {
	sandbox.clearRequests();
	sandbox.faults.clear();
});

afterAll(async () => {
	await sandbox.stop();
});

const sentUrls = (): unknown[] =>
	sandbox.requests.map(({ body }) => (body as { url?: unknown }).url);

async function createLinks(parameters: Record<string, unknown>): Promise<ExecutionResult> {
	const step = link('Create', 'create', { url: '={{ $json.url }}', ...parameters });
	const workflow = chain('E2E retry', rows, [{ ...step, ...RETRY }]);
	return await client.run(withCredentials(workflow, credentials), TRIGGER);
}

test('rows whose alias is of chance are written once, while the refused one is tried again', async () => {
	const result = await createLinks({
		additionalFields: { customAlias: `={{ $json.name === 'three' ? 'no alias' : '' }}${CHANCE}` },
	});
	expect(result.status).toBe('error');
	expect(sentUrls()).toEqual([0, 1, 2, 2, 2].map((row) => rows[row]?.url));
	// One number names the row: n8n adds none of its own.
	expect(result.error?.message).toMatch(/\(item 3 of 3: 2 succeeded, 0 not sent\)$/);
});

test('a write whose answer was lost is not sent again', async () => {
	sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add', times: 1 });
	const result = await createLinks({ additionalFields: { customAlias: `=${CHANCE}` } });
	expect(result.status).toBe('error');
	expect(sentUrls()).toEqual([rows[0]?.url]);
});

test('rows of a batch are not written again when an expression of a later batch fails', async () => {
	const result = await createLinks({
		url: "={{ $itemIndex === 2 ? $('Nowhere').first().json.url : $json.url }}",
		requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 500 } } },
	});
	expect(result.status).toBe('error');
	expect(sentUrls()).toEqual([rows[0]?.url, rows[1]?.url]);
});

describe('calls of an AI tool', () => {
	let model: ScriptedModel;
	let modelCredential: CredentialRef;

	beforeAll(async () => {
		const call = { tool: 'Shorten', input: { url: LONG_URL } };
		model = await startModel([call, call, call, { say: 'Done.' }]);
		modelCredential = await client.saveCredential({
			name: 'Scripted model that asks thrice',
			type: 'openAiApi',
			data: { apiKey: KEYS.model, url: model.url, header: false },
		});
	});

	afterAll(async () => {
		await model.stop();
	});

	test('are runs of their own: after a lost answer equal calls are sent', async () => {
		sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add', times: 1 });
		const tool = link('Shorten', 'create', { url: fromModel('url', 'The long URL') });
		const workflow = agentWorkflow('E2E agent with a lost answer', 'Shorten it thrice.', [
			{ ...tool, onError: 'continueRegularOutput' },
		]);
		const result = await client.run(
			withCredentials(workflow, [...credentials, modelCredential]),
			TRIGGER,
		);
		expect(result.status).toBe('success');
		expect(sentUrls()).toEqual(Array(3).fill(LONG_URL));
	});
});
