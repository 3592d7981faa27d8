import type { Sandbox } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { NodeResult, NodeRun } from './engine.ts';
import { runNode } from './engine.ts';

let sandbox: Sandbox;
let apiKey: string;

beforeEach(async () => {
	sandbox = await startSandbox({ rateLimit: { requests: 0, windowSeconds: 60 } });
	apiKey = (await sandbox.register({ email: 'rows@example.com' })).apiKey;
});

afterEach(async () => {
	await sandbox.stop();
});

const aliases = (...names: string[]) =>
	names.map((alias) => ({ alias, url: `https://example.com/${alias}` }));

async function createLinks(run: Partial<NodeRun>): Promise<NodeResult> {
	return await runNode({
		type: 'linkManagement',
		parameters: {
			resource: 'link',
			operation: 'create',
			url: '={{ $json.url }}',
			additionalFields: { customAlias: '={{ $json.alias }}' },
		},
		credentials: {
			linkManagementApi: {
				baseUrl: sandbox.linkUrl,
				apiKey,
				requestsPerMinute: 0,
				timezone: 'UTC',
			},
		},
		...run,
	});
}

const sentAliases = () => sandbox.requests.map(({ body }) => (body as { custom?: unknown }).custom);

describe('when the third of five rows is refused by the service', () => {
	const rows = aliases('one', 'two', 'one', 'four', 'five');

	test('nothing after it is sent, and the message says so', async () => {
		const { error, items } = await createLinks({ rows });
		expect(sentAliases()).toEqual(['one', 'two', 'one']);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/taken.*\(item 3 of 5: 2 succeeded, 2 not sent\)$/i);
		expect(error).toMatchObject({ context: { itemIndex: 2 } });
	});

	test('Continue (using error output) gives four results and the failed row with its data', async () => {
		const { outputs, error } = await createLinks({
			rows,
			settings: { onError: 'continueErrorOutput' },
		});
		expect(error).toBeUndefined();
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 3, 4].map((item) => ({ item })),
		);
		const [failed] = outputs[1] ?? [];
		expect(outputs[1]).toHaveLength(1);
		expect(failed).toMatchObject({
			json: { alias: 'one', url: 'https://example.com/one' },
			pairedItem: { item: 2 },
		});
		expect(failed?.json.error).toMatch(/taken/i);
	});

	test('Continue gives five items, the failed one with its message', async () => {
		const { items } = await createLinks({
			rows,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3, 4].map((item) => ({ item })),
		);
		expect(Object.keys(items[2]?.json ?? {})).toEqual(['error']);
		expect(items[2]?.json.error).toMatch(/taken/i);
	});

	test('Retry On Fail sends the refused row again, and no row that was written', async () => {
		await createLinks({
			rows,
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(sentAliases()).toEqual(['one', 'two', 'one', 'one']);
	});
});

describe('when a row holds a value that cannot be sent', () => {
	const rows = [
		...aliases('one', 'two'),
		{ alias: 'three', url: 'no address' },
		...aliases('four'),
	];

	test('nothing at all is sent, and the message names the row and the value', async () => {
		const { error } = await createLinks({ rows });
		expect(sandbox.requests).toEqual([]);
		expect(error?.message).toBe(
			'URL must be a web address, but is "no address" (item 3 of 4: nothing was sent)',
		);
		expect(error?.description).toBe('Write it with http:// or https:// in front');
	});

	test('with an error output the other rows are written', async () => {
		const { outputs } = await createLinks({ rows, settings: { onError: 'continueErrorOutput' } });
		expect(sentAliases()).toEqual(['one', 'two', 'four']);
		expect(outputs[1]).toMatchObject([
			{ json: { alias: 'three', url: 'no address' }, pairedItem: { item: 2 } },
		]);
	});
});

test('when an expression fails in a later row, the rows before it are not written behind its back', async () => {
	const { error } = await createLinks({
		rows: aliases('one', 'two', 'three'),
		parameters: {
			resource: 'link',
			operation: 'create',
			url: '={{ $itemIndex === 2 ? $json.missing.member : $json.url }}',
			additionalFields: {},
		},
	});
	expect(error?.message).toBeDefined();
	await new Promise((resolve) => setTimeout(resolve, 100));
	expect(sandbox.requests).toEqual([]);
});

test('links are created in the order of the rows', async () => {
	const names = Array.from({ length: 20 }, (_, index) => `alias-${index}`);
	const { json } = await createLinks({ rows: aliases(...names) });
	expect(sentAliases()).toEqual(names);
	const ids = json.map(({ id }) => Number(id));
	expect(ids).toEqual([...ids].sort((a, b) => a - b));
});

