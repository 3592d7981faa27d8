import { sleep } from 'n8n-workflow';

import { campaigns, links } from '../../dist/nodes/LinkManagement/lists.js';
import type { Connection } from '../../dist/nodes/shared/http/connection.js';
import type { ServiceResponse } from '../../dist/nodes/shared/http/request.js';
import type { BatchRunOptions } from '../../dist/nodes/shared/operations/batchRun.js';
import { BatchRun } from '../../dist/nodes/shared/operations/batchRun.js';
import { Failure, failureOf } from '../../dist/nodes/shared/values/failure.js';

/** Which items of a node are sent, in which order, and what becomes of each. */

interface Item {
	/** What its check, or its work, throws. */
	check?: Failure;
	work?: Failure;
	key?: string;
	isRead?: boolean;
}

/** Starts the items as n8n does; a failure is told by its explanation. */
async function start(items: Item[], options: Partial<BatchRunOptions> = {}, before?: BatchRun) {
	const itemCount = items.length;
	const run = new BatchRun({ itemCount, continueOnFail: false, ...options }, before);
	const sent: number[] = [];
	let underWay = 0;
	let most = 0;
	const perform = async (index: number, key: string, failure?: Failure) => {
		await run.send(key, async () => await answer(index, failure));
		return [{ json: { index } }];
	};
	const answer = async (index: number, failure?: Failure) => {
		sent.push(index);
		underWay += 1;
		most = Math.max(most, underWay);
		await sleep(failure ? 1 : 10);
		underWay -= 1;
		if (failure) throw failure;
		return {} as ServiceResponse;
	};
	const outcome = async ({ check, work, key = 'k', isRead = false }: Item, index: number) => {
		const checked = await run.prepare(index, async () => {
			if (check) throw check;
			return await Promise.resolve(true);
		});
		const doing = { isWrite: !isRead, perform: () => perform(index, key, work) };
		return checked && (await run.inOrder(index, doing)).length;
	};
	const outcomes = await Promise.all(
		items.map((item, index) =>
			outcome(item, index).catch((error: unknown) => failureOf(error).explanation),
		),
	);
	return { run, sent, outcomes, most };
}

const no = new Failure({ kind: 'refused', message: 'No' });
const input = new Failure({ kind: 'input', message: 'Bad' });
const key = new Failure({ kind: 'unauthorised', message: 'Key', httpCode: 401 });
const forbidden = new Failure({ kind: 'forbidden', message: 'Forbidden' });
const plan = new Failure({ kind: 'noAccess', message: 'Plan' });
const limit = new Failure({ kind: 'rateLimited', message: 'Full' });
const lost = new Failure({
	kind: 'unreachable',
	message: 'Lost',
	advice: 'Look',
	outcomeUnknown: true,
});
const stopped = new Failure({
	kind: 'cancelled',
	message: 'Stop',
	advice: 'Look',
	outcomeUnknown: true,
});

const onError = { continueOnFail: true };
const [ok, read] = [{}, { isRead: true }];

test.each<[string, Item[], Partial<BatchRunOptions>, sent: number[], outcomes: unknown[]]>([
	['all are sent', [ok, ok, ok], {}, [0, 1, 2], [1, 1, 1]],
	[
		'a bad one stops all',
		[ok, { check: input }, ok],
		{},
		[],
		[0, 'Bad (item 2 of 3: nothing was sent).', 0],
	],
	['but on its own', [{ check: input }], {}, [], ['Bad.']],
	['or with Continue', [ok, { check: input }, ok], onError, [0, 2], [1, 'Bad.', 1]],
	[
		'a refused one stops the rest',
		[ok, { work: no }, ok],
		{},
		[0, 1],
		[1, 'No (item 2 of 3: 1 succeeded, 1 not sent).', 0],
	],
	[
		'reads end before it is told',
		[{ ...read, work: no }, read],
		{},
		[0, 1],
		['No (item 1 of 2: 1 succeeded, 0 not sent).', 1],
	],
	['with Continue it stops none', [{ work: no }, ok], onError, [0, 1], ['No.', 1]],
	[
		'a used-up limit stops its key',
		[{ work: limit }, { key: 'b' }, ok],
		onError,
		[0, 1],
		['Full.', 1, 'Full.'],
	],
	['a refused key, too', [{ work: key }, ok], onError, [0], ['Key.', 'Key.']],
	['a plan without the API, too', [{ work: plan }, ok], onError, [0], ['Plan.', 'Plan.']],
	['but not for one record', [{ work: forbidden }, ok], onError, [0, 1], ['Forbidden.', 1]],
	['a bad value stops no key', [{ check: key }, ok], onError, [1], ['Key.', 1]],
	['a stop says no number', [{ work: stopped }, ok], {}, [0], ['Stop. Look.', 0]],
])('%s', async (_what, items, options, sent, outcomes) => {
	expect(await start(items, options)).toMatchObject({ sent, outcomes });
});

