import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';

import { linkService } from '../../dist/nodes/LinkManagement/envelope.js';
import { campaigns } from '../../dist/nodes/LinkManagement/lists.js';
import { operation } from '../../dist/nodes/shared/operations/operation.js';
import { listOperation } from '../../dist/nodes/shared/operations/listOperation.js';
import { searchFilter } from '../../dist/nodes/shared/operations/listFilters.js';
import type { OperationPlan, Pagination } from '../../dist/nodes/shared/operations/plan.js';
import { inBody } from '../../dist/nodes/shared/operations/sentFields.js';

/** What an operation asks n8n for, sends and returns; what n8n itself does with it is for the tests on its engine. */

interface Given {
	request?: Partial<
		DeclarativeRestApiSettings.HttpRequestOptions & { skipSslCertificateValidation: boolean }
	>;
	parameters?: IDataObject;
	rows?: IDataObject[];
	answers?: Record<string, unknown>;
	node?: IDataObject;
	continues?: boolean;
	signal?: AbortSignal;
	isTool?: boolean;
}

let keys = 0;

/** A node with its items, and a service that gives each request the answer for its method and path, else that of ''. */
function nodeOf(
	run: Pagination,
	{
		request,
		parameters = {},
		rows = [{}],
		answers = {},
		node,
		continues = false,
		signal,
		isTool = false,
	}: Given,
) {
	keys += 1;
	const data = {
		baseUrl: 'https://a.example',
		apiKey: `key-${keys}`,
		requestsPerMinute: 0,
		timezone: 'Asia/Tokyo',
	};
	const sent: IHttpRequestOptions[] = [];
	const asked: string[] = [];
	const httpRequestWithAuthentication = async (_type: string, options: IHttpRequestOptions) => {
		sent.push(options);
		const body = answers[`${options.method} ${options.url}`] ?? answers[''] ?? { error: 0, id: 5 };
		return await Promise.resolve(
			typeof body === 'number'
				? { statusCode: body, body: { error: 1 } }
				: { statusCode: 200, headers: {}, body },
		);
	};
	const items = rows.map((json) => ({ json }));
	const executeData = { data: isTool ? {} : { main: [items] } };
	const contextOf = (item: number) =>
		({
			getItemIndex: () => item,
			getExecuteData: () => executeData,
			getInputData: (_input: number, type?: string) => (type ? { json: node } : items[item]),
			getNode: () => ({ parameters, ...node }),
			continueOnFail: () => continues,
			getNodeParameter(name: string, fallback: unknown, { extractValue = true } = {}) {
				asked.push(name);
				const value = parameters[name] ?? fallback;
				return extractValue ? ((value as IDataObject | null)?.value ?? value) : value;
			},
			getCredentials: async () => await Promise.resolve(data),
			getTimezone: () => 'Europe/Berlin',
			...(signal && { getExecutionCancelSignal: () => signal }),
			helpers: {
				httpRequestWithAuthentication,
				httpRequest: async (options: IHttpRequestOptions) => await Promise.resolve(options),
				prepareBinaryData: async (...file: unknown[]) => await Promise.resolve(file),
			},
		}) as unknown as IExecutePaginationFunctions;
	const options = { method: 'POST', url: '/x', ...request };
	const start = async (): Promise<Array<INodeExecutionData[] | string>> =>
		await Promise.all(
			items.map((_, item) =>
				run
					.call(contextOf(item), { options } as DeclarativeRestApiSettings.ResultOptions)
					.catch((error: unknown) => String(error).replace('NodeApiError: ', '')),
			),
		);
	return { sent, asked, start, contextOf };
}

const NAME = { displayName: 'Title', name: 'name', type: 'string', default: '' } as const;
const PLAN: OperationPlan = {
	results: (body) => [body],
	fields: [{ ...NAME, routing: inBody('name') }],
};
const READ: OperationPlan = { ...PLAN, isRead: true };

