import { Readable } from 'node:stream';

import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeProperties,
	NodeApiError,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import { campaigns } from '../../../../dist/nodes/LinkManagement/lists.js';
import type { RunOperation } from '../../../../dist/nodes/shared/operations/runOperation.js';
import { runOperation } from '../../../../dist/nodes/shared/operations/runOperation.js';
import {
	filtersField,
	listOperation,
	searchFilter,
} from '../../../../dist/nodes/shared/operations/listOperation.js';
import type {
	CheckedPlan,
	OperationData,
	OperationPlan,
	Results,
} from '../../../../dist/nodes/shared/operations/operationPlan.js';
import {
	includeInputFields,
	optionsField,
	returnAllAndLimit,
} from '../../../../dist/nodes/shared/operations/fields.js';
import { unknownOperation } from '../../../../dist/nodes/shared/operations/nodeProperties.js';
import type { Operation } from '../../../../dist/nodes/shared/operations/operation.js';
import { resource } from '../../../../dist/nodes/shared/operations/operation.js';
import { limitExplained } from '../../../../dist/nodes/shared/operations/item.js';
import { Failure, toFailure } from '../../../../dist/nodes/shared/values/failure.js';
import { inBody, inQuery } from '../../../../dist/nodes/shared/operations/sentFields.js';

/** What an operation asks n8n for, sends and returns; what n8n itself does with it is for the tests on its engine. */

const NAME = { displayName: 'Title', name: 'name', type: 'string', default: '' } as const;
const FIELDS: readonly INodeProperties[] = [
	{ ...NAME, routing: inBody('name') },
	{ ...NAME, name: 'a', routing: inQuery('a') },
	{ ...NAME, name: 'b', routing: inQuery('b', (_label, value) => Number(value)) },
	...returnAllAndLimit,
	optionsField([includeInputFields]),
	{ displayName: 'Link', name: 'linkId', type: 'resourceLocator', default: {} },
	{
		displayName: 'Kind',
		name: 'kind',
		type: 'options',
		default: 'qr',
		options: [{ name: 'QR Code', value: 'qr' }],
	},
];

interface Given {
	/** Of the operation; or what runs in place of it. */
	plan?: OperationPlan<number>;
	run?: RunOperation;
	/** What n8n's routing made: a POST to /x, with these differences. */
	request?: IDataObject;
	parameters?: IDataObject;
	rows?: IDataObject[];
	/** By method and path; '' for all others. A number is a status. */
	answers?: Record<string, unknown>;
	node?: IDataObject;
	continues?: boolean;
	signal?: AbortSignal;
	/** Then each row is a call. */
	isTool?: boolean;
}

let keys = 0;