test('writes go one at a time, reads five', async () => {
	expect((await start(Array<Item>(3).fill(ok))).most).toBe(1);
	expect((await start(Array<Item>(8).fill(read))).most).toBe(5);
});

test.each<[string, Item[], Item[], sent: number[], outcomes: unknown[]]>([
	['nothing that was done is', [ok], [ok], [], [1]],
	['only what was refused is sent again', [ok, { work: no }], [ok, ok], [1], [1, 1]],
	[
		'not what may have been done',
		[{ work: lost }, ok],
		[ok, ok],
		[],
		['Lost (item 1 of 2: 0 succeeded, 1 not sent). Look.', 0],
	],
	['all reads are', [read, { ...read, work: no }], [read, read], [0, 1], [1, 1]],
	[
		'what was done counts',
		[ok, { work: no }],
		[ok, { work: no }],
		[1],
		[1, 'No (item 2 of 2: 1 succeeded, 0 not sent).'],
	],
])('in the next try %s', async (_what, first, second, sent, outcomes) => {
	const { run } = await start(first);
	expect(await start(second, {}, run)).toMatchObject({ sent, outcomes });
	expect([run.isPast(1), run.isPast(2)]).toEqual([first.length > 1, false]);
});

test('nothing is sent before n8n has started the last item', async () => {
	const run = new BatchRun({ itemCount: 2, continueOnFail: false });
	const done = jest.fn();
	const first = run.prepare(0, () => Promise.reject(no)).catch(done);
	await sleep(10);
	expect(done).not.toHaveBeenCalled();
	const second = run.prepare(1, () => Promise.resolve(1));
	const perform = jest.fn(() => Promise.resolve([]));
	expect(await run.inOrder(await second, { isWrite: true, perform })).toEqual([]);
	await first;
	expect([done.mock.calls.length, perform.mock.calls.length]).toEqual([1, 0]);
});

test('a step that succeeded is not done again in the next try, one that failed is', async () => {
	const options = { itemCount: 2, continueOnFail: false };
	const calls: string[] = [];
	const steps = (run: BatchRun, item: number, failing?: Failure) => ({
		isWrite: true,
		perform: async () => {
			const made = await run.step(item, 'make', async () => {
				calls.push(`make ${item}`);
				return await Promise.resolve({ id: calls.length });
			});
			await run.step(item, 'file', async () => {
				calls.push(`file ${item}`);
				if (failing) throw failing;
				return await Promise.resolve({});
			});
			return [{ json: made }];
		},
	});
	const first = new BatchRun(options);
	expect(await first.inOrder(0, steps(first, 0))).toEqual([{ json: { id: 1 } }]);
	await expect(first.inOrder(1, steps(first, 1, no))).rejects.toThrow(/^No \(item 2/);
	const second = new BatchRun(options, first);
	expect(await second.inOrder(0, steps(second, 0))).toEqual([{ json: { id: 1 } }]);
	expect(await second.inOrder(1, steps(second, 1))).toEqual([{ json: { id: 3 } }]);
	expect(calls).toEqual(['make 0', 'file 0', 'make 1', 'file 1', 'file 1']);
});

test('what several items need is asked for once', async () => {
	const { run } = await start([ok]);
	const send = jest.fn(() => Promise.resolve({} as ServiceResponse));
	const requests = ['a', 'a', 'b'].map((path) => ({ method: 'GET', path }) as const);
	for (const request of requests) run.share('key', request);
	for (const request of requests) await run.once('key', request, send);
	expect(send).toHaveBeenCalledTimes(2);
	// The response is not kept for longer than an item needs it.
	await run.once('key', { method: 'GET', path: 'a' }, send);
	expect(send).toHaveBeenCalledTimes(3);
	const of = (list: typeof links, connectionKey: string) =>
		run.indexOf({ connectionKey, limiter: {} } as Connection, list, send);
	const first = of(links, 'a');
	expect(
		[of(links, 'b'), of(campaigns, 'a'), of(links, 'a')].map((index) => index === first),
	).toEqual([false, false, true]);
});

test('at most ten items are checked at once, because each check reads the credential', async () => {
	const run = new BatchRun({ itemCount: 40, continueOnFail: true });
	let running = 0;
	const seen: number[] = [];
	const check = async () => {
		running += 1;
		seen.push(running);
		await sleep(1);
		running -= 1;
	};
	await Promise.all(Array.from({ length: 40 }, (_, item) => run.prepare(item, check)));
	expect([seen.length, Math.max(...seen)]).toEqual([40, 10]);
});
