import * as fc from 'fast-check';

import type { AskPage, Mark } from '../../dist/nodes/shared/lists/pollingList.js';
import {
	markIn,
	markState,
	readNewest,
	readOn,
} from '../../dist/nodes/shared/lists/pollingList.js';
import type { PageAddress } from '../../dist/nodes/shared/lists/pollingPage.js';
import { select, sliceOf } from '../../dist/nodes/shared/lists/pollingPage.js';
import { pageAround } from '../../dist/nodes/shared/lists/pollingWindow.js';
import type { ListDialect } from './pollingServer.ts';
import { ListServer, PLAIN } from './pollingServer.ts';

/** Requests of a poll that nothing cuts short. */
const BUDGET = 20;

const askOf =
	(server: ListServer, before: () => void = () => undefined): AskPage =>
	async (address: PageAddress) => {
		before();
		const page = server.page(address);
		if (page !== 'missing') return await Promise.resolve(page);
		return { records: [], perPage: address.limit, maxPage: undefined, nextPage: undefined };
	};

const upTo = (requests: number, server: ListServer) => {
	const most = server.requests + requests;
	return () => server.requests < most;
};

/** What may happen to an account and to n8n. */
type Step =
	| { what: 'create'; count: number; isSameSecond: boolean }
	| { what: 'delete'; where: number[] }
	| { what: 'poll'; requests: number; failsAt: number | undefined; meanwhile: Step[] }
	| { what: 'crash' };

class PollFailed extends Error {}

/**
 * n8n around a trigger. It stores the state when a poll gives out something and when the workflow is activated; with
 * its durable cursors after every poll. A crash goes back to what is stored.
 */
class Host {
	readonly server: ListServer;
	readonly isDurable: boolean;
	readonly emitted: number[] = [];
	readonly before = new Set<number>();
	private state: unknown;
	private stored: unknown;

	constructor(dialect: ListDialect, isDurable: boolean) {
		this.server = new ListServer(dialect);
		this.isDurable = isDurable;
	}

	async activate(): Promise<void> {
		for (const { id } of this.server.entries) this.before.add(id);
		const seed = await readNewest(askOf(this.server), () => true);
		if (!seed) throw new Error('The newest record was not found');
		this.keep(seed.mark);
		this.stored = this.state;
	}

	async poll(requests: number, failsAt?: number, meanwhile: Step[] = []): Promise<number> {
		const known = markIn(this.state);
		if (!known) throw new Error('There is no state');
		let count = 0;
		const ask = askOf(this.server, () => {
			count += 1;
			if (count === failsAt) throw new PollFailed();
			const step = meanwhile[count - 1];
			if (step && count > 1) this.change(step);
		});
		const { records, mark } = await readOn(ask, known, upTo(requests, this.server));
		const ids = records.map(({ id }) => id);
		if (ids.some((id, index) => id <= (ids[index - 1] ?? 0)))
			throw new Error(`In disorder: ${ids.join()}`);
		this.emitted.push(...ids);
		this.keep(mark);
		if (this.isDurable || ids.length > 0) this.stored = this.state;
		return ids.length;
	}

	async do(step: Step): Promise<void> {
		if (step.what === 'crash') this.state = this.stored;
		else if (step.what !== 'poll') this.change(step);
		else {
			await this.poll(step.requests, step.failsAt, step.meanwhile).catch((error: unknown) => {
				if (!(error instanceof PollFailed)) throw error;
			});
		}
	}

	private change(step: Step): void {
		if (step.what === 'create') this.server.create(step.count, step.isSameSecond);
		if (step.what === 'delete') step.where.forEach((where) => this.server.delete(where));
	}

	/** As JSON, which is what n8n stores. */
	private keep(mark: Mark): void {
		this.state = JSON.parse(JSON.stringify(markState(mark)));
	}

	/** Every record that is there and was not at the beginning was given out once, and no other twice. */
	check(): void {
		const { emitted, before, server } = this;
		expect(new Set(emitted).size).toBe(emitted.length);
		expect(emitted.filter((id) => before.has(id))).toEqual([]);
		const expected = server.entries.map(({ id }) => id).filter((id) => !before.has(id));
		const given = new Set(emitted);
		expect(expected.filter((id) => !given.has(id))).toEqual([]);
	}
}

/** A list without dates has nothing but the ids to be in the order of. */
const plausible = (dialect: ListDialect): ListDialect =>
	dialect.isDated && dialect.cap > 15 ? dialect : { ...dialect, ties: 'along' };

