import type { IDataObject } from 'n8n-workflow';

import { ListWalk, placeIn } from '../../../../dist/nodes/shared/lists/listWalk.js';
import type { RequestPage } from '../../../../dist/nodes/shared/lists/pages.js';
import { EMPTY_PAGE, pageIn, pagesOf } from '../../../../dist/nodes/shared/lists/pages.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';
import { ListServer, PLAIN, randomDialect } from '../../helpers/listServer.ts';
import { Random } from '../../helpers/random.ts';

const idsOf = (...ids: unknown[]): IDataObject[] => ids.map((id) => ({ id }) as IDataObject);

/** What a walk over these pages of two records reads, and why it ended. */
async function readAll(pages: Array<IDataObject | Error>, limit = 2): Promise<unknown[]> {
	const read: unknown[] = [];
	const requestPage: RequestPage = async (number) => {
		const page = pages[number - 1] ?? new Error(`page ${number}`);
		if (page instanceof Error) throw page;
		return await Promise.resolve(pageIn(page, 'urls'));
	};
	try {
		for await (const records of new ListWalk(requestPage, { limit }).pages())
			read.push(records.map(({ id, name }) => id ?? name));
	} catch (error) {
		read.push(error instanceof Failure ? error.explanation : String(error));
	}
	return read;
}

const refused = new Failure({ kind: 'refused', message: 'No such page' });
const lost = new Failure({ kind: 'unreachable', message: 'Gone' });
const of = (...ids: unknown[]) => ({ urls: idsOf(...ids) });
const promised = { ...of(1, 2), maxpage: 9 };
const next = { ...promised, ...of(3, 4) };
const last = (page: number) => ({ ...of(5), maxpage: page });

/** The pages, and what a walk reads of them. */
const WALKS: Record<string, [pages: Array<IDataObject | Error>, read: string]> = {
	'a short page ends it': [[of(1, 2), of(3)], '1,2 | 3'],
	'an empty page ends it': [[of(1, 2), of()], '1,2'],
	'a record that comes again is left out': [[of(1, 2), of(2, 3), of(4)], '1,2 | 3 | 4'],
	'a record that a page repeats is left out': [[of(1, 1), of(2, 2), of()], '1 | 2'],
	'a refused first page is a failure': [[refused], 'No such page.'],
	'a refused page after it ends the list': [[of(1, 2), refused], '1,2'],
	'a page may not be lost': [[of(1, 2), lost], '1,2 | Gone.'],
	'a full last page ends nothing, whatever the numbers say': [
		[{ ...of(1, 2), result: 2, maxpage: 1, perpage: 2 }, of(3)],
		'1,2 | 3',
	],
	'two pages without news end it': [[of(1, 2), of(1, 2), of(1, 2)], '1,2'],
	'one of them does if the numbers say that it is behind the end': [
		[
			{ ...of(1, 2), maxpage: 1 },
			{ ...of(1, 2), maxpage: 1 },
		],
		'1,2',
	],
	'or if it says that it is another page': [[of(1, 2), { ...of(1, 2), currentpage: 1 }], '1,2'],
	'one page without news may come from shifted records': [
		[promised, promised, next, last(4)],
		'1,2 | 3,4 | 5',
	],
	'two of them apart end nothing': [[promised, promised, next, promised, last(5)], '1,2 | 3,4 | 5'],
	'two of them after news are its end': [[promised, next, promised, promised], '1,2 | 3,4'],
	'a number of pages that is too low ends nothing': [
		[{ ...of(1, 2), result: 5, maxpage: 2 }, { ...of(3, 4), result: 5, maxpage: 2 }, of(5)],
		'1,2 | 3,4 | 5',
	],
	'a short page ends nothing if more records are counted': [
		[{ ...of(1), result: 3 }, { ...of(2, 3), result: 3 }, of()],
		'1 | 2,3',
	],
	'a count that is too high costs a second look, and ends as an empty page says': [
		[{ ...of(1, 2), result: 5, maxpage: 3 }, of()],
		'1,2',
	],
	'a service that ignores the page number is an error': [
		Array<IDataObject>(3).fill({ ...promised, result: 9 }),
		'1,2 | The list cannot be read to the end: page 3 repeats the pages before it. The service seems to ignore the page number. Set a Limit that fits on one page.',
	],
	'one that repeats later pages is read as far as it shows others': [
		[promised, next, promised, promised].map((page) => ({ ...page, result: 9 })),
		'1,2 | 3,4',
	],
	'a page without a count changes no count': [
		[{ ...of(1, 2), result: 5 }, of(3, 4), refused],
		'1,2 | 3,4 | No such page.',
	],
	'so is an empty list that is said to have records': [
		[{ ...of(), result: 5 }],
		'The list ended after 0 of 5 records. Try again in a minute: the service may be busy, or its count outdated.',
	],
};
test.each(Object.entries(WALKS))('%s', async (_what, [pages, read]) => {
	expect((await readAll(pages)).join(' | ')).toBe(read);
});