/** A node with its items, as n8n shows it to an operation. */
function nodeOf(given: Given) {
	const { plan = {}, run = runOperation(linkService, plan), parameters = {} } = given;
	const { rows = [{}], answers = {}, node, signal } = given;
	keys += 1;
	const service = { baseUrl: 'https://a.example', apiKey: `key-${keys}`, timezone: 'Asia/Tokyo' };
	const sent: IHttpRequestOptions[] = [];
	const asked: string[] = [];
	const helpers = {
		async httpRequestWithAuthentication(_type: string, options: IHttpRequestOptions) {
			sent.push(options);
			const body = answers[`${options.method} ${options.url}`] ??
				answers[''] ?? { error: 0, id: 5 };
			const statusCode = typeof body === 'number' ? body : 200;
			const bytes = Buffer.from(JSON.stringify(statusCode === 200 ? body : { error: 1 }));
			return await Promise.resolve({ statusCode, body: Readable.from([bytes]) });
		},
		httpRequest: async (options: unknown) => await Promise.resolve(options),
		prepareBinaryData: async (...file: unknown[]) => await Promise.resolve(file),
	};
	const items = rows.map((json) => ({ json }));
	const executeData = { data: given.isTool ? {} : { main: [items] } };
	const { method, url, ...options } = { method: 'POST', url: '/x', ...given.request };
	const begin = async (item = 0) => {
		const context = {
			getItemIndex: () => (given.isTool ? 0 : item),
			getExecuteData: () => executeData,
			getInputData: () => items[item],
			getNode: () => ({ parameters, ...node }),
			continueOnFail: () => given.continues === true,
			getNodeParameter(name: string, fallback: unknown) {
				asked.push(name);
				const value = name
					.split('.')
					.reduce((held: unknown, part) => (held as IDataObject | undefined)?.[part], parameters);
				return value ?? fallback;
			},
			getCredentials: async () => await Promise.resolve({ ...service, requestsPerMinute: 0 }),
			getTimezone: () => 'Europe/Berlin',
			...(signal && { getExecutionCancelSignal: () => signal }),
			helpers,
		} as unknown as IExecutePaginationFunctions;
		const data = { request: { method, url }, fields: FIELDS } as OperationData;
		return await run(data).call(context, { options } as DeclarativeRestApiSettings.ResultOptions);
	};
	const said = (error: unknown): string => String(error).replace('NodeApiError: ', '');
	/** What becomes of each item: its results, or the message. */
	const start = async (): Promise<Array<INodeExecutionData[] | string>> =>
		await Promise.all(items.map((_, item) => begin(item).catch(said)));
	return { sent, asked, begin, start };
}

const entered = { name: ' a ', other: 1, a: '', b: 2 };
const asEntered = { method: 'POST', url: '/x', body: { name: 'a' }, qs: { b: 2 } };
const made: OperationPlan = { body: ({ name }) => ({ n: name }) };
const client = { proxy: { host: 'p', port: 1 } };
const unchecked = { skipSslCertificateValidation: true };
const seven = { linkId: { mode: 'id', value: 7 } };
const waiting = (timeout: number): IDataObject => ({ requestOptions: { timeout } });

test.each<[string, Given, object]>([
	['the fields and the query', { parameters: entered }, { ...asEntered, timeout: 300_000 }],
	['nothing that is blank', { parameters: { name: '' } }, { body: {} }],
	[
		'a blank in an update',
		{ plan: { isUpdate: true }, request: { method: 'PUT' }, parameters: { name: '' } },
		{ body: { name: '' } },
	],
	[
		'what the plan makes of them',
		{ plan: made, parameters: entered },
		{ body: { n: 'a' }, qs: { b: 2 } },
	],
	['a PUT that is no update', { request: { method: 'PUT' } }, { method: 'PUT', body: {} }],
	['what only reads', { plan: { isRead: true } }, { method: 'POST', timeout: 30_000 }],
	['patiently', { parameters: waiting(700) }, { timeout: 700 }],
	['without a limit of 0', { parameters: waiting(0) }, { timeout: 300_000 }],
	['as long as a timer may', { parameters: waiting(2 ** 31 - 1) }, { timeout: 2 ** 31 - 1 }],
	['no longer', { parameters: waiting(2 ** 31) }, { timeout: 300_000 }],
	['through a proxy', { request: client }, client],
	['with any certificate', { request: unchecked }, unchecked],
	['without one', {}, { skipSslCertificateValidation: false }],
	['an id', { request: { url: '/x/:linkId' }, parameters: seven }, { url: '/x/7' }],
	['a word', { request: { url: '/:kind' }, parameters: { kind: 'qr' } }, { url: '/qr' }],
])('sends %s', async (_what, given, expected) => {
	const { sent, start } = nodeOf(given);
	await start();
	expect(sent).toMatchObject([expected]);
	expect('proxy' in (sent[0] ?? {})).toBe('proxy' in expected);
});

const row = { a: { b: 1 }, id: 4, c: 3 };
const withRow = { options: { includeInputFields: true } };
const refused = (message: string) => ({ answers: { '': { error: 1, message } } });
const check = () => 7;
const withFile: CheckedPlan<number>['perform'] = async () =>
	await Promise.resolve([{ json: { id: 5 }, binary: { data: { data: '', mimeType: 'x' } } }]);