const dialects = fc
	.record<ListDialect>({
		order: fc.constantFrom('newestFirst', 'oldestFirst'),
		ties: fc.constantFrom('along', 'against'),
		isDated: fc.boolean(),
		cap: fc.constantFrom(10, 15, 25, 100),
		nextPage: fc.constantFrom('null', 'same', 'plusOne', 'zero'),
		beyond: fc.constantFrom('empty', 'last', 'missing'),
		isStringly: fc.boolean(),
		ignoresLimit: fc.constant(false),
		stride: fc.constantFrom(1, 1, 4),
	})
	.map(plausible);

const creates = fc.oneof(
	{ weight: 6, arbitrary: fc.integer({ min: 1, max: 4 }) },
	{ weight: 2, arbitrary: fc.integer({ min: 5, max: 60 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 100, max: 250 }) },
);

/** Fewer than half a page, so that records of one second may stand in any order. */
const FEW = 4;

const changes: fc.Arbitrary<Step> = fc.oneof(
	fc.record({ what: fc.constant('create'), count: creates, isSameSecond: fc.constant(false) }),
	fc.record({
		what: fc.constant('delete'),
		where: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), {
			minLength: 1,
			maxLength: 40,
		}),
	}),
);

const steps: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 4, arbitrary: changes },
	{
		weight: 4,
		arbitrary: fc.record({
			what: fc.constant('poll'),
			requests: fc.oneof(fc.constant(BUDGET), fc.integer({ min: 1, max: 5 })),
			failsAt: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 4 }),
			meanwhile: fc.array(changes, { maxLength: 3 }),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ what: fc.constant('crash') }) },
);

/** One second holds at most `FEW` records where they stand against the list; no limit where they stand along with it. */
function spread(server: ListServer, step: Step): Step[] {
	if (step.what !== 'create' || server.dialect.ties === 'along') return [step];
	const seconds = Math.ceil(step.count / FEW);
	return Array.from({ length: seconds }, (_, index) => ({
		...step,
		count: Math.min(FEW, step.count - index * FEW),
	}));
}

test('whatever happens, every record made after the activation comes once, the oldest first, and none from before', async () => {
	await fc.assert(
		fc.asyncProperty(
			dialects,
			fc.boolean(),
			fc.integer({ min: 0, max: 120 }),
			fc.array(steps, { minLength: 1, maxLength: 10 }),
			async (dialect, isDurable, existing, history) => {
				const host = new Host(dialect, isDurable);
				for (let made = 0; made < existing; made += 2) host.server.create(2);
				await host.activate();
				for (const step of history) {
					for (const part of spread(host.server, step)) {
						await host.do(
							part.what === 'poll'
								? {
										...part,
										meanwhile: part.meanwhile.flatMap((change) => spread(host.server, change)),
									}
								: part,
						);
					}
				}
				// The list comes to rest; then a few polls are enough for what is left.
				const most = 3 + Math.ceil(host.server.entries.length / 50);
				let polls = 0;
				while ((await host.poll(BUDGET)) > 0) polls += 1;
				expect(polls).toBeLessThan(most);
				host.check();
				// Nothing is new, so one request is enough.
				const { requests } = host.server;
				await host.poll(BUDGET);
				expect(host.server.requests - requests).toBe(1);
			},
		),
		{ numRuns: 10_000 },
	);
}, 120_000);

describe('what n8n does not promise', () => {
	test('a poll whose state was lost between two writes of n8n comes again, and nothing else does', async () => {
		const server = new ListServer(PLAIN);
		server.create(50);
		const seed = await readNewest(askOf(server), () => true);
		if (!seed) throw new Error('The newest record was not found');
		const first = server.create(3);
		const given = await readOn(askOf(server), seed.mark, upTo(BUDGET, server));
		expect(given.records.map(({ id }) => id)).toEqual(first);
		// The execution was begun, but n8n ended before it stored the state.
		const second = server.create(2);
		const again = await readOn(askOf(server), seed.mark, upTo(BUDGET, server));
		expect(again.records.map(({ id }) => id)).toEqual([...first, ...second]);
		const rest = await readOn(askOf(server), again.mark, upTo(BUDGET, server));
		expect(rest.records).toEqual([]);
	});
});