test('records are told apart by type and ID, or by all their members', async () => {
	const link = { id: 1, type: 'links' };
	const first = [link, { name: 'a' }, { name: 'b' }];
	const second = [{ ...link, clicks: 5 }, { name: 'a' }, { id: 1, type: 'qr' }, { name: 'c' }];
	const pages = [
		{ urls: first, maxpage: 2 },
		{ urls: second, maxpage: 2 },
	];
	expect(await readAll(pages, 9)).toEqual([
		[1, 'a', 'b'],
		[1, 'c'],
	]);
});

test.each([
	['pages', 20_001, 1],
	['records', 1001, 1000],
])('a list of too many %s is an error, again and again', async (_what, pages, size) => {
	const walk = new ListWalk(async (number) => {
		const records = Array.from({ length: size }, (_, at) => ({ id: number * size + at }));
		return await Promise.resolve({ ...EMPTY_PAGE, records, maxPage: number + 1 });
	});
	let read = 0;
	const all = async () => {
		for await (const _page of walk.pages()) read += 1;
	};
	const words =
		'The list has more than 20000 pages or 1000000 records. Set a Limit, or pick records';
	const explanation: unknown = expect.stringContaining(words);
	await expect(all()).rejects.toMatchObject({ kind: 'unreadable', explanation });
	await expect(all()).rejects.toMatchObject({ kind: 'unreadable', explanation });
	expect(read).toBe(pages - 1);
});

/** A walk over a server's list, and the ids that it reads. */
function walkOver(server: ListServer, before?: () => void) {
	const source = { path: '/api/urls', listName: 'urls' };
	const walk = new ListWalk(pagesOf(source, server.sender(before)));
	const ids: number[] = [];
	return {
		ids,
		async finish(): Promise<number[]> {
			for await (const records of walk.pages()) ids.push(...records.map(({ id }) => Number(id)));
			return ids;
		},
	};
}

const sorted = (ids: number[]): number[] => ids.toSorted((a, b) => a - b);

const failing = new Failure({ kind: 'serverError', httpCode: 500, message: 'Odd' });

const down = new Failure({ kind: 'unavailable', httpCode: 503, message: 'Down' });

test.each(['empty', 'last', 'first', 'refused'] as const)(
	'a count that is a minute old is no error, whatever follows the end (%s)',
	async (beyond) => {
		for (const maxPage of ['right', 'tooHigh'] as const) {
			const server = new ListServer({ ...PLAIN, beyond, maxPage, isCached: true });
			server.create(110);
			server.answer(1, 100);
			for (let count = 0; count < 70; count += 1) server.delete(0.5);
			server.requests = 0;
			expect(await walkOver(server).finish()).toHaveLength(40);
			expect(server.requests).toBeLessThanOrEqual(4);
		}
	},
);

test('records that are added during a walk are read, and those that were there', async () => {
	const server = new ListServer(PLAIN);
	server.create(450);
	const walk = walkOver(server, () => server.create(3));
	expect(new Set(await walk.finish()).size).toBeGreaterThanOrEqual(450);
});

test.each(['empty', 'last', 'first', 'refused'] as const)(
	'records that are added amid the list are not missing (%s)',
	async (beyond) => {
		const server = new ListServer({ ...PLAIN, by: 'name', beyond });
		const made = server.create(153);
		const walk = walkOver(server, () => server.create(2));
		expect(await walk.finish()).toEqual(expect.arrayContaining(made));
	},
);