/** What is sent of a plan with these fields, and what comes of it: items, or the message. */
async function outcomeOf(plan: Partial<OperationPlan>, given: Given) {
	const node = nodeOf(operation(linkService, { ...PLAN, ...plan }), given);
	const [outcome] = await node.start();
	const [sent] = node.sent;
	return { ...node, outcome, request: sent };
}

const NO_REQUEST = { method: undefined, url: undefined } as unknown as Given['request'] & object;
const TOO = { body: { name: ' a ', other: 1 }, qs: { a: '', b: 2 } };

test.each<[string, Partial<OperationPlan>, Given, object | undefined]>([
	[
		'the fields and the query',
		{},
		{ request: TOO },
		{ method: 'POST', url: '/x', body: { name: 'a' }, qs: { b: 2 }, timeout: 300_000 },
	],
	['nothing that is blank', {}, { request: { body: { name: '' } } }, { body: {} }],
	[
		'a blank in an update',
		{},
		{ request: { method: 'PUT', body: { name: '' } } },
		{ body: { name: '' } },
	],
	[
		'what the plan makes of them',
		{ body: ({ name }) => ({ n: name }), query: ({ b }) => ({ c: b }) },
		{ request: TOO },
		{ body: { n: 'a' }, qs: { c: 2 } },
	],
	[
		'a read without a method',
		{},
		{ request: NO_REQUEST },
		{ method: 'GET', url: '', timeout: 30_000 },
	],
	['what only reads', READ, {}, { method: 'POST', timeout: 30_000 }],
	[
		'as long as the user says',
		{},
		{ parameters: { requestOptions: { timeout: 700 } } },
		{ timeout: 700 },
	],
	[
		'through a proxy',
		{},
		{ request: { proxy: { host: 'p', port: 1 }, skipSslCertificateValidation: true } },
		{ proxy: { host: 'p', port: 1 }, skipSslCertificateValidation: true },
	],
	['without one', {}, {}, { skipSslCertificateValidation: false }],
	[
		'an id',
		{},
		{ request: { url: '/x/:linkId' }, parameters: { linkId: { mode: 'id', value: 7 } } },
		{ url: '/x/7' },
	],
	[
		'a word of the path',
		{ allowedValues: { kind: ['qr'] } },
		{ request: { url: '/x/:kind' }, parameters: { kind: 'qr' } },
		{ url: '/x/qr' },
	],
	['nothing where nothing changes', {}, { request: { method: 'PUT' } }, undefined],
])('%s', async (_what, plan, given, sent) => {
	const { request, outcome } = await outcomeOf(plan, given);
	if (sent) expect(request).toMatchObject(sent);
	else expect([request, outcome]).toEqual([undefined, 'There is nothing to update']);
	if (sent && !('proxy' in sent)) expect(request).not.toHaveProperty('proxy');
});

const given = { a: { b: 1 }, id: 4, c: 3 };
const binary = async () => await Promise.resolve({ data: { data: '', mimeType: 'x' } });

test.each<[string, Partial<OperationPlan>, Given, unknown]>([
	['what the service says', {}, {}, [{ json: { error: 0, id: 5 } }]],
	[
		'the row beside it',
		{ results: () => [{ id: 5, c: undefined }] },
		{ rows: [given], parameters: { options: { includeInputFields: true } } },
		[{ json: { a: { b: 1 }, id: 5, c: 3 } }],
	],
	[
		'when and where',
		{ results: (_body, _request, { at, zones }) => [{ at, ...zones }] },
		{},
		[{ json: { at: expect.any(Number) as unknown, from: 'Europe/Berlin' } }],
	],
	['a file', { binary }, {}, [{ json: { id: 5 }, binary: { data: {} } }]],
	[
		'what a plan does itself',
		{ perform: async ({ path }) => await Promise.resolve([{ path }]) },
		{},
		[{ json: { path: '/x' } }],
	],
	[
		'a failure that is an answer',
		{ recover: ({ httpCode }) => [{ httpCode }] },
		{ answers: { '': 404 } },
		[{ json: { httpCode: 404 } }],
	],
	[
		'a failure that is none',
		{ recover: () => undefined },
		{ answers: { '': { error: 1, message: 'name is bad' } } },
		'Title (name) is bad',
	],
	[
		'an error item',
		{},
		{ answers: { '': { error: 1, message: 'No' } }, continues: true },
		[{ json: { error: 'No. Check the values that the step sends.' } }],
	],
])('gives %s', async (_what, plan, more, outcome) => {
	const paired = Array.isArray(outcome)
		? outcome.map((item: object) => ({ ...item, pairedItem: { item: 0 } }))
		: outcome;
	const done = (await outcomeOf(plan, more)).outcome;
	if (Array.isArray(paired)) expect(done).toMatchObject(paired);
	else expect(done).toBe(paired);
});