const perform: CheckedPlan<number>['perform'] = async ({ path }, _item, checked) =>
	await Promise.resolve([{ json: { path, checked } }]);
const zoned: Results = (_body, _request, { zones }) => [zones];

test.each<[string, Given, object | string]>([
	['what the service says', {}, { json: { error: 0, id: 5 } }],
	[
		'the row beside it',
		{ plan: { results: () => [{ id: 5, c: undefined }] }, rows: [row], parameters: withRow },
		{ json: { ...row, id: 5 } },
	],
	['the zones', { plan: { results: zoned } }, { json: { from: 'Europe/Berlin' } }],
	['a file', { plan: { check, perform: withFile } }, { json: { id: 5 }, binary: { data: {} } }],
	['what a plan does itself', { plan: { check, perform } }, { json: { path: '/x', checked: 7 } }],
	["a failure in the service's words", refused('name is bad'), 'name is bad'],
	[
		'an error item',
		{ ...refused('No'), continues: true },
		{ json: { error: 'No. Check the values you entered.' } },
	],
	[
		'one beside its row',
		{ ...refused('No'), continues: true, rows: [row], parameters: withRow },
		{ json: { ...row, error: 'No. Check the values you entered.' } },
	],
	['no empty update', { plan: { isUpdate: true } }, 'There is nothing to update'],
])('gives %s', async (_what, given, expected) => {
	const [outcome] = await nodeOf(given).start();
	if (typeof expected === 'string') expect(outcome).toBe(expected);
	else expect(outcome).toMatchObject([{ ...expected, pairedItem: { item: 0 } }]);
});

test('an item for the error output has nothing but its error', async () => {
	const node = { onError: 'continueErrorOutput' };
	const given = { ...refused('No'), continues: true, rows: [row], parameters: withRow, node };
	const json = { error: 'No. Check the values you entered.' };
	expect(await nodeOf(given).start()).toEqual([[{ json, pairedItem: { item: 0 } }]]);
});

test.each<[unknown, string]>([
	['5', '5 results'],
	[5, '5 results'],
	['', '5 results'],
	[0, 'Wait at Most must be a number of seconds above 0, but is "0"'],
	[-1, 'Wait at Most must be a number of seconds above 0, but is "-1"'],
	['soon', 'Wait at Most must be a number of seconds above 0, but is "soon"'],
	[true, 'Wait at Most must be a number of seconds above 0, but is "true"'],
])('%j as Wait at Most: %s', async (maxWait, expected) => {
	const plan: OperationPlan = { results: () => [{}, {}, {}, {}, {}] };
	const [outcome] = await nodeOf({
		plan,
		parameters: { options: { maxWait } as IDataObject },
	}).start();
	expect(typeof outcome === 'string' ? outcome : `${outcome?.length} results`).toBe(expected);
});

test.each([
	[{ resource: 'x' }, 'Resource must be one of link, item, but is "x"'],
	[{}, 'Resource must be one of link, item, but is empty'],
	[{ resource: 'item', operation: 'z' }, 'Operation of Item must be one of get, list, but is "z"'],
])('%j is no operation: %s', async (parameters, message) => {
	const [get, list] = ['get', 'list'].map((value) => ({ value }) as Operation);
	if (!get || !list) throw new Error('no operations');
	const resources = [
		resource('Link', 'link', get, { get }),
		resource('Item', 'item', get, { get, list }),
	];
	const run = () => unknownOperation(linkService, resources);
	const node = nodeOf({ run, parameters });
	const description = 'Pick one from the list, or check the expression';
	await expect(node.begin()).rejects.toMatchObject({ message, description });
	expect(node.sent).toHaveLength(0);
});

