import { type INode, sleep } from 'n8n-workflow';

import { campaigns, links } from '../../../../dist/nodes/LinkManagement/lists.js';
import type { ApiRequest, ServiceResponse } from '../../../../dist/nodes/shared/http/exchange.js';
import { BatchRun } from '../../../../dist/nodes/shared/operations/batchRun.js';
import { RunState } from '../../../../dist/nodes/shared/operations/runState.js';
import type { Steps } from '../../../../dist/nodes/shared/operations/steps.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';

/** Which items of a node are sent, in which order, and what becomes of each. */

interface Item {
	/** What its check, or its work, throws. */
	check?: Failure;
	work?: Failure;
	key?: string;
}

interface Options {
	continueOnFail?: boolean;
	isWrite?: boolean;
}

/** Which item failed, and what became of the others. */
const of = (item: number, items: number, succeeded: number, notSent: number) =>
	`(item ${item} of ${items}: ${succeeded} succeeded, ${notSent} not sent)`;

/** Starts the items as n8n does; of a failure, the explanation is returned. */
async function start(items: Item[], options: Options = {}, before?: BatchRun) {
	const itemCount = items.length;
	const run = new BatchRun({ itemCount, ...WRITES, ...options }, before);
	const sent: number[] = [];
	let inFlight = 0;
	let most = 0;
	const answer = async ({ path }: ApiRequest) => {
		const index = Number(path);
		const failure = items[index]?.work;
		sent.push(index);
		inFlight += 1;
		most = Math.max(most, inFlight);
		await sleep(failure ? 1 : 10);
		inFlight -= 1;
		if (failure) throw failure;
		return {} as ServiceResponse;
	};
	const outcome = async ({ check, key = 'k' }: Item, index: number) => {
		const shared = run.sharedBy(key, () => answer);
		const outcome = await run.run(
			index,
			async () => {
				if (check) throw check;
				return await Promise.resolve(index);
			},
			async (checked) => {
				await shared.send({ method: 'GET', path: String(checked) });
				return [{ json: { index: checked } }];
			},
		);
		return outcome instanceof Failure ? outcome.explanation : outcome.length;
	};
	const outcomes = await Promise.all(items.map(outcome));
	return { run, sent, outcomes, most };
}

const no = new Failure({ kind: 'refused', message: 'No' });
const input = new Failure({ kind: 'input', message: 'Bad' });
const key = new Failure({ kind: 'unauthorized', message: 'Key', httpCode: 401 });
const forbidden = new Failure({ kind: 'forbidden', message: 'Forbidden' });
const plan = new Failure({ kind: 'noAccess', message: 'Plan' });
const notSent = (why: string) =>
	`Not sent, because ${why}. See the error of the first row that failed, and run the rest later.`;

const down = new Failure({ kind: 'unavailable', message: 'Down' });
const limit = new Failure({ kind: 'rateLimited', message: 'Full' });
const unknown = { message: 'Lost', advice: 'Look', outcomeUnknown: true };
const lost = new Failure({ kind: 'unreachable', ...unknown });
const stopped = new Failure({ kind: 'cancelled', ...unknown });

const onError = { continueOnFail: true };
const reads = { isWrite: false };
const ok: Item = {};
const bad: Item = { check: input };
const refused: Item = { work: no };

const nothing = (item: number): string => `(item ${item} of 3: nothing was sent)`;
const more = (have: string): string =>
	`${have} an error: to see each, set On Error to Continue in the settings of the node.`;