test('an error has advice, status and cause, and no number of its own', async () => {
	const thrown = (plan: Partial<OperationPlan>, answers = {}) => {
		const { contextOf } = nodeOf(operation(linkService, { ...PLAN, ...plan }), { answers });
		return operation(linkService, { ...PLAN, ...plan }).call(contextOf(0), {
			options: { method: 'GET', url: '/x' },
		} as DeclarativeRestApiSettings.ResultOptions);
	};
	await expect(thrown({}, { '': 404 })).rejects.toMatchObject({
		httpCode: '404',
		description: expect.stringMatching(/^It may have been deleted/) as unknown,
	});
	const cause = new RangeError('Gone');
	const broken = thrown({
		results: () => {
			throw cause;
		},
	});
	await expect(broken).rejects.toMatchObject({
		message: 'Gone',
		httpCode: null,
		cause,
		context: {},
	});
	const { context } = (await broken.catch((error: unknown) => error)) as NodeApiError;
	context.itemIndex = 3;
	expect(context.itemIndex).toBeUndefined();
});

test('a locator that holds a name is looked up at its turn, and then known as what an update made of it', async () => {
	const data = { campaigns: [{ id: 7, name: 'Spring' }], maxpage: 1 };
	const campaignId = { mode: 'name', value: 'Spring' };
	const node = nodeOf(
		operation(linkService, {
			...PLAN,
			lists: { campaignId: campaigns },
			results: () => [{ name: 'Autumn' }],
		}),
		{
			request: { method: 'PUT', url: '/c/:campaignId', body: { name: 'Autumn' } },
			parameters: { campaignId },
			rows: [{}, {}],
			answers: { 'GET /api/campaigns': { error: 0, data } },
		},
	);
	const [first, second] = await node.start();
	expect(first).toHaveLength(1);
	expect(second).toMatch(/^There is no campaign "Spring" \(item 2 of 2/);
	expect(node.sent.map(({ url }) => url)).toEqual(['/api/campaigns', '/c/7']);
	expect(node.asked.filter((name) => name === 'campaignId')).toHaveLength(2);
});

test('a check that several rows need is sent once, and each gets an answer of its own', async () => {
	const perform: OperationPlan['perform'] = async (_request, send) => {
		const [{ body }] = [
			await send({ method: 'POST', path: '/a' }),
			await send({ method: 'POST', path: '/b' }),
		];
		return [body];
	};
	const { sent, start } = nodeOf(operation(linkService, { ...READ, perform }), { rows: [{}, {}] });
	const [[first] = [], [second] = []] = (await start()) as INodeExecutionData[][];
	expect([sent.length, first?.json]).toEqual([2, second?.json]);
	expect(first?.json).not.toBe(second?.json);
});

test.each([
	[{ method: 'POST' as const }, 1],
	[{ method: 'GET' as const }, 2],
	[NO_REQUEST, 2],
])('in the next try %j has been sent so often: %i', async (request, times) => {
	const { sent, start } = nodeOf(operation(linkService, PLAN), { request });
	expect(await start()).toEqual(await start());
	expect(sent).toHaveLength(times);
});

const inBatches = (batchSize: unknown, batchInterval: unknown): Given => ({
	parameters: {
		requestOptions: { batching: { batch: { batchSize, batchInterval } } },
	} as IDataObject,
});

test.each<[string, Given, number]>([
	['waits for the others', {}, 0],
	['waits for them with an interval of 0', inBatches(1, 0), 0],
	['waits for its batch', inBatches(2, 1), 0],
	['goes alone in a batch of one', inBatches(1, 1), 1],
	['goes alone in a batch of nothing', inBatches(0, 1), 1],
	['goes alone with Execute Once', { node: { executeOnce: true } }, 1],
	['goes alone as a call of a tool', { isTool: true, node: {} }, 1],
])('the first of three rows %s', async (_what, more, requests) => {
	const run = operation(linkService, PLAN);
	const { contextOf, sent } = nodeOf(run, { ...more, rows: [{}, {}, {}] });
	await run.call(contextOf(0), {
		options: { method: 'POST', url: '/x' },
	} as DeclarativeRestApiSettings.ResultOptions);
	expect(sent).toHaveLength(requests);
});

test('an operation may look at the node, the zones and the web', async () => {
	const seen: unknown[] = [];
	const { signal } = new AbortController();
	const perform: OperationPlan['perform'] = async (_request, send, context) => {
		await send({ method: 'GET', path: '/y' });
		seen.push(
			context.isExpression('a'),
			context.isExpression('b'),
			context.read('b'),
			context.read('none'),
			context.read('c'),
		);
		seen.push(context.zones, context.web.timeoutMs, context.web.cancelled === signal);
		seen.push(
			await context.web.get({ url: 'z' }),
			await context.web.file(Buffer.from(''), 'n', 'm'),
		);
		return [];
	};
	const { asked, sent } = await outcomeOf(
		{ perform },
		{ parameters: { a: '={{ 1 }}', b: 2, c: { mode: 'id', value: 9 } }, signal },
	);
	expect(seen).toEqual([
		...[true, false, 2, null, 9, { from: 'Europe/Berlin', to: 'Asia/Tokyo' }, undefined, true],
		...[{ url: 'z', skipSslCertificateValidation: false }, [Buffer.from(''), 'n', 'm']],
	]);
	expect(sent[0]).toMatchObject({ timeout: 30_000 });
	expect(asked).not.toContain('none');
});

describe('a list', () => {
	const page = (...names: string[]) => ({
		error: 0,
		data: { x: names.map((name, index) => ({ id: index + 1, name })), maxpage: 2 },
	});
	const list = listOperation(linkService, 'x', ({ name }) => ({ name }), {
		filters: [searchFilter('name')],
		query: ({ order }) => ({ order: `by ${order as string}` }),
	});

	test.each([
		[{}, 50, 2, ['a', 'b', 'ab']],
		[{ limit: 2 }, 2, 1, ['a', 'b']],
		[{ limit: 3 }, 3, 1, ['a', 'b', 'ab']],
		[{ limit: 200 }, 100, 2, ['a', 'b', 'ab']],
		[{ returnAll: true, limit: 1 }, 100, 2, ['a', 'b', 'ab']],
		[{ limit: 1, filters: { search: 'B' } }, 100, 1, ['b']],
		[
			{ limit: 0 },
			0,
			0,
			'Limit must be a whole number from 1 on, but is "0" (item 1 of 2: nothing was sent)',
		],
	])(
		'with %j asks for %j at once, %i times, and gives %j',
		async (parameters, limit, times, outcome) => {
			const request = { method: 'GET' as const, qs: { order: 'date' } };
			const rows = times === 0 ? [{}, {}] : [{}];
			const { sent, start } = nodeOf(list, {
				request,
				parameters,
				rows,
				answers: { '': page('a', 'b', 'ab') },
			});
			const [items = []] = await start();
			expect(typeof items === 'string' ? items : items.map(({ json }) => json.name)).toEqual(
				outcome,
			);
			expect(sent.map(({ qs }) => qs as unknown)).toEqual(
				Array.from({ length: times }, (_, index) => ({ order: 'by date', page: index + 1, limit })),
			);
		},
	);
});
