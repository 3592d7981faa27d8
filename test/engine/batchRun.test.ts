import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { NodeResult, NodeRun } from './engine.ts';
import { callTool, runNode } from './engine.ts';
import { A_NUMBER, like } from './support.ts';

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
		credentials: credentials(),
		...run,
	});
}

const credentials = () => ({
	linkManagementApi: {
		baseUrl: sandbox.linkUrl,
		apiKey,
		requestsPerMinute: 0,
		timezone: 'UTC',
	},
});

const sentAliases = () => sandbox.requests.map(({ body }) => (body as { custom?: unknown }).custom);

describe('when the third of five rows is refused by the service', () => {
	const rows = aliases('one', 'two', 'one', 'four', 'five');

	test('nothing after it is sent, and the message says so', async () => {
		const { error, items } = await createLinks({ rows });
		expect(sentAliases()).toEqual(['one', 'two', 'one']);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/taken.*\(item 3 of 5: 2 succeeded, 2 not sent\)$/i);
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

/** n8n throws for it while it evaluates the third item: there is no such node. */
const FAILS_IN_ROW_3 = "={{ $itemIndex === 2 ? $('Nowhere').first().json.url : $json.url }}";

const creating = (fields: INodeParameters) => ({
	resource: 'link',
	operation: 'create',
	url: '={{ $json.url }}',
	additionalFields: { customAlias: '={{ $json.alias }}' },
	...fields,
});

const batchesOf = (batchSize: number, batchInterval = 300) => ({
	requestOptions: { batching: { batch: { batchSize, batchInterval } } },
});

test('when an expression fails in a later row, the rows before it are not written behind its back', async () => {
	const { error } = await createLinks({
		rows: aliases('one', 'two', 'three'),
		parameters: creating({ url: FAILS_IN_ROW_3 }),
	});
	expect(error?.message).toBe("Referenced node doesn't exist");
	await new Promise((resolve) => setTimeout(resolve, 100));
	expect(sandbox.requests).toEqual([]);
});

describe('with Retry On Fail', () => {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const sentUrls = () => sandbox.requests.map(({ body }) => (body as { url?: unknown }).url);
	const urlOf = (name: string) => `https://example.com/${name}`;

	const CHANCE = '$json.alias + Math.floor(Math.random() * 1e9)';

	test.each([
		['as it was', '$json.alias', {}],
		['with an alias of chance', CHANCE, {}],
		[
			'with an expiry that moves on',
			'$json.alias',
			{ expiry: '={{ $now.plus({ days: 30, seconds: Math.random() * 1e6 }) }}' },
		],
	])(
		'the refused row is sent in every try, and a row that was written once, %s',
		async (_how, alias, fields) => {
			const customAlias = `={{ $json.alias === 'three' ? 'no alias' : ${alias} }}`;
			await createLinks({
				rows: aliases('one', 'two', 'three'),
				parameters: creating({ additionalFields: { ...fields, customAlias } }),
				settings,
			});
			expect(sentUrls()).toEqual(['one', 'two', 'three', 'three', 'three'].map(urlOf));
		},
	);

	test.each([
		['as it was', {}],
		['with an alias of chance', { customAlias: `={{ ${CHANCE} }}` }],
	])(
		'a write that may have been carried out is not sent again, %s',
		async (_how, additionalFields) => {
			sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add', times: 1 });
			const { error } = await createLinks({
				rows: aliases('one', 'two'),
				parameters: creating({ additionalFields }),
				settings,
			});
			expect(sentUrls()).toEqual([urlOf('one')]);
			expect(error?.message).toMatch(/\(item 1 of 2: 0 succeeded, 1 not sent\)$/);
			expect(error?.description).toMatch(/may have been carried out/);
		},
	);

	test('a try that fails before the turn of a row does not forget that the row was written', async () => {
		const rows = aliases('one', 'two', 'two');
		const { error } = await createLinks({
			rows,
			settings,
			// n8n reads it once for itself in each try: this is the first row of the second try.
			onCredentialRead: (reads) => {
				if (reads === rows.length + 3) throw new Error('The database is locked');
			},
		});
		expect(sentAliases()).toEqual(['one', 'two', 'two', 'two']);
		expect(error?.message).toMatch(/\(item 3 of 3: 2 succeeded, 0 not sent\)$/);
	});

	test('a row that was written in a batch is not written again when a later batch fails', async () => {
		const { error } = await createLinks({
			rows: aliases('one', 'two', 'three'),
			parameters: creating({ ...batchesOf(1), url: FAILS_IN_ROW_3 }),
			settings,
		});
		expect(error?.message).toBe("Referenced node doesn't exist");
		expect(sentAliases()).toEqual(['one', 'two']);
	});

	test('an answer that comes while n8n tries again counts for the next try', async () => {
		sandbox.faults.add({ kind: 'delay', path: '/api/url/add', times: 1, milliseconds: 300 });
		await createLinks({
			rows: aliases('one', 'two', 'three'),
			parameters: creating({ ...batchesOf(1), url: FAILS_IN_ROW_3 }),
			settings,
		});
		expect(sentAliases()).toEqual(['one', 'two']);
	});

	test('a write of the try before that is still under way is counted once it is done', async () => {
		sandbox.faults.add({ kind: 'delay', path: '/api/url/add', times: 1, milliseconds: 1500 });
		const until = Date.now() + 500;
		const url = `={{ $itemIndex === 1 && $now.toMillis() < ${until} ? $('Nowhere').first().json.url : $json.url }}`;
		const { error } = await createLinks({
			rows: aliases('one', 'two', 'three'),
			parameters: creating({ ...batchesOf(1, 50), url }),
			settings: { ...settings, maxTries: 2, waitBetweenTries: 600 },
			onCredentialRead: (reads) => {
				if (reads === 4) throw new Error('The database is locked');
			},
		});
		expect(sentAliases()).toEqual(['one']);
		expect(error?.message).toBe('The database is locked (item 1 of 3: 1 succeeded, 2 not sent)');
	});

	test('rows that are equal are each written', async () => {
		await createLinks({
			rows: [{ url: urlOf('same') }, { url: urlOf('same') }, { url: urlOf('same') }],
			parameters: creating({ additionalFields: {} }),
			settings,
		});
		expect(sentUrls()).toEqual(Array(3).fill(urlOf('same')));
	});

	test('Continue with a failed first row writes the others once', async () => {
		const { json } = await createLinks({
			rows: [{ alias: 'zero', url: 'no address' }, ...aliases('one', 'two')],
			settings: { ...settings, onError: 'continueRegularOutput' },
		});
		expect(sentAliases()).toEqual(['one', 'two']);
		expect(json).toMatchObject([
			{ error: like(/web address|absolute/) },
			{ id: A_NUMBER },
			{ id: A_NUMBER },
		]);
	});
});

test('cancelled with Continue, only the row that was under way may have been carried out', async () => {
	sandbox.faults.add({ kind: 'delay', path: '/api/url/add', times: 1, milliseconds: 800 });
	const { json } = await createLinks({
		rows: aliases('one', 'two'),
		settings: { onError: 'continueRegularOutput' },
		onStart: (execution) => {
			const poll = setInterval(() => {
				if (sandbox.requests.length === 0) return;
				clearInterval(poll);
				execution.cancel();
			}, 20);
		},
	});
	expect(sandbox.requests).toHaveLength(1);
	expect(json).toEqual([
		{ error: like(/^The execution was canceled\. It may have been .* again\.$/) },
		{ error: 'The execution was canceled.' },
	]);
});

describe('as a tool of an AI agent', () => {
	const parameters = creating({ url: "={{ $fromAI('url') }}", additionalFields: {} });
	const call = (url: string) => ({ url });
	const tool = (settings = {}) => ({ parameters, settings, credentials: credentials() });

	test('each of five calls at the same time makes its link', async () => {
		const urls = ['a', 'a', 'b', 'c', 'd'].map((name) => `https://example.com/${name}`);
		const [answers] = await callTool(tool(), [urls.map(call)]);
		expect(answers).toHaveLength(5);
		expect(sandbox.requests.map(({ body }) => (body as { url: string }).url).toSorted()).toEqual(
			urls,
		);
		expect(new Set(answers).size).toBe(5);
	});

	test('a call after one whose answer was lost is sent: it is another call, if an equal one', async () => {
		sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add', times: 1 });
		const url = 'https://example.com/again';
		const answers = await callTool(tool(), [[call(url)], [call(url)], [call(url)]]);
		expect(sandbox.requests).toHaveLength(3);
		expect(answers[0]?.[0]).toMatch(/may have been carried out/);
		expect(answers[1]?.[0]).toMatch(/shorturl/);
		expect(answers[2]?.[0]).toMatch(/shorturl/);
	});

	test('Retry On Fail does not repeat a call whose answer was lost', async () => {
		sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add', times: 1 });
		const retried = tool({ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 });
		const [answers] = await callTool(retried, [[call('https://example.com/once')]]);
		expect(sandbox.requests).toHaveLength(1);
		expect(answers?.[0]).toMatch(/may have been carried out/);
	});
});

describe('with Batching', () => {
	test('the message counts all rows, in whatever batch they are', async () => {
		const { error } = await createLinks({
			rows: aliases('one', 'two', 'three', 'one', 'five', 'six', 'seven'),
			parameters: creating(batchesOf(2)),
		});
		expect(sentAliases()).toEqual(['one', 'two', 'three', 'one']);
		expect(error?.message).toMatch(/\(item 4 of 7: 3 succeeded, 3 not sent\)$/);
	});

	test('an interval of 0 is no batching: all rows are checked first', async () => {
		await createLinks({
			rows: [...aliases('one', 'two'), { alias: 'three', url: 'no address' }],
			parameters: creating(batchesOf(1, 0)),
		});
		expect(sandbox.requests).toEqual([]);
	});

	test('a bad row ends its batch before anything of it is sent', async () => {
		const { error } = await createLinks({
			rows: [...aliases('one', 'two', 'three'), { alias: 'four', url: 'no address' }],
			parameters: creating(batchesOf(2)),
		});
		// Of the batch before, what is not sent by then is not sent either.
		const sent = sentAliases();
		expect(sent).toEqual(['one', 'two'].slice(0, sent.length));
		expect(error?.message).toMatch(
			new RegExp(`\\(item 4 of 4: ${sent.length} succeeded, ${4 - sent.length} not sent\\)$`),
		);
	});
});

test('one number names a row: n8n adds none of its own, which would count from 0', async () => {
	const { error } = await createLinks({ rows: aliases('one', 'one') });
	expect(error?.message).toMatch(/\(item 2 of 2: /);
	expect(JSON.stringify(error)).not.toContain('itemIndex');
});

test('an error that nobody foresaw is told as what it is, with its cause', async () => {
	const { error } = await createLinks({
		rows: aliases('one', 'two'),
		onCredentialRead: (reads) => {
			if (reads > 1) throw new RangeError('The database is locked');
		},
	});
	expect(error).toMatchObject({
		message: 'The database is locked (item 1 of 2: nothing was sent)',
		cause: { name: 'RangeError', message: 'The database is locked' },
	});
});

test('links are created in the order of the rows', async () => {
	const names = Array.from({ length: 20 }, (_, index) => `alias-${index}`);
	const { json } = await createLinks({ rows: aliases(...names) });
	expect(sentAliases()).toEqual(names);
	const ids = json.map(({ id }) => Number(id));
	expect(ids).toEqual([...ids].sort((a, b) => a - b));
});

test.each([
	[
		'writes go one at a time',
		{ resource: 'link', operation: 'create', url: 'https://a.example' },
		1,
	],
	['reads go up to five at a time', { resource: 'account', operation: 'get' }, 5],
])('%s', async (_what, parameters, most) => {
	sandbox.faults.add({ kind: 'delay', times: 99, milliseconds: 100 });
	const underWay: number[] = [];
	const look = setInterval(
		() => underWay.push(sandbox.requests.filter(({ status }) => status === 0).length),
		10,
	);
	const rows = aliases('1', '2', '3', '4', '5', '6', '7', '8');
	const { error } = await createLinks({ rows, parameters });
	clearInterval(look);
	expect([error, Math.max(...underWay)]).toEqual([undefined, most]);
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
