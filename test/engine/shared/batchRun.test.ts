import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { systemClock } from '../../../dist/nodes/shared/http/clock.js';
import type { Fault } from '../../../sandbox/faults.ts';
import { serve } from '../../loopback.ts';
import { callTool } from '../helpers/engine.ts';
import type { NodeSettings, StageResult } from '../helpers/support.ts';
import { A_NUMBER, byId, like, Stage } from '../helpers/support.ts';

let stage: Stage;

// A service of its own for each test, so that an alias is free.
beforeEach(async () => {
	stage = await Stage.opened();
});
afterEach(async () => await stage.close());

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
	fault?: Fault;
	onError?: INode['onError'];
}

async function createLinks({ fields, fault, onError, ...given }: Run): Promise<StageResult> {
	if (fault) stage.sandbox.faults.add({ path: '/api/url/add', times: 1, ...fault });
	const settings = { ...given.settings, ...(onError ? { onError } : {}) };
	return await stage.link('link.create', { ...CREATE, ...fields }, { ...given, settings });
}

/** The rows that were sent, by the last part of their URL. */
const sentRows = () =>
	stage.sandbox.requests.map(({ body }) => (body as { url: string }).url.split('/').at(-1));

interface Story extends Run {
	sent: string[];
	/** What the run fails with. */
	error?: { message: unknown; description?: unknown; cause?: unknown };
	/** The number of each row, and what came of it. */
	given?: Array<[row: number, json: unknown]>;
}

const LINK: unknown = expect.objectContaining({ id: A_NUMBER });
const failing = (words: RegExp, row: IDataObject) => ({ ...row, error: like(words) });
const message = (words: RegExp) => ({ message: like(words) });

const THREE = aliases('one', 'two', 'three');
const [ONE, TWO, MISTYPED, FOUR] = aliases('one', 'two', 'three', 'four').map((row, at) =>
	at === 2 ? { ...row, url: 'no address' } : row,
) as [IDataObject, IDataObject, IDataObject, IDataObject];

/** n8n throws for it while it evaluates the third item: there is no such node. */
const FAILS_IN_ROW_3 = "={{ $itemIndex === 2 ? $('Nowhere').first().json.url : $json.url }}";
const NO_NODE = { message: "Referenced node doesn't exist" };

const batchesOf = (batchSize: number, batchInterval = 100): INodeParameters => ({
	requestOptions: { batching: { batch: { batchSize, batchInterval } } },
});

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** n8n reads the credential once for itself in each try, then once for each row. */
const lockedAt = (isLocked: (reads: number) => boolean) => (reads: number) => {
	if (isLocked(reads)) throw new RangeError('The database is locked');
};