test.each<[string, Item[], Options, sent: number[], outcomes: unknown[]]>([
	['all are sent', [ok, ok, ok], {}, [0, 1, 2], [1, 1, 1]],
	['a bad one stops all', [ok, bad, ok], {}, [], [0, 'Bad (item 2 of 3: nothing was sent).', 0]],
	[
		'two bad ones tell of each other',
		[bad, ok, bad],
		{},
		[],
		[
			`Bad ${nothing(1)}. ${more('1 more item has')}`,
			0,
			`Bad ${nothing(3)}. ${more('1 more item has')}`,
		],
	],
	[
		'three tell of the others',
		[bad, bad, bad],
		{},
		[],
		[1, 2, 3].map((item) => `Bad ${nothing(item)}. ${more('2 more items have')}`),
	],
	['but on its own', [bad], {}, [], ['Bad.']],
	['or with Continue', [ok, bad, ok], onError, [0, 2], [1, 'Bad.', 1]],
	['a refused one, the rest', [ok, refused, ok], {}, [0, 1], [1, `No ${of(2, 3, 1, 1)}.`, 0]],
	['reads end before it is told', [refused, ok], reads, [0, 1], [`No ${of(1, 2, 1, 0)}.`, 1]],
	['with Continue it stops none', [refused, ok], onError, [0, 1], ['No.', 1]],
	[
		'a used-up limit stops its key',
		[{ work: limit }, { key: 'b' }, ok],
		onError,
		[0, 1],
		['Full.', 1, notSent('the rate limit is used up')],
	],
	[
		'a refused key, too',
		[{ work: key }, ok],
		onError,
		[0],
		['Key.', notSent('the API key was refused (status 401)')],
	],
	[
		'a plan without the API, too',
		[{ work: plan }, ok],
		onError,
		[0],
		['Plan.', notSent('the account was refused')],
	],
	['but not for one record', [{ work: forbidden }, ok], onError, [0, 1], ['Forbidden.', 1]],
	['a bad value stops no key', [{ check: key }, ok], onError, [1], ['Key.', 1]],
	['a stop says no number', [{ work: stopped }, ok], {}, [0], ['Lost. Look.', 0]],
])('%s', async (_what, items, options, sent, outcomes) => {
	expect(await start(items, options)).toMatchObject({ sent, outcomes });
});

test('writes go one at a time, reads five', async () => {
	expect((await start(Array<Item>(3).fill(ok))).most).toBe(1);
	expect((await start(Array<Item>(8).fill(ok), reads)).most).toBe(5);
});

test.each<[string, Item[], Item[], sent: number[], outcomes: unknown[], Options?]>([
	['nothing that was done is', [ok], [ok], [], [1]],
	['only what was refused is sent again', [ok, refused], [ok, ok], [1], [1, 1]],
	[
		'what may have been done is not',
		[{ work: lost }, ok],
		[ok, ok],
		[],
		[`Lost ${of(1, 2, 0, 1)}. Look.`, 0],
	],
	['all reads are', [ok, refused], [ok, ok], [0, 1], [1, 1], reads],
	['what was done counts', [ok, refused], [ok, refused], [1], [1, `No ${of(2, 2, 1, 0)}.`]],
])('in the next try %s', async (_what, first, second, sent, outcomes, options = {}) => {
	const { run } = await start(first, options);
	expect(await start(second, options, run)).toMatchObject({ sent, outcomes });
	expect([run.isPast(1), run.isPast(2)]).toEqual([first.length > 1, false]);
});