describe.each(['newestFirst', 'oldestFirst'] as const)('a list that is %s', (order) => {
	/** A trigger at the newest of 1,000 records. */
	async function settled(
		dialect: Partial<ListDialect>,
	): Promise<{ server: ListServer; mark: Mark }> {
		const server = new ListServer({ ...PLAIN, order, ...dialect });
		for (let made = 0; made < 1000; made += 1) server.create(1);
		const seed = await readNewest(askOf(server), () => true);
		if (!seed) throw new Error('The newest record was not found');
		server.requests = 0;
		return { server, mark: seed.mark };
	}

	async function readAll(server: ListServer, mark: Mark): Promise<number> {
		return (await readOn(askOf(server), mark, () => true)).records.length;
	}

	test.each([
		[1, 1],
		[40, 1],
		[150, 3],
		[1000, 14],
	])('gives %d new records for at most %d requests', async (count, most) => {
		const { server, mark } = await settled({});
		for (let made = 0; made < count; made += 1) server.create(1);
		expect(await readAll(server, mark)).toBe(count);
		expect(server.requests).toBeLessThanOrEqual(most);
	});

	test('with 10,000 records of one second takes about 120 requests in 6 polls', async () => {
		const { server, mark } = await settled({});
		server.create(10_000);
		let polls = 0;
		let given = 0;
		for (let current = mark; given < 10_000; polls += 1) {
			const reading = await readOn(askOf(server), current, upTo(BUDGET, server));
			given += reading.records.length;
			current = reading.mark;
		}
		expect({ given, polls }).toEqual({ given: 10_000, polls: 6 });
		expect(server.requests).toBeLessThanOrEqual(125);
	});

	test('with pages of one size, whatever is asked for, is read too', async () => {
		const { server, mark } = await settled({ cap: 15, ignoresLimit: true });
		for (let made = 0; made < 200; made += 1) server.create(1);
		expect(await readAll(server, mark)).toBe(200);
		expect(server.requests).toBeLessThanOrEqual(20);
	});

	test('is found again when the place of the mark is forgotten', async () => {
		const { server, mark } = await settled({});
		server.create(3);
		expect(await readAll(server, { ...mark, at: order === 'newestFirst' ? -700 : 20 })).toBe(3);
		expect(server.requests).toBeLessThanOrEqual(6);
	});
});

describe('a page', () => {
	const pageOf = (ids: number[], dates: string[] = []) => ({
		records: ids.map((id, index) => ({ id, ...(dates[index] ? { date: dates[index] } : {}) })),
		perPage: ids.length,
		maxPage: 9,
		nextPage: 3,
	});
	const second = { limit: 5, page: 2 };

	test('that does not reach down to the mark proves nothing', () => {
		const slice = sliceOf(pageOf([20, 18, 17, 15, 14]), second, undefined);
		expect(slice).toMatchObject({ order: 'newestFirst', from: 14, to: 20, place: -9 });
		expect(select(slice, 12)).toEqual([]);
		expect(select(slice, 13).map(({ id }) => id)).toEqual([14, 15, 17, 18, 20]);
		expect(select(slice, 17).map(({ id }) => id)).toEqual([18, 20]);
	});

	test('leaves out its outermost record, if others of that second may be on the next page', () => {
		const dates = ['05', '04', '03', '02', '01'].map((day) => `2030-01-${day} 00:00:00`);
		const slice = sliceOf(pageOf([20, 18, 17, 15, 14], dates), second, undefined);
		expect(slice).toMatchObject({ from: 15, to: 18 });
	});
});

test('a page around a place shows what is before it and reaches beyond it', () => {
	for (const order of ['newestFirst', 'oldestFirst'] as const) {
		for (const size of [15, 25, 100]) {
			for (let offset = 200; offset < 700; offset += 1) {
				const place = order === 'newestFirst' ? -offset : offset;
				const window = { order, place, margin: 3, newer: 2, size, isFixed: false };
				const { limit, page } = pageAround(window);
				const [first, last] = [(page - 1) * limit, page * limit - 1];
				expect(limit).toBeLessThanOrEqual(size);
				expect(first).toBeLessThan(offset);
				expect(last).toBeGreaterThan(offset);
			}
		}
	}
});

test('a state that is none begins anew; one that lacks something is made up for', () => {
	expect(markIn(undefined)).toBeUndefined();
	expect(markIn({ at: 3 })).toBeUndefined();
	expect(markIn({ id: '7' })).toEqual({
		id: 7,
		at: 0,
		order: undefined,
		size: 100,
		isFixed: false,
	});
});

test('a list in which the new records cannot be found is told apart from one without any', async () => {
	let requests = 0;
	const records = Array.from({ length: 100 }, (_, index) => ({ id: 900 - index }));
	/** The same page whatever is asked for, and always one more to come. */
	const samePage: AskPage = async ({ limit, page }) => {
		requests += 1;
		const shown = records.slice(0, limit);
		return await Promise.resolve({
			records: shown,
			perPage: limit,
			maxPage: page + 1,
			nextPage: page + 1,
		});
	};
	const mark = markIn({ id: 5, order: 'newestFirst' });
	if (!mark) throw new Error('There is no mark');
	const { records: found, isLost } = await readOn(samePage, mark, () => requests < 50);
	expect({ found, isLost }).toEqual({ found: [], isLost: true });
	expect(requests).toBeLessThan(15);
});