const STORIES: Record<string, Record<string, Story>> = {
	'when a row holds a value that cannot be sent': {
		'nothing at all is sent, and the message names the row and the value': {
			rows: [ONE, TWO, MISTYPED, FOUR],
			sent: [],
			error: {
				message: 'URL must be a web address, but is "no address" (item 3 of 4: nothing was sent)',
				description: 'Start it with http:// or https://',
			},
		},
	},
	'when only the last of 40 rows is bad': {
		'nothing is sent': {
			rows: [
				...aliases(...Array.from({ length: 39 }, (_row, at) => `row-${at}`)),
				{ url: 'no address' },
			],
			sent: [],
			error: message(/\(item 40 of 40: nothing was sent\)$/),
		},
	},
	'when a row of a sheet holds a value that cannot be sent': {
		'the message has the number of the row in the sheet': {
			rows: [
				{ ...ONE, row_number: 2 },
				{ ...MISTYPED, row_number: 7 },
			],
			sent: [],
			error: message(/ \(row 7: nothing was sent\)$/),
		},
	},
	'when an expression fails in a later row': {
		'the rows before it are not written behind its back': {
			rows: THREE,
			fields: { url: FAILS_IN_ROW_3 },
			sent: [],
			error: NO_NODE,
		},
	},
	'with Retry On Fail': {
		'a try that fails before the turn of a row does not forget that the row was written': {
			rows: aliases('one', 'two', 'two'),
			settings: RETRY,
			// The first row of the second try.
			onCredentialRead: lockedAt((reads) => reads === 6),
			sent: ['one', 'two', 'two', 'two'],
			error: message(/\(item 3 of 3: 2 succeeded, 0 not sent\)$/),
		},
		'rows that are equal are each written': {
			rows: Array<IDataObject>(3).fill({ url: 'https://example.com/same' }),
			settings: RETRY,
			sent: ['same', 'same', 'same'],
		},
	},
	'with Batching': {
		'the message counts all rows, in whatever batch they are': {
			rows: aliases('one', 'two', 'three', 'one', 'five', 'six', 'seven'),
			fields: batchesOf(2),
			sent: ['one', 'two', 'three', 'one'],
			error: message(/\(item 4 of 7: 3 succeeded, 3 not sent\)$/),
		},
		'nothing is sent of a run that an expression of a later batch ends': {
			rows: THREE,
			fields: { ...batchesOf(1), url: FAILS_IN_ROW_3 },
			settings: RETRY,
			sent: [],
			error: NO_NODE,
		},
		'Continue sends each batch when it comes': {
			rows: [ONE, MISTYPED, TWO],
			fields: batchesOf(1),
			onError: 'continueRegularOutput',
			sent: ['one', 'two'],
			given: [
				[0, LINK],
				[1, failing(/web address/, MISTYPED)],
				[2, LINK],
			],
		},
	},
	'in any run': {
		'Execute Once sends the first row only': {
			rows: [ONE, TWO],
			settings: { executeOnce: true },
			sent: ['one'],
			given: [[0, LINK]],
		},
	},
};

describe.each(Object.entries(STORIES))('%s', (_when, stories) => {
	test.each(Object.entries(stories))('%s', async (_what, { sent, error, given, ...run }) => {
		const result = await createLinks(run);
		// What were sent behind the back of a failed run would come now.
		if (error) await new Promise((resolve) => setTimeout(resolve, 100));
		expect(sentRows()).toEqual(sent);
		if (error) expect([result.error, result.items]).toMatchObject([error, []]);
		else expect(result.error).toBeUndefined();
		// One number names a row: n8n adds none of its own, which would count from 0.
		if (error !== NO_NODE) expect(JSON.stringify(result)).not.toContain('itemIndex');
		const wanted = given?.map(([item, json]) => ({ json, pairedItem: { item } }));
		if (wanted) expect(result.items).toEqual(wanted);
	});
});

describe('with Retry On Fail', () => {
	const CHANCE = '$json.alias + Math.floor(Math.random() * 1e9)';
	const MOVING = '={{ $now.plus({ days: 30, seconds: Math.random() * 1e6 }) }}';

	test.each([
		['as it was', '$json.alias', {}],
		['with an alias of chance', CHANCE, {}],
		['with an expiry that moves on', '$json.alias', { expiry: MOVING }],
	])(
		'the refused row is sent in every try, and a row that was written once, %s',
		async (_how, alias, fields) => {
			const customAlias = `={{ $json.alias === 'three' ? 'api' : ${alias} }}`;
			const given = { customAlias, additionalFields: fields };
			await createLinks({ rows: THREE, fields: given, settings: RETRY });
			expect(sentRows()).toEqual(['one', 'two', 'three', 'three', 'three']);
		},
	);

	test.each([
		['as it was', {}],
		['with an alias of chance', { customAlias: `={{ ${CHANCE} }}` }],
	])('a write that may have been carried out is not sent again, %s', async (_how, fields) => {
		const fault = { kind: 'drop-after' } as const;
		const { error } = await createLinks({ rows: [ONE, TWO], fields, fault, settings: RETRY });
		expect(sentRows()).toEqual(['one']);
		expect(error?.message).toMatch(/\(item 1 of 2: 0 succeeded, 1 not sent\)$/);
		expect(error?.description).toMatch(/may still have been carried out/);
	});
});