const node: INode = {
	id: 'node',
	name: 'Node',
	type: 'linkManagement',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const WRITES = { node, items: [], continueOnFail: false, isWrite: true };
const checked = async () => await Promise.resolve();

test('nothing is sent before n8n has started the last item', async () => {
	const run = new BatchRun({ itemCount: 2, ...WRITES });
	const done = jest.fn();
	const perform = jest.fn(() => Promise.resolve([]));
	const first = run.run(0, () => Promise.reject(no), perform).then(done);
	await sleep(10);
	expect(done).not.toHaveBeenCalled();
	expect(await run.run(1, checked, perform)).toEqual([]);
	await first;
	expect(done).toHaveBeenCalledWith(expect.any(Failure));
	expect(perform).not.toHaveBeenCalled();
});

test('a step that succeeded is not done again in the next try, one that failed is', async () => {
	const calls: string[] = [];
	const row = (item: number, failure?: Failure) => async (_checked: unknown, steps: Steps) => {
		const call = (name: string) => async () => {
			calls.push(`${name} ${item}`);
			if (failure && name === 'file') throw failure;
			return await Promise.resolve({ id: calls.length });
		};
		const json = await steps.write('make', call('make'));
		await steps.write('file', call('file'));
		return [{ json }];
	};
	const rows = async (run: BatchRun, failing: Array<Failure | undefined>) =>
		await Promise.allSettled(
			failing.map((failure, item) => run.run(item, checked, row(item, failure))),
		);
	const first = new BatchRun({ itemCount: 2, ...WRITES });
	const second = new BatchRun({ itemCount: 2, ...WRITES }, first);
	expect(await rows(first, [undefined, no])).toMatchObject([
		{},
		{ value: { message: `No ${of(2, 2, 1, 0)}` } },
	]);
	const again = (await rows(second, [undefined, undefined])) as Array<{ value?: unknown }>;
	expect(again.map(({ value }) => value)).toEqual([[{ json: { id: 1 } }], [{ json: { id: 3 } }]]);
	expect(calls).toEqual(['make 0', 'file 0', 'make 1', 'file 1', 'file 1']);
});

test.each([
	['five in a row', [1, 1, 1, 1, 1, 0, 0], 5],
	['not with a response between them', [1, 1, 1, 1, 0, 1, 1, 1, 1, 2, 1], 11],
])('a service that is down gets no further request: %s', async (_what, errors, count) => {
	const items = errors.map((error) => [{}, { work: down }, { work: no }][error] ?? {});
	const { sent, outcomes } = await start(items, onError);
	expect(sent).toHaveLength(count);
	for (const outcome of outcomes.slice(count)) {
		expect(outcome).toMatch(/^Not sent, because 5 requests in a row failed\. See/);
	}
});

test.each<[ConstructorParameters<typeof Failure>[0], number]>([
	[{ kind: 'unreachable', ...unknown }, 5],
	[{ kind: 'unreadable', message: 'Odd', httpCode: 200 }, 5],
	[{ kind: 'otherRefusal', message: 'Odd', httpCode: 400 }, 6],
	[{ kind: 'serverError', message: 'Error', httpCode: 500 }, 5],
	[{ kind: 'serverError', httpCode: 500, ...unknown }, 6],
	[{ kind: 'refused', message: 'No', httpCode: 404 }, 6],
])('of six rows that get %j, %i are sent', async (failure, count) => {
	const items = Array<Item>(6).fill({ work: new Failure(failure) });
	expect((await start(items, onError)).sent).toHaveLength(count);
});

test('no item is sent before all are checked, however long it takes', async () => {
	const run = new BatchRun({ itemCount: 2, ...WRITES });
	expect(run.isPast(0)).toBe(false);
	const perform = jest.fn(() => Promise.resolve([]));
	const check = async () => {
		await sleep(20);
		throw input;
	};
	const rows = [run.run(0, checked, perform), run.run(1, check, perform)];
	expect(await Promise.all(rows)).toEqual([[], expect.any(Failure)]);
	expect(perform).not.toHaveBeenCalled();
});

test('a list is read once for all items with a key', () => {
	const run = new BatchRun({ itemCount: 1, ...WRITES });
	const indexOf = (list: typeof links, connectionKey: string) =>
		run.sharedBy(connectionKey, () => jest.fn()).listOf(list).index;
	const first = indexOf(links, 'a');
	const others = [indexOf(links, 'b'), indexOf(campaigns, 'a'), indexOf(links, 'a')];
	expect(others.map((index) => index === first)).toEqual([false, false, true]);
});

test('after a read that was tried for a minute, others are sent once, until one succeeds', async () => {
	const sent: unknown[] = [];
	const works = [undefined, down, down, undefined, undefined];
	const shared = new RunState(async ({ once }) => {
		const work = works[sent.length];
		sent.push(once);
		if (work) throw work;
		return await Promise.resolve({} as ServiceResponse);
	});
	for (const _work of works) {
		await shared.send({ method: 'GET', path: '/x' }).catch(() => undefined);
	}
	expect(sent).toEqual([false, false, true, true, false]);
});

test('at most ten items are checked at once, because each check reads the credential', async () => {
	const run = new BatchRun({ itemCount: 40, ...WRITES, continueOnFail: true });
	let running = 0;
	const seen: number[] = [];
	const check = async () => {
		running += 1;
		seen.push(running);
		await sleep(1);
		running -= 1;
	};
	const perform = async () => await Promise.resolve([]);
	await Promise.all(Array.from({ length: 40 }, (_, item) => run.run(item, check, perform)));
	expect([seen.length, Math.max(...seen)]).toEqual([40, 10]);
});

test('when all items have had their turn, what is still in doubt about the key is settled', async () => {
	const run = new BatchRun({ itemCount: 2, ...WRITES });
	const { keyProof } = run.sharedBy(
		'k',
		() => async () => await Promise.resolve({} as ServiceResponse),
	);
	const end = jest.spyOn(keyProof, 'end');
	const ends: number[] = [];
	const item = async (index: number) =>
		await run.run(
			index,
			async () => await Promise.resolve(index),
			async () => {
				ends.push(end.mock.calls.length);
				return await Promise.resolve([]);
			},
		);
	await Promise.all([item(0), item(1)]);
	expect([ends, end.mock.calls.length]).toEqual([[0, 0], 1]);
});