test.each(['empty', 'last', 'first', 'refused'] as const)(
	'a record that is added and fills the last page makes no other one (%s)',
	async (beyond) => {
		const server = new ListServer({ ...PLAIN, cap: 10, beyond });
		const made = server.create(99);
		const walk = walkOver(server, () => {
			if (server.requests === 4) server.create(1);
		});
		expect(await walk.finish()).toEqual(expect.arrayContaining(made));
	},
);

test.each([
	[{ kind: 'serverError', httpCode: 500 }, 'right', 200],
	[{ kind: 'unreadable', httpCode: 200 }, 'right', 200],
	[{ kind: 'otherRefusal', httpCode: 404 }, 'right', 200],
	[{ kind: 'otherRefusal', httpCode: 404 }, 'missing', 200],
	[{ kind: 'otherRefusal', httpCode: 403 }, 'right', 'Odd'],
	[{ kind: 'unavailable', httpCode: 503 }, 'right', 'Odd'],
	[{ kind: 'serverError', httpCode: 500 }, 'missing', 200],
] as const)(
	'a page behind the end that fails with %j, where the count is %s: %j',
	async (failure, total, read) => {
		const server = new ListServer({ ...PLAIN, total });
		server.create(200);
		const walk = walkOver(server, () => {
			if (server.requests === 2) throw new Failure({ ...failure, message: 'Odd' });
		});
		const outcome = await walk.finish().then(
			(ids) => ids.length,
			(error: unknown) => (error as Failure).message,
		);
		expect(outcome).toBe(read);
	},
);

test.each([2, 3, 4])('page %i that is empty once is read again', async (page) => {
	for (const maxPage of ['right', 'missing'] as const) {
		const server = new ListServer({ ...PLAIN, maxPage });
		const made = server.create(400);
		let isFirst = true;
		server.accident = (urls, asked) => {
			if (asked.page !== page || !isFirst) return urls;
			isFirst = false;
			return [];
		};
		expect(sorted(await walkOver(server).finish())).toEqual(made);
		expect(server.requests).toBeLessThanOrEqual(6);
	}
});

test.each(['right', 'tooHigh'] as const)(
	'a page that only maxpage (%s) promises is read again if it is empty or refused',
	async (maxPage) => {
		for (const [wanted, refused] of [
			[1, false],
			[2, true],
			[2, false],
		] as const) {
			const server = new ListServer({ ...PLAIN, maxPage, total: 'missing' });
			const made = server.create(350);
			let isFirst = true;
			server.accident = (urls, { page }) => {
				if (page !== wanted || !isFirst) return urls;
				isFirst = false;
				if (!refused) return [];
				throw new Failure({ kind: 'refused', httpCode: 400, message: 'Busy' });
			};
			expect(sorted(await walkOver(server).finish())).toEqual(made);
			expect(server.requests).toBeLessThanOrEqual(maxPage === 'right' ? 5 : 7);
		}
	},
);

test('pages that fail once, in one walk, change no other walk', async () => {
	for (const failed of [1, 2, 3]) {
		const server = new ListServer({ ...PLAIN, cap: 100, perPage: 'echoed', maxPage: 'missing' });
		server.create(450);
		let requests = 0;
		const disturbed = walkOver(server, () => {
			requests += 1;
			if (requests === failed) throw down;
		});
		const first = await disturbed.finish().catch(async () => await disturbed.finish());
		server.requests = 0;
		const fresh = await walkOver(server).finish();
		expect([sorted(first), sorted(fresh)]).toEqual([sorted(fresh), sorted(fresh)]);
		expect(fresh).toHaveLength(450);
		expect(server.requests).toBe(5);
	}
});

test('a walk after the service has lowered its cap reads the whole list, where numbers say little', async () => {
	for (const cap of [10, 25, 50]) {
		const sparse = { perPage: 'echoed', maxPage: 'missing', total: 'ofPage' } as const;
		const server = new ListServer({ ...PLAIN, ...sparse, cap: 100 });
		server.create(330);
		await walkOver(server).finish();
		server.dialect.cap = cap;
		expect(await walkOver(server).finish()).toHaveLength(330);
	}
});

