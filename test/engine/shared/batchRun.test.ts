import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { serve } from '../../loopback.ts';
import type { NodeSettings, StageResult } from '../helpers/support.ts';
import { A_NUMBER, byId, CONTINUE, like, pairs, RETRY, Stage } from '../helpers/support.ts';

let stage: Stage;

// A service of its own for each test, so that an alias is free.
beforeEach(async () => {
	stage = await Stage.opened();
});
afterEach(async () => await stage[Symbol.asyncDispose]());

const aliases = (...names: string[]): IDataObject[] =>
	names.map((alias) => ({ alias, url: `https://example.com/${alias}` }));

const CREATE: INodeParameters = {
	url: '={{ $json.url }}',
	customAlias: '={{ $json.alias }}',
};

interface Run extends NodeSettings {
	rows: IDataObject[];
	/** Parameters that differ. */
	fields?: INodeParameters;
}

const createLinks = async ({ fields, ...given }: Run): Promise<StageResult> =>
	await stage.link('link.create', { ...CREATE, ...fields }, given);

/** The rows that were sent, by the last part of their URL. */
const sentRows = () =>
	stage.sandbox.requests
		.filter(({ method }) => method === 'POST')
		.map(({ body }) => (body as { url: string }).url.split('/').at(-1));

interface Story extends Run {
	sent: string[];
	/** The message that the run fails with. */
	error?: RegExp;
	/** What came of each row. */
	given?: unknown[];
}

const LINK: unknown = expect.objectContaining({ id: A_NUMBER });
const failing = (words: RegExp, row: IDataObject) => ({
	...row,
	outcome: 'failed',
	error: like(words),
});

const THREE = aliases('one', 'two', 'three');
const [ONE, TWO] = THREE as [IDataObject, IDataObject];
const MISTYPED = { alias: 'three', url: 'no address' };

/** n8n throws for it while it evaluates this item: there is no such node. */
const failsIn = (row: number): string =>
	`={{ $itemIndex === ${row - 1} ? $('Nowhere').first().json.url : $json.url }}`;
const NO_NODE = /^Referenced node doesn't exist/;

const CHANCE = '$json.alias + Math.floor(Math.random() * 1e9)';

const batchesOf = (batchSize: number): INodeParameters => ({
	requestOptions: { batching: { batch: { batchSize, batchInterval: 100 } } },
});

/** n8n reads the credential once for itself in each try, then once for each row; so this is the first row of the second try. */
const failAtSixthRead = (reads: number) => {
	if (reads === 6) throw new RangeError('The database is locked');
};