describe('a row that failed', () => {
	const CONTINUE = { onError: 'continueRegularOutput' } as const;
	const NO_ID = { id: 'x', owner: 'Ann', error: 'of the last run', outcome: 'created' };

	test.each([
		['link.create', { url: '={{ $json.id }}' }],
		['link.get', { linkId: byId('={{ Number($json.id) }}') }],
		['link.delete', { linkId: byId('={{ Number($json.id) }}') }],
		['channel.getItems', { channelId: byId('={{ Number($json.id) }}') }],
	])(
		'of %s keeps its columns behind the error, which is its own',
		async (operation, parameters) => {
			const given = { rows: [NO_ID], settings: CONTINUE };
			const { json } = await stage.link(operation, parameters, given);
			expect(json.map((row) => Object.entries(row))).toEqual([
				[
					['error', expect.stringContaining('must be')],
					['id', 'x'],
					['owner', 'Ann'],
				],
			]);
		},
	);

	test('of Validate keeps its columns, and its error names the option for blank codes', async () => {
		const given = { rows: [{ customer: 'Ann', code: ' ' }], settings: CONTINUE };
		const { json } = await stage.store(
			'purchase.validate',
			{ purchaseCode: '={{ $json.code }}' },
			given,
		);
		const error = like(/^Purchase Code is empty\. .*If Code Is Blank/);
		expect(json).toEqual([{ error, customer: 'Ann', code: ' ' }]);
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

describe('the columns of a row beside the result', () => {
	test('stay, what is replaced as input_, and the same value is not output twice', async () => {
		const row = { url: 'https://example.com/', Alias: 'mine', id: 'A-7', longurl: '', shorturl: 7 };
		const parameters = { ...CREATE, customAlias: '={{ $json.Alias }}' };
		const fields = { ...parameters, options: { includeInputFields: true } };
		const { json } = await createLinks({ rows: [row], fields });
		expect(Object.keys(json[0] ?? {})[0]).toBe('outcome');
		expect(json).toEqual([
			{
				...row,
				outcome: 'created',
				input_id: 'A-7',
				input_shorturl: 7,
				id: A_NUMBER,
				shorturl: like(/mine$/),
				longurl: row.url,
			},
		]);
	});
});

test('a sheet with the results of the last run gets no further columns', async () => {
	const parameters = { mappingMode: 'autoMapInputData', options: {} };
	const [first = {}] = (await stage.link('link.upsert', parameters, { rows: [ONE] })).json;
	stage.sandbox.links.addVisits('link', Number(first.id), 3);
	const rows = [{ ...first, url: 'https://example.com/moved' }];
	const { json } = await stage.link('link.upsert', parameters, { rows });
	expect(json).toMatchObject([{ outcome: 'updated', longurl: rows[0]?.url, clicks: 3 }]);
	expect(Object.keys(json[0] ?? {}).filter((name) => name.startsWith('input_'))).toEqual([]);
});

describe('requests at the same time', () => {
	/** The most that a service had to answer at once. */
	async function mostAtOnce(operation: string): Promise<number> {
		let open = 0;
		let most = 0;
		const server = await serve((_request, response) => {
			open += 1;
			most = Math.max(most, open);
			setTimeout(() => {
				open -= 1;
				response.end(JSON.stringify({ error: 0, details: { id: 1 } }));
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
	])('%s sends %i', async (operation, expected) => {
		expect(await mostAtOnce(operation)).toBe(expected);
	});
});

/** Cancels the execution once so many requests have come. */
const cancelAfter = (requests: number) => (execution: { cancel(): void }) => {
	const poll = setInterval(() => {
		if (stage.sandbox.requests.length < requests) return;
		clearInterval(poll);
		execution.cancel();
	}, 20);
};

test('cancelled with Continue, only the row that was under way may have been carried out', async () => {
	const { json } = await createLinks({
		rows: [ONE, TWO],
		fault: { kind: 'delay', milliseconds: 800 },
		onError: 'continueRegularOutput',
		onStart: cancelAfter(1),
	});
	expect(stage.sandbox.requests).toHaveLength(1);
	expect(json).toEqual([
		failing(/^The execution was canceled\. It may still have been .* again\.$/, ONE),
		{ ...TWO, error: 'The execution was canceled.' },
	]);
});

describe('with a limit that is used up', () => {
	test('cancelling ends the wait', async () => {
		const endless = jest.spyOn(systemClock, 'sleep').mockReturnValue(new Promise(() => undefined));
		await stage.close();
		stage = await Stage.opened({}, { rateLimit: { requests: 2, windowSeconds: 3600 } });
		const credential = { requestsPerMinute: 30 };
		const { run, error } = await createLinks({ rows: THREE, credential, onStart: cancelAfter(2) });
		endless.mockRestore();
		expect(run.status).toBe('canceled');
		expect(error?.message).toBe('The execution was canceled');
		expect(sentRows()).toEqual(['one', 'two']);
	});
});

describe('as a tool of an AI agent', () => {
	const call = async (settings: Partial<INode>, calls: string[][]) =>
		await callTool(
			{
				parameters: {
					resource: 'link',
					operation: 'create',
					url: "={{ $fromAI('url') }}",
					additionalFields: {},
				},
				credentials: { linkManagementApi: stage.credentials.linkManagementApi ?? {} },
				settings,
			},
			calls.map((together) => together.map((name) => ({ url: `https://example.com/${name}` }))),
		);
	const loseAnswer = () =>
		stage.sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add', times: 1 });

	test('each of five calls at the same time makes its link', async () => {
		const names = ['a', 'a', 'b', 'c', 'd'];
		const [answers] = await call({}, [names]);
		expect(answers).toHaveLength(5);
		expect(sentRows().toSorted()).toEqual(names);
		expect(new Set(answers).size).toBe(5);
	});

	test('a call after one whose answer was lost is sent: it is another call, if an equal one', async () => {
		loseAnswer();
		const answers = await call({}, [['again'], ['again'], ['again']]);
		expect(sentRows()).toHaveLength(3);
		expect(answers).toEqual([
			[like(/may still have been carried out/)],
			[like(/shorturl/)],
			[like(/shorturl/)],
		]);
	});

	test('Retry On Fail does not repeat a call whose answer was lost', async () => {
		loseAnswer();
		const answers = await call(RETRY, [['once']]);
		expect(sentRows()).toEqual(['once']);
		expect(answers).toEqual([[like(/may still have been carried out/)]]);
	});
});

describe('the credential', () => {
	test('is asked for once for each row', async () => {
		const one = await createLinks({ rows: aliases('single') });
		const names = Array.from({ length: 100 }, (_, index) => `row-${index}`);
		const hundred = await createLinks({ rows: aliases(...names) });
		expect(hundred.items).toHaveLength(100);
		expect(hundred.credentialReads - one.credentialReads).toBe(99);
	});

	const fromRow = { apiKey: '={{ $json.key }}' };
	const withKeys = (rows: IDataObject[], keys: string[]) =>
		rows.map((row, at) => ({ ...row, key: keys[at] ?? '' }));

	test('may have its key from the row: each link is made in the account of its row', async () => {
		const { apiKey: mine } = stage.linkAccount;
		const { apiKey: theirs } = stage.sandbox.register('link', { email: 'other@example.com' });
		const rows = withKeys(THREE, [mine, theirs, mine]);
		expect((await createLinks({ rows, credential: fromRow })).error).toBeUndefined();
		const aliasesOf = async (apiKey: string) => {
			const { json } = await stage.link('link.getAll', {}, { credential: { apiKey } });
			return json.map(({ alias }) => alias).toSorted();
		};
		expect([await aliasesOf(mine), await aliasesOf(theirs)]).toEqual([['one', 'three'], ['two']]);
	});

	test('when the key of one row is refused, Continue still sends the rows with other keys', async () => {
		const rows = withKeys(THREE, ['wrong-key', stage.linkAccount.apiKey, 'wrong-key']);
		const onError = 'continueRegularOutput';
		const { json } = await createLinks({ rows, credential: fromRow, onError });
		const [first = {}, , last = {}] = rows;
		expect(json).toEqual([failing(/key/i, first), LINK, failing(/key/i, last)]);
		expect(sentRows()).toEqual(['one', 'two']);
	});
});