/** What happens once to a page that the service counts. */
const ONCE = {
	empty: (): IDataObject[] => [],
	refused: (): IDataObject[] => {
		throw new Failure({ kind: 'refused', httpCode: 400, message: 'Busy' });
	},
	missing: (): IDataObject[] => {
		throw new Failure({ kind: 'otherRefusal', httpCode: 404, message: 'Not found' });
	},
};

/** Fails one page, once or always. */
function failPage(
	server: ListServer,
	failed: number,
	accident: () => IDataObject[],
	times = 1,
): void {
	let left = times;
	server.accident = (urls, { page }) => {
		if (page !== failed || left === 0) return urls;
		left -= 1;
		return accident();
	};
}

describe.each(Object.entries(ONCE))(
	'a page that is %s once is read again, or is a failure',
	(_what, accident) => {
		test.each([
			['perpage repeats the limit', { cap: 25, perPage: 'echoed' }],
			[
				'perpage repeats the limit, and nothing says how many pages there are',
				{ cap: 25, perPage: 'echoed', maxPage: 'missing' },
			],
			[
				'perpage repeats the limit, and maxpage is too high',
				{ cap: 25, perPage: 'echoed', maxPage: 'tooHigh' },
			],
			['pages are small', { cap: 5 }],
			['pages are small, and nothing says how many there are', { cap: 7, maxPage: 'missing' }],
			['pages have one record', { cap: 1, perPage: 'echoed' }],
		] as const)('where %s', async (_where, dialect) => {
			for (const page of [2, 3, 4]) {
				const server = new ListServer({ ...PLAIN, ...dialect });
				const made = server.create(110);
				failPage(server, page, accident);
				const walk = walkOver(server);
				const ids = await walk.finish().catch(async () => await walk.finish());
				expect(sorted(ids)).toEqual(made);
			}
		});
	},
);

test.each([
	['perpage repeats the limit', { cap: 25, perPage: 'echoed' }, [2, 3, 4]],
	['maxpage is too high, too', { cap: 25, perPage: 'echoed', maxPage: 'tooHigh' }, [3, 4]],
	['pages are small', { cap: 5 }, [3, 4]],
] as const)(
	'a page that is always refused is a failure where %s',
	async (_where, dialect, pages) => {
		for (const page of pages) {
			const server = new ListServer({ ...PLAIN, ...dialect });
			server.create(110);
			failPage(server, page, ONCE.refused, Infinity);
			await expect(walkOver(server).finish()).rejects.toThrow('Busy');
		}
	},
);

const WALKS_TO_TRY = Number(process.env.LINKSTORE_WALKS ?? 3000);

test(`${WALKS_TO_TRY} random lists are read whole, each record once, although a page may fail`, async () => {
	let requests = 0;
	let pages = 0;
	for (let seed = 1; seed <= WALKS_TO_TRY; seed += 1) {
		const random = new Random(seed);
		const server = new ListServer(randomDialect(random));
		server.create(random.pick([0, 3, 9, 10, 15, 25, 50, 100, 120, 300, random.integer(0, 700)]));
		server.answer(1, 10);
		server.requests = 0;
		// Not the first page: there, a smaller one is tried instead.
		const failsAt = random.is(0.5) ? random.integer(2, 5) : 0;
		const walk = walkOver(server, () => {
			if (server.requests + 1 === failsAt) {
				server.requests += 1;
				throw down;
			}
		});
		const ids = await walk.finish().catch(async () => await walk.finish());
		const all = server.entries.map(({ id }) => id);
		const { dialect } = server;
		if (sorted(ids).join() !== all.join())
			throw new Error(`seed ${seed}: ${ids.length} of ${all.length}: ${JSON.stringify(dialect)}`);
		const size = Math.min(
			100,
			dialect.limit === 'ignored' ? Math.min(dialect.cap, 100) : dialect.cap,
		);
		requests += server.requests;
		pages += Math.max(1, Math.ceil(all.length / size));
	}
	// A request per page, and one more for most lists whose numbers do not show the end.
	expect(requests / pages).toBeLessThan(1.35);
});