test('what is not finished within Wait at Most says so', () => {
	const late = new Failure({ kind: 'outOfTime', message: 'The limit is used up' });
	expect(limitExplained(late, 5000).message).toBe(
		'Not finished in time (Wait at Most, 5 s): The limit is used up',
	);
	expect(limitExplained(late, Infinity)).toBe(late);
	const other = new Failure({ kind: 'refused', message: 'No' });
	expect(limitExplained(other, 5000)).toBe(other);
});

test('a row that changes what an earlier row changes is refused before anything is sent', async () => {
	const plan: CheckedPlan<string> = {
		check: ({ parameter }) => String(parameter('name')),
		claim: ({ checked }) => ({ key: 'one', what: 'The link', content: checked }),
		perform: async (request, { send }) => [{ json: (await send(request)).body }],
	};
	const of = (...names: string[]) => {
		let asked = 0;
		const checks = { ...plan, check: () => names[asked++] ?? '' };
		const run = runOperation(linkService, checks);
		return nodeOf({ run, rows: names.map(() => ({})) });
	};
	const two = of('a', 'b');
	expect(await two.start()).toEqual([
		[],
		expect.stringMatching(/^The link is already in item 1 \(item 2 of 2/),
	]);
	expect(two.sent).toHaveLength(0);
	const same = of('a', 'a');
	expect(await same.start()).toMatchObject([[{ json: { id: 5 } }], [{ json: { id: 5 } }]]);
});

test('a plan may perform its request without a check, and skip a row', async () => {
	const plan: OperationPlan = {
		entered: (body, { parameter }) => (parameter('kind') === 'none' ? undefined : body),
		perform: async (request, { send }) => [{ json: { said: (await send(request)).body.id } }],
	};
	const run = runOperation(linkService, plan);
	expect(await nodeOf({ run }).start()).toMatchObject([[{ json: { said: 5 } }]]);
	const skipped = nodeOf({ run: runOperation(linkService, { entered: () => undefined }) });
	expect(await skipped.start()).toEqual([[{ json: {}, pairedItem: { item: 0 } }]]);
	expect(skipped.sent).toHaveLength(0);
});

test('a limit that is used up is waited for longer than a person would, until the execution is stopped', async () => {
	const answers = { '': { error: 429, 'Retry-After': 90 } };
	const stopped = nodeOf({ answers, signal: AbortSignal.timeout(50) }).start();
	expect(await stopped).toEqual(['The execution was canceled']);
});

test('an error has advice, status and cause, and no number of its own', async () => {
	await expect(nodeOf({ answers: { '': 404 } }).begin()).rejects.toMatchObject({
		httpCode: '404',
		description: expect.stringMatching(/^It may have been deleted/) as unknown,
	});
	const cause = new RangeError('Gone');
	const broken = nodeOf({
		plan: { check, perform: async () => await Promise.reject(cause) },
	}).begin();
	await expect(broken).rejects.toMatchObject({ message: 'Gone', httpCode: null, cause });
	const { context } = (await broken.catch((error: unknown) => error)) as NodeApiError;
	context.itemIndex = 3;
	expect(context.itemIndex).toBeUndefined();
});

test('a locator that holds a name is looked up at its turn, and then known as an update made it', async () => {
	// An expression, which is its own value here.
	const value = '=Spring';
	const data = { campaigns: [{ id: 7, name: value }], maxpage: 1 };
	const { sent, asked, start } = nodeOf({
		plan: { lists: { campaignId: campaigns }, results: () => [{ name: 'Autumn' }] },
		request: { method: 'PUT', url: '/c/:campaignId' },
		parameters: { campaignId: { __rl: true, mode: 'name', value }, name: 'Autumn' },
		rows: [{}, {}],
		answers: { 'GET /api/campaigns': { error: 0, data } },
	});
	expect(await start()).toEqual([
		[expect.anything()],
		expect.stringMatching(/^There is no campaign "=Spring" \(item 2 of 2/),
	]);
	expect(sent.map(({ url }) => url)).toEqual(['/api/campaigns', '/c/7']);
	// Once for each item.
	expect(asked.filter((name) => name === 'campaignId')).toHaveLength(2);
});

test.each([
	[402, /plan includes/],
	[403, /another account/],
	[404, /deleted/],
	[409, /another value/],
	[410, /deleted/],
	[413, /shorter/],
	[422, /^Check the values/],
	[500, /Try again later/],
])('a refusal with status %i is advised %s', async (status, advice) => {
	const answers = { '': status, 'GET /api/account': { error: 0 } };
	const description = expect.stringMatching(advice) as unknown;
	await expect(nodeOf({ answers }).begin()).rejects.toMatchObject({ description });
});

describe('a row of two writes', () => {
	const both: CheckedPlan<number>['perform'] = async ({ method }, item) => {
		const path = '/made';
		const made = await item.step('make', async () => (await item.send({ method, path })).body);
		await item
			.step('file', async () => (await item.send({ method, path: '/filed' })).body)
			.catch((error: unknown) => {
				throw toFailure(error).with({ message: `Made, but: ${toFailure(error).message}` });
			});
		return [{ json: made }];
	};
	const plan = { check, perform: both };

	test('does only what is missing in the next try', async () => {
		const answers: Record<string, unknown> = { 'POST /filed': 404 };
		const { sent, start } = nodeOf({ plan, answers, rows: [{}, {}] });
		const [message] = await start();
		expect(message).toMatch(/^Made, but: .* \(item 1 of 2: 0 succeeded, 1 not sent\)$/);
		answers['POST /filed'] = undefined;
		expect(await start()).toMatchObject([[{ json: { id: 5 } }], [{ json: { id: 5 } }]]);
		const paths = ['/made', '/filed', '/filed', '/made', '/filed'];
		expect(sent.map(({ url }) => url)).toEqual(paths);
	});

	test('keeps its own words to itself', async () => {
		const answers = { 'POST /filed': 401 };
		const { sent, start } = nodeOf({ plan, answers, rows: [{}, {}], continues: true });
		const [first = [], second = []] = await start();
		expect(JSON.stringify(first)).toMatch(/Made, but: The service refused the API key/);
		expect(JSON.stringify(second)).toMatch(/"Not sent, because the API key was refused/);
		expect(sent).toHaveLength(2);
	});
});

test.each<[Given, number]>([
	[{}, 1],
	[{ request: { method: 'GET' } }, 2],
	[{ plan: { isRead: true } }, 2],
])('%j was sent so often after the next try: %i', async (given, times) => {
	const { sent, start } = nodeOf(given);
	expect(await start()).toEqual(await start());
	expect(sent).toHaveLength(times);
});

test('each call of a tool is a run of its own, of which nothing is sent again', async () => {
	const { sent, start } = nodeOf({ isTool: true, rows: [{}, {}] });
	expect(await start()).toEqual(await start());
	expect(sent).toHaveLength(2);
});

test.each<[string, Given, number]>([
	['waits for the others', {}, 0],
	['goes alone with Execute Once', { node: { executeOnce: true } }, 1],
	['goes alone as a call of a tool', { isTool: true }, 1],
])('the first of three rows %s', async (_what, given, requests) => {
	const { begin, sent } = nodeOf({ ...given, rows: [{}, {}, {}] });
	void begin();
	await sleep(20);
	expect(sent).toHaveLength(requests);
});

test('an operation may look at the node, the zones and the web', async () => {
	const seen: unknown[] = [];
	const { signal } = new AbortController();
	const look: CheckedPlan<number>['perform'] = async (_request, { form, send, web }) => {
		await send({ method: 'GET', path: '/y' });
		seen.push(form.isExpression('a'), form.isExpression('b'));
		seen.push(form.parameter('b'), form.parameter('none'), form.parameter('c'));
		seen.push(web.timeoutMs, web.cancelled === signal, await web.get({ url: 'z' }));
		seen.push(await web.file(Buffer.from(''), 'n', 'm'));
		return [];
	};
	const parameters = { a: '={{ 1 }}', b: 2, c: { mode: 'id', value: 9 } };
	const { asked, sent, start } = nodeOf({ plan: { check, perform: look }, parameters, signal });
	expect(await start()).toEqual([[]]);
	expect(seen).toEqual([
		...[true, false, 2, null, parameters.c, undefined, true],
		...[{ url: 'z', skipSslCertificateValidation: false }, [Buffer.from(''), 'n', 'm']],
	]);
	expect(sent).toMatchObject([{ timeout: 30_000 }]);
	expect(asked).not.toContain('none');
});

const x = ['a', 'b', 'ab'].map((name, index) => ({ id: index + 1, name }));
const list = listOperation(linkService, 'x', ({ name }) => ({ name }), [searchFilter('name')]);

test.each([
	[{}, 50, 3, ['a', 'b', 'ab']],
	[{ limit: 2 }, 2, 1, ['a', 'b']],
	[{ limit: 3 }, 3, 1, ['a', 'b', 'ab']],
	[{ limit: 200 }, 100, 3, ['a', 'b', 'ab']],
	[{ returnAll: true, limit: 1 }, 100, 3, ['a', 'b', 'ab']],
	[{ limit: 1, filters: { search: 'B' } }, 100, 1, ['b']],
	[
		{ limit: 0 },
		0,
		0,
		'Limit must be a whole number of 1 or more, but is "0" (item 1 of 2: nothing was sent)',
	],
])(
	'a list with %j asks for %j at once, %i times, and gives %j',
	async (parameters, limit, times, outcome) => {
		const request = { method: 'GET' };
		const answers = { '': { error: 0, data: { x, maxpage: 2 } } };
		const rows = times === 0 ? [{}, {}] : [{}];
		const ordered = { ...parameters, a: 'date' };
		const { sent, start } = nodeOf({ run: list, request, parameters: ordered, rows, answers });
		const [items = []] = await start();
		expect(typeof items === 'string' ? items : items.map(({ json }) => json.name)).toEqual(outcome);
		const queries = [1, 2, 3].map((page): unknown => ({ a: 'date', page, limit }));
		expect(sent.map(({ qs }): unknown => qs)).toEqual(queries.slice(0, times));
		const plain = listOperation(linkService, 'x', (record) => record, []);
		expect(await nodeOf({ run: plain, request, answers }).start()).toMatchObject([[{}, {}, {}]]);
	},
);

test('filters are added one by one', () => {
	expect(filtersField([searchFilter('name')])).toMatchObject({
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		options: [{ name: 'search' }],
	});
});

test.each([{ returnAll: true }, { limit: 100_001 }])(
	'a list that n8n could not take is refused with %j',
	async (parameters) => {
		const data = { x: Array.from({ length: 100_001 }, (_, id) => ({ id, name: 'a' })), maxpage: 1 };
		const given = {
			run: list,
			request: { method: 'GET' },
			parameters,
			answers: { '': { error: 0, data } },
		};
		await expect(nodeOf(given).begin()).rejects.toMatchObject({
			message: 'The list has more than 100,000 records, which is more than n8n can take',
			description: 'Set a Limit, or use filters to read the list in parts',
		});
		const most = { ...given, parameters: { limit: 100_000 } };
		expect(await nodeOf(most).begin()).toHaveLength(100_000);
	},
);

test.each<[string, Given, string]>([
	['an empty update', { plan: { isUpdate: true } }, 'Add at least one field under Update Fields'],
	['a limit of 0', { run: list, parameters: { limit: 0 } }, 'Turn on Return All to get all'],
])('%s is refused with advice', async (_what, given, advice) => {
	const description = expect.stringContaining(advice) as unknown;
	await expect(nodeOf(given).begin()).rejects.toMatchObject({ description });
});