test('a write that may have been carried out is not sent again, not even by Retry On Fail', async () => {
	sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add', times: 1 });
	const { error } = await createLinks({
		rows: aliases('one', 'two'),
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
	});
	expect(sentAliases()).toEqual(['one']);
	expect(error?.description).toMatch(/may have been carried out/);
});

test('a refused key ends the run at once, even where the node continues on error', async () => {
	const { items } = await createLinks({
		rows: aliases('one', 'two', 'three'),
		settings: { onError: 'continueRegularOutput' },
		credentials: {
			linkManagementApi: { baseUrl: sandbox.linkUrl, apiKey: 'wrong-key', requestsPerMinute: 0 },
		},
	});
	expect(sandbox.requests).toHaveLength(1);
	expect(items).toHaveLength(3);
	for (const { json } of items) expect(json.error).toMatch(/key/i);
});

test('Execute Once sends the first row only', async () => {
	const { items } = await createLinks({
		rows: aliases('one', 'two'),
		settings: { executeOnce: true },
	});
	expect(sentAliases()).toEqual(['one']);
	expect(items).toHaveLength(1);
});

describe('with a limit that is used up', () => {
	let limited: Sandbox;

	beforeEach(async () => {
		limited = await startSandbox({ rateLimit: { requests: 2, windowSeconds: 3600 } });
	});

	afterEach(async () => {
		await limited.stop();
	});

	test('cancelling ends the wait', async () => {
		const { apiKey: key } = await limited.register({ email: 'cancel@example.com' });
		const { run, error } = await createLinks({
			rows: aliases('one', 'two', 'three'),
			credentials: {
				linkManagementApi: { baseUrl: limited.linkUrl, apiKey: key, requestsPerMinute: 30 },
			},
			onStart: (execution) => {
				const poll = setInterval(() => {
					if (limited.requests.length < 2) return;
					clearInterval(poll);
					execution.cancel();
				}, 20);
			},
		});
		expect(run.status).toBe('canceled');
		expect(error?.message).toBe('The execution was canceled');
		expect(limited.requests).toHaveLength(2);
	});
});

const keyFromRow = () => ({
	linkManagementApi: {
		baseUrl: sandbox.linkUrl,
		apiKey: '={{ $json.key }}',
		requestsPerMinute: 0,
		timezone: 'UTC',
	},
});

async function aliasesOf(key: string): Promise<unknown[]> {
	const response = await fetch(`${sandbox.linkUrl}/api/urls`, {
		headers: { authorization: `Bearer ${key}` },
	});
	const { data } = (await response.json()) as { data: { urls: Array<{ alias: string }> } };
	return data.urls.map(({ alias }) => alias).toSorted();
}

describe('the credential', () => {
	test('is asked for once for each row', async () => {
		const one = await createLinks({ rows: aliases('single') });
		const hundred = await createLinks({
			rows: aliases(...Array.from({ length: 100 }, (_, index) => `row-${index}`)),
		});
		expect(hundred.items).toHaveLength(100);
		expect(hundred.credentialReads - one.credentialReads).toBe(99);
	});

	test('may have its key from the row: each link is made in the account of its row', async () => {
		const other = await sandbox.register({ email: 'other@example.com' });
		const keys = [apiKey, other.apiKey, apiKey];
		const rows = aliases('mine', 'theirs', 'mine-too').map((row, index) => ({
			...row,
			key: keys[index],
		}));
		const { error } = await createLinks({ rows, credentials: keyFromRow() });
		expect(error).toBeUndefined();
		expect(await aliasesOf(apiKey)).toEqual(['mine', 'mine-too']);
		expect(await aliasesOf(other.apiKey)).toEqual(['theirs']);
	});

	test('when the key of one row is refused, Continue still sends the rows with other keys', async () => {
		const keys = ['wrong-key', apiKey, 'wrong-key'];
		const rows = aliases('first', 'second', 'third').map((row, index) => ({
			...row,
			key: keys[index],
		}));
		const { json } = await createLinks({
			rows,
			credentials: keyFromRow(),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(json).toEqual([
			{ error: expect.stringMatching(/key/i) as unknown },
			expect.objectContaining({ id: expect.any(Number) as unknown }),
			{ error: expect.stringMatching(/key/i) as unknown },
		]);
		expect(sentAliases()).toEqual(['first', 'second']);
	});

	test('may be restricted to other domains: the service it is for is always one of them', async () => {
		const { items, error } = await createLinks({
			rows: aliases('restricted'),
			credentials: {
				linkManagementApi: {
					baseUrl: sandbox.linkUrl,
					apiKey,
					requestsPerMinute: 0,
					timezone: 'UTC',
					allowedHttpRequestDomains: 'domains',
					allowedDomains: 'other.example.com',
				},
			},
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});
});