test(`${WALKS_TO_TRY} random lists whose records are counted are read whole, although a page is empty or refused once`, async () => {
	for (let seed = 1; seed <= WALKS_TO_TRY; seed += 1) {
		const random = new Random(seed);
		const dialect = { ...randomDialect(random), total: 'right', isCached: false } as const;
		const server = new ListServer({ ...dialect, cap: random.pick([1, 5, 9, 10, 25, 100]) });
		const made = server.create(random.integer(2, 350));
		failPage(server, random.integer(2, 5), random.pick([ONCE.empty, ONCE.refused, ONCE.missing]));
		const walk = walkOver(server);
		const ids = await walk.finish().catch(async () => await walk.finish());
		if (sorted(ids).join() !== made.join())
			throw new Error(
				`seed ${seed}: ${ids.length} of ${made.length}: ${JSON.stringify(server.dialect)}`,
			);
	}
});

const maintenance = new Failure({ kind: 'refused', httpCode: 200, message: 'Temporary problem' });

test.each([
	['a full page', { cap: 25 }],
	['a page that may be full', { cap: 25, perPage: 'missing' }],
] as const)(
	'a page that is refused after %s, although more records are counted, is a failure',
	async (_what, dialect) => {
		const server = new ListServer({ ...PLAIN, ...dialect });
		server.create(190);
		let requests = 0;
		const walk = walkOver(server, () => {
			requests += 1;
			if (requests === 2) throw maintenance;
		});
		await expect(walk.finish()).rejects.toThrow('Temporary problem');
		expect(sorted(await walk.finish())).toEqual(server.entries.map(({ id }) => id));
	},
);

/** A list of so many records, asked for with a limit that may be refused, and the `limit` of each request. */
async function limitsFor(count: number, numbers: IDataObject, refusesLimits = false) {
	const limits: number[] = [];
	const walk = new ListWalk(async (page, limit) => {
		if (refusesLimits && limit > 0) throw refused;
		limits.push(limit);
		const ids = Array.from({ length: page === 1 ? count : 0 }, (_, at) => at);
		return await Promise.resolve(pageIn({ ...of(...ids), ...numbers }, 'urls'));
	});
	let read = 0;
	for await (const records of walk.pages()) read += records.length;
	return [read, limits];
}

test.each<[string, count: number, numbers: IDataObject, refusesLimits: boolean, limits: number[]]>([
	['is empty', 0, {}, false, [100]],
	['is empty, and has one page', 0, { maxpage: 1 }, false, [100]],
	['is empty, and has two pages', 0, { maxpage: 2 }, false, [100, 100]],
	['is short', 9, {}, false, [100]],
	['is short, for a service that refuses each limit', 9, {}, true, [0]],
	['may be full', 10, {}, false, [100, 100]],
	['is counted', 40, { maxpage: 1, result: 40, perpage: 100 }, false, [100]],
	['is counted, without perpage', 40, { maxpage: 1, result: 40 }, false, [100]],
	['is counted, without a limit', 12, { maxpage: 1, result: 12 }, true, [0]],
	['is counted, but full', 40, { maxpage: 1, result: 40, perpage: 40 }, false, [100, 100]],
	['is full', 100, { maxpage: 1, result: 100 }, false, [100, 100]],
	['is counted as shorter', 40, { maxpage: 1, result: 39 }, false, [100, 100]],
	['is the last', 40, { maxpage: 1 }, false, [100, 100]],
	['is missing some', 40, { maxpage: 1, result: 50 }, false, [100, 100, 100, 100]],
])(
	'a page that %s (%i records, %j) is read with the right requests',
	async (_what, count, numbers, refuses, limits) => {
		expect(await limitsFor(count, numbers, refuses)).toEqual([count, limits]);
	},
);

test('pages that are as long as the others may be full, although the count ends there', async () => {
	const server = new ListServer({ ...PLAIN, cap: 25, perPage: 'echoed', isCached: true });
	server.create(50);
	server.answer(1, 100);
	const made = server.create(5);
	expect(await walkOver(server).finish()).toEqual(expect.arrayContaining(made));
});