const STORIES: Record<string, Story> = {
	'nothing is sent if a value of a later row cannot be sent, and the message names both': {
		rows: [ONE, TWO, MISTYPED, ONE],
		sent: [],
		error: /^'URL' must be a web address, but is "no address" \[item 3\] \(nothing was sent\)$/,
	},
	'of several bad rows, the message says how many': {
		rows: [ONE, MISTYPED, MISTYPED],
		sent: [],
		error:
			/ \[item 2\] \(nothing was sent; 2 items have errors, which 'On Error: Continue' shows\)$/,
	},
	'a row of a sheet is named by its number there': {
		rows: [ONE, { ...MISTYPED, row_number: 7 }],
		sent: [],
		error: / \[row 7\] \(nothing was sent\)$/,
	},
	'nothing is sent if an expression fails in a later row': {
		rows: THREE,
		fields: { url: failsIn(3) },
		sent: [],
		error: NO_NODE,
	},
	'with Retry On Fail, a try that fails before the turn of a row does not forget that it was written':
		{
			rows: aliases('one', 'two', 'two'),
			settings: RETRY,
			onCredentialRead: failAtSixthRead,
			sent: ['one', 'two', 'two', 'two'],
			error: / \[item 3\] \(2 succeeded, 0 not sent\)$/,
		},
	'with Retry On Fail, rows that are equal are each written': {
		rows: Array<IDataObject>(3).fill({ url: 'https://example.com/same' }),
		settings: RETRY,
		sent: ['same', 'same', 'same'],
	},
	'with Retry On Fail, the refused row is sent in every try, and a row that was written once, also if its values change':
		{
			rows: THREE,
			fields: { customAlias: `={{ $json.alias === 'three' ? 'api' : ${CHANCE} }}` },
			settings: RETRY,
			sent: ['one', 'two', 'three', 'three', 'three'],
			error: / \[item 3\] \(2 succeeded, 0 not sent\)$/,
		},
	'with Batching, the message counts all rows, in whatever batch they are': {
		rows: aliases('one', 'two', 'three', 'one', 'five', 'six', 'seven'),
		fields: batchesOf(2),
		sent: ['one', 'two', 'three', 'one'],
		error: / \[item 4\] \(3 succeeded, 3 not sent\)$/,
	},
	'with Batching, nothing is sent of a run that an expression of a later batch ends': {
		rows: THREE,
		fields: { ...batchesOf(1), url: failsIn(3) },
		settings: RETRY,
		sent: [],
		error: NO_NODE,
	},
	'with Batching, Continue sends each batch when it comes': {
		rows: [ONE, MISTYPED, TWO],
		fields: batchesOf(1),
		settings: CONTINUE,
		sent: ['one', 'two'],
		given: [LINK, failing(/web address/, MISTYPED), LINK],
	},
	'with Continue, an expression that fails in the last row stops no other row': {
		rows: [ONE, TWO],
		fields: { url: failsIn(2) },
		settings: CONTINUE,
		sent: ['one'],
		given: [LINK, { error: like(/^Referenced node doesn't exist/) }],
	},
	'Execute Once sends the first row only': {
		rows: [ONE, TWO],
		settings: { executeOnce: true },
		sent: ['one'],
		given: [LINK],
	},
};

test.each(Object.entries(STORIES))('%s', async (_what, { sent, error, given, ...run }) => {
	const result = await createLinks(run);
	// What were sent behind the back of a failed run would come now.
	if (error) await sleep(100);
	expect(sentRows()).toEqual(sent);
	if (error) expect([result.error?.message, result.items]).toEqual([like(error), []]);
	else expect(result.error).toBeUndefined();
	if (given) expect(result.json).toEqual(given);
	expect(pairs(result)).toEqual(result.items.map((_, item) => ({ item })));
});

describe('with Retry On Fail', () => {
	test.each([
		['as it was', {}],
		['with an alias of chance', { customAlias: `={{ ${CHANCE} }}` }],
	])('a write that may have been carried out is not sent again, %s', async (_how, fields) => {
		stage.sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add' });
		const { error } = await createLinks({ rows: [ONE, TWO], fields, settings: RETRY });
		expect(sentRows()).toEqual(['one']);
		expect(error?.message).toMatch(/ \[item 1\] \(0 succeeded, 1 not sent\)$/);
		expect(error?.description).toMatch(/may still have been carried out/);
	});

	test('a create that was answered without an ID is not sent again', async () => {
		const body = { error: 0, message: 'Made' };
		stage.sandbox.faults.add({ kind: 'respond', path: '/api/campaign/add', body, times: 9 });
		const given = { campaignName: 'Spring' };
		const { error } = await stage.link('campaign.create', given, { settings: RETRY });
		expect(error?.message).toMatch(/^The response has no ID/);
		expect(stage.sandbox.requests).toHaveLength(1);
	});
});

describe('a row that failed', () => {
	const NO_ID = { id: 'x', owner: 'Ann', error: 'of the last run', outcome: 'created' };

	test.each([
		['link.create', { url: '={{ $json.id }}' }],
		['link.get', { linkId: byId('={{ Number($json.id) }}') }],
		['channel.getItems', { channelId: byId('={{ Number($json.id) }}') }],
	])('of %s keeps its columns, and the error is its own', async (operation, parameters) => {
		const { outcome, error: before, ...columns } = NO_ID;
		const given = { rows: [NO_ID], settings: CONTINUE };
		const { json } = await stage.link(operation, parameters, given);
		const error = like(/must be/);
		const isCreate = operation === 'link.create';
		const outcomes = isCreate ? { outcome: 'failed', input_outcome: outcome } : { outcome };
		expect(json).toEqual([{ ...columns, ...outcomes, error, input_error: before }]);
		expect(Object.keys(json[0] ?? {}).slice(0, 2)).toContain('error');
	});

	test('has its error alone in the error output, where n8n adds the columns', async () => {
		const settings = { onError: 'continueErrorOutput' } as const;
		const parameters = { linkId: byId('={{ $json.id }}') };
		const { outputs } = await stage.link('link.get', parameters, { rows: [NO_ID], settings });
		expect(outputs[0]).toEqual([]);
		expect(outputs[1]?.map(({ json }) => json)).toMatchObject([
			{ owner: 'Ann', error: like(/^There is no link/) },
		]);
	});
});

/** The most that a service had to answer at once. */
async function mostAtOnce(operation: string): Promise<number> {
	const details = { id: 1, shorturl: 'https://go.example.com/a' };
	let open = 0;
	let most = 0;
	const server = await serve((_request, response) => {
		open += 1;
		most = Math.max(most, open);
		setTimeout(() => {
			open -= 1;
			response.end(JSON.stringify({ error: 0, details }));
		}, 20);
	});
	const rows = Array.from({ length: 12 }, () => ({}));
	const credential = { baseUrl: server.url };
	const { error } = await stage.link(operation, { linkId: byId(1) }, { rows, credential });
	await server.stop();
	expect(error).toBeUndefined();
	return most;
}

test.each([
	['link.get', 5],
	['link.delete', 1],
])('%s sends %i requests at the same time', async (operation, expected) => {
	expect(await mostAtOnce(operation)).toBe(expected);
});

test('a refused key in the row of a credential fails the rows with that key, not the others', async () => {
	const keys = ['wrong-key', stage.linkAccount.apiKey, 'wrong-key'];
	const rows = THREE.map((row, at) => ({ ...row, key: keys[at] ?? '' }));
	const [first = {}, , last = {}] = rows;
	const credential = { apiKey: '={{ $json.key }}' };
	const { json } = await createLinks({ rows, credential, settings: CONTINUE });
	expect(json).toEqual([failing(/key/i, first), LINK, failing(/key/i, last)]);
	expect(sentRows()).toEqual(['one', 'two', 'three']);
});

test('a run of many rows reads few credentials at the same time', async () => {
	let open = 0;
	let most = 0;
	const onCredentialRead = async () => {
		open += 1;
		most = Math.max(most, open);
		await sleep(1);
		open -= 1;
	};
	const rows = Array.from({ length: 200 }, () => ({}));
	const given = { rows, onCredentialRead, settings: CONTINUE };
	const { json } = await stage.link('link.get', { linkId: byId('0') }, given);
	expect([json.length, most]).toEqual([200, 10]);
});