test('a list that gains a record while its end is in doubt says how many it lacks', async () => {
	const pages = [of(1, 2), of(), of(), of(7, 1)].map((page) => ({ ...page, result: 5 }));
	const walk = new ListWalk(
		async () => await Promise.resolve(pageIn(pages.shift() ?? {}, 'urls')),
		{ limit: 2 },
	);
	expect(idsIn(await walk.next())).toEqual([1, 2]);
	expect(idsIn(await walk.next())).toEqual([7]);
	await expect(walk.next()).rejects.toThrow('The list ended after 2 of 5 records');
});

const idsIn = (records: IDataObject[] | undefined) => records?.map(({ id }) => id);

describe('A walk that goes on where another one stopped', () => {
	const place = { page: 2, limit: 2, longest: 2, count: 2, isExpected: false, isBehindEnd: false };
	/** Walks over the rest of a list, page by page. */
	const rest = (...pages: Array<IDataObject | Error>) => {
		const asked: unknown[] = [];
		const requestPage: RequestPage = async (number, limit) => {
			asked.push([number, limit]);
			const page = pages[asked.length - 1] ?? of();
			if (page instanceof Error) throw page;
			return await Promise.resolve(pageIn(page, 'urls'));
		};
		return { asked, requestPage };
	};

	test.each<
		[
			string,
			Partial<typeof place>,
			isKnown: boolean,
			Array<IDataObject | Error>,
			outcome: unknown,
			requests: number,
		]
	>([
		['reads on', {}, false, [of(3)], [3], 1],
		['takes a refused page for the end', {}, false, [refused], undefined, 1],
		['but not one that was read before', {}, true, [refused], 'No such page', 1],
		['reads an empty page again if it was read before', {}, true, [of(), of(3)], [3], 2],
		['or if it is expected', { isExpected: true }, false, [of(), of(3)], [3], 2],
		['and else not', {}, false, [of(), of(3)], undefined, 1],
		[
			'takes a failing page behind the end for the end',
			{ isBehindEnd: true },
			false,
			[failing],
			undefined,
			1,
		],
		['but not one before it', {}, false, [failing], 'Odd', 1],
	])('%s (%j)', async (_what, changes, isKnown, pages, outcome, requests) => {
		const { asked, requestPage } = rest(...pages);
		const walk = new ListWalk(requestPage, { from: { ...place, ...changes }, isKnown });
		const found = await walk.next().then(idsIn, (error: unknown) => (error as Error).message);
		expect([found, asked]).toEqual([outcome, Array(requests).fill([2, 2])]);
	});

	test('does not look for what it does not know to be missing', async () => {
		const { asked, requestPage } = rest({ ...of(3), result: 9 });
		const walk = new ListWalk(requestPage, { from: place });
		expect([idsIn(await walk.next()), idsIn(await walk.next())]).toEqual([[3], undefined]);
		expect(asked).toEqual([
			[2, 2],
			[3, 2],
		]);
	});

	test('begins at a place that was stored whole', () => {
		expect(placeIn({ ...place, other: 1 })).toEqual(place);
		expect(placeIn({ ...place, isExpected: true, isBehindEnd: true })).toMatchObject({
			isExpected: true,
			isBehindEnd: true,
		});
		expect(placeIn({ ...place, isExpected: 1, isBehindEnd: 'x' })).toEqual(place);
		for (const member of ['page', 'limit', 'longest', 'count']) {
			expect(placeIn({ ...place, [member]: undefined })).toBeUndefined();
			expect(placeIn({ ...place, [member]: 'x' })).toBeUndefined();
		}
		expect(placeIn('x')).toBeUndefined();
	});

	test('has a place only after its first page, until the end', async () => {
		const { requestPage } = rest({ ...of(1, 2), result: 6 });
		const walk = new ListWalk(requestPage, { limit: 2 });
		expect([walk.place, walk.pagesLeft]).toEqual([undefined, 0]);
		await walk.next();
		expect([walk.place, walk.pagesLeft]).toEqual([{ ...place, isExpected: true }, 2]);
		await walk.next();
		expect(walk.place).toBeUndefined();
	});
});

test('a page behind the end may fail where only the number of pages is known', async () => {
	const server = new ListServer({ ...PLAIN, total: 'missing' });
	server.create(100);
	const walk = walkOver(server, () => {
		if (server.requests === 1) throw new Failure({ kind: 'serverError', message: 'Offset' });
	});
	expect(await walk.finish()).toHaveLength(100);
});
