import type { IDataObject } from 'n8n-workflow';

import { LIST_EVENTS } from '../../../../dist/nodes/LinkManagement/trigger/events.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';
import type { ListDialect } from '../../helpers/listServer.ts';
import { ListServer, PLAIN, webPage } from '../../helpers/listServer.ts';
import { ListTrigger } from '../../helpers/listTrigger.ts';
import { Random } from '../../helpers/random.ts';
import { VirtualTime } from '../../helpers/virtualTime.ts';

/** What a trigger for new records does after an accident: it must not stay. */

const SPARSE: Partial<ListDialect> = { perPage: 'missing', maxPage: 'missing', total: 'missing' };

/** A trigger that has noted all records of a list. */
async function activated(count: number, dialect: Partial<ListDialect> = {}) {
	const server = new ListServer({ ...PLAIN, ...dialect });
	server.create(count);
	const time = new VirtualTime();
	const trigger = new ListTrigger(server, 'linkCreated', time);
	await trigger.polls(2);
	return { server, trigger, time };
}

const ORDERS = ['newestFirst', 'oldestFirst'] as const;

const IDLE = Array.from({ length: 20 }, () => 1);

describe.each([352, 4940])('an import of 60 links with one date into %i links', (count) => {
	test('is read whole at first, and then costs one request', async () => {
		const { server, trigger } = await activated(count, { by: 'date', ties: 'against' });
		const imported = server.create(60);
		for (const entry of server.entries.slice(-60)) entry.second = server.made;
		const pages = Math.ceil((count + 60) / 100);
		const perReading = Math.ceil(pages / 19);
		const first = await trigger.polls(3 * perReading);
		expect(first.ids.toSorted((a, b) => a - b)).toEqual(imported);
		const { requests } = await trigger.polls(9);
		expect(requests).toEqual(Array.from({ length: 9 }, () => 1));
		// Every tenth poll reads the list.
		const tenth = await trigger.polls(perReading);
		expect(tenth.requests.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(
			pages + 2 * perReading,
		);
		// Until newer links make the newest page one in the order of creation.
		const made = server.create(70);
		const next = await trigger.polls(3 * perReading);
		expect(next.ids.toSorted((a, b) => a - b)).toEqual(made);
		expect((await trigger.polls(20)).requests).toEqual(IDLE);
	});
});

/** Links in seconds of so many, listed from the newest second, but within it from the oldest link; and a new trigger for them. */
async function importedIn(seconds: number[], cap: number) {
	const server = new ListServer({ ...PLAIN, by: 'date', ties: 'against', cap });
	for (const count of seconds) {
		server.create(count);
		for (const entry of server.entries.slice(-count)) entry.second = server.made;
	}
	server.create(0);
	const trigger = new ListTrigger(server);
	await trigger.polls(2);
	return { server, trigger };
}

describe.each([
	[[150], 100],
	[[1050], 100],
	[[99], 50],
	[[120, 95], 50],
])('a list of which links have the same dates (%j), with at most %i a page', (seconds, cap) => {
	test.each([1, 3, 60, 250])('gives each of %i new links', async (count) => {
		const { server, trigger } = await importedIn(seconds, cap);
		expect((await trigger.polls(12)).ids).toEqual([]);
		const made = server.create(count);
		const { ids } = await trigger.polls(5);
		expect(ids.toSorted((a, b) => a - b)).toEqual(made);
		const next = server.create(1);
		expect((await trigger.polls(3)).ids).toEqual(next);
	});
});

test.each([
	['once', 101, [120], {}],
	['twice, although `limit` is ignored', 250, [95, 300], { limit: 'ignored', cap: 25 }],
] as const)(
	'an import with one date that fills the newest page %s costs one request after five polls',
	async (_how, count, imports, given) => {
		const { server, trigger } = await activated(count, { by: 'date', ties: 'against', ...given });
		for (const size of imports) {
			const imported = server.create(size);
			for (const entry of server.entries.slice(-size)) entry.second = server.made;
			server.create(0);
			const { ids } = await trigger.polls(6);
			expect(ids.toSorted((a, b) => a - b)).toEqual(imported);
		}
		expect((await trigger.polls(5)).requests).toEqual(IDLE.slice(0, 5));
	},
);

test.each(['right', 'ofPage'] as const)(
	'an import that several polls read hides no link that is made meanwhile, with a count that is %s',
	async (total) => {
		const numbers = total === 'ofPage' ? { ...SPARSE, total } : {};
		const dialect = { by: 'date', ties: 'against', cap: 15, beyond: 'refused' } as const;
		const { server, trigger } = await activated(300, { ...dialect, ...numbers });
		const made: number[] = [];
		const imported = (size: number): void => {
			made.push(...server.create(size));
			for (const entry of server.entries.slice(-size)) entry.second = server.made;
			server.create(0);
		};
		imported(341);
		const { ids } = await trigger.polls(1);
		made.push(...server.create(1));
		ids.push(...(await trigger.polls(2)).ids);
		imported(150);
		ids.push(...(await trigger.polls(12)).ids);
		expect(ids.toSorted((a, b) => a - b)).toEqual(made);
	},
);

describe.each([95, 150, 330])('a list of %i links that was in the opposite order', (count) => {
	test.each([{}, SPARSE])('is as before after five polls, with %j', async (numbers) => {
		const { server, trigger } = await activated(count, numbers);
		server.dialect.order = 'oldestFirst';
		const before = server.create(1);
		expect((await trigger.polls(3)).ids).toEqual(before);
		server.dialect.order = 'newestFirst';
		server.create(0);
		expect((await trigger.polls(5)).ids).toEqual([]);
		for (const more of [1, 20]) {
			const made = server.create(more);
			const { ids, requests } = await trigger.polls(2);
			expect(ids).toEqual(made);
			// That a list has one page shows on the next one, if it has no numbers; and the first time that it has two, their order.
			expect(Math.max(...requests)).toBeLessThanOrEqual(count === 95 ? 2 : 1);
		}
	});
});

describe.each(ORDERS)('a list that is %s', (order) => {
	test.each([0, 3, 40])('with one page in another order, and %i new links', async (count) => {
		const { server, trigger } = await activated(412, { order });
		const made = server.create(count);
		let isOdd = true;
		server.accident = (urls) => {
			const shown = isOdd ? urls.toSorted((a, b) => mixed(a) - mixed(b)) : urls;
			isOdd = false;
			return shown;
		};
		expect((await trigger.polls(5)).ids).toEqual(made);
		const { requests } = await trigger.polls(20);
		// If the list is read whole, it is read as before after ten polls at most.
		expect(requests.filter((each) => each > 1).length).toBeLessThanOrEqual(1);
		expect(Math.max(...requests)).toBeLessThanOrEqual(2);
	});

	test.each(['refused', 'failing'] as const)(
		'shrinks, and pages behind its end are %s',
		async (beyond) => {
			for (const numbers of [{}, SPARSE]) {
				const { server, trigger } = await activated(900, { order, beyond, ...numbers });
				const backlog = server.create(500);
				for (let gone = 0; gone < 700; gone += 1) server.delete(0.4);
				const left = server.entries.map(({ id }) => id).filter((id) => id >= (backlog[0] ?? 0));
				const { ids, failures } = await trigger.polls(5);
				expect([ids, failures]).toEqual([left, 0]);
				const made = server.create(3);
				const next = await trigger.polls(10);
				expect([next.ids, next.failures]).toEqual([made, 0]);
			}
		},
	);

	test('shrinks while it is read whole, and pages behind its end fail', async () => {
		const server = new ListServer({ ...PLAIN, order, by: 'name', beyond: 'failing' });
		server.create(2500);
		const trigger = new ListTrigger(server, 'campaignCreated');
		await trigger.poll();
		for (let gone = 0; gone < 1510; gone += 1) server.delete(0.5);
		expect((await trigger.polls(4)).failures).toBe(0);
		const made = server.create(2);
		expect((await trigger.polls(4)).ids).toEqual(made);
	});

	test.each<[string, () => Failure]>([
		['one status 500', webPageOf(500)],
		['a status of 502', () => new Failure({ kind: 'unavailable', httpCode: 502, message: 'Down' })],
		['no response', () => new Failure({ kind: 'unreachable', message: 'Closed' })],
	])('is read with 100 a page again after %s', async (_what, failure) => {
		const { server, trigger } = await activated(1010, { order });
		const other = new ListTrigger(server);
		other.state = trigger.state;
		server.accident = (urls, { limit }) => {
			if (limit > 25) throw failure();
			return urls;
		};
		const limit = trigger.state?.limit;
		await trigger.polls(3);
		expect(trigger.state?.limit).toBe(limit);
		server.accident = undefined;
		const made = server.create(500);
		for (const each of [trigger, other]) {
			const { ids, requests } = await each.polls(2);
			expect(ids).toEqual(made);
			expect(requests[0]).toBeLessThanOrEqual(8);
			expect(requests[1]).toBe(1);
		}
	});

	test.each([1, 2, 3, 4])('gives all of its links although %i requests fail', async (count) => {
		for (const cap of [10, 25, 100]) {
			const { server, trigger } = await activated(30, { order, cap });
			const made = server.create(60);
			let left = count;
			server.accident = (urls) => {
				left -= 1;
				if (left >= 0) throw new Failure({ kind: 'unavailable', httpCode: 502, message: 'Down' });
				return urls;
			};
			const { ids } = await trigger.polls(8);
			expect(ids.toSorted((a, b) => a - b)).toEqual(made);
		}
	});

	test('whose pages are capped lower gives all of its links, also without numbers', async () => {
		for (const numbers of [{}, SPARSE]) {
			const { server, trigger } = await activated(300, { order, ...numbers });
			server.dialect.cap = 25;
			const made = server.create(1200);
			expect((await trigger.polls(10)).ids.toSorted((a, b) => a - b)).toEqual(made);
			server.dialect.cap = 100;
			const more = server.create(1200);
			expect((await trigger.polls(10)).ids.toSorted((a, b) => a - b)).toEqual(more);
		}
	});

	test('is tried afresh after a day, and after the clock was set back', async () => {
		const { server, trigger, time } = await activated(1010, { order, cap: 25 });
		for (const [cap, pass] of [
			[100, 86_400_000],
			[25, 1],
			[100, -5000],
		] as const) {
			server.dialect.cap = cap;
			time.wallClockError += pass;
			await trigger.poll();
			const made = server.create(500);
			const { ids, requests } = await trigger.polls(5);
			expect(ids.toSorted((a, b) => a - b)).toEqual(made);
			const sum = requests.reduce((all, each) => all + each, 0);
			if (cap === 100) expect(sum).toBeLessThanOrEqual(12);
		}
	});
});

const mixed = ({ id }: IDataObject): number => (Number(id) * 7919) % 1009;

function webPageOf(httpCode: number): () => Failure {
	return () => webPage().with({ httpCode });
}

test('a page that fails in three polls ends no reading if maxpage says that it is there', async () => {
	const { server, trigger } = await activated(11, { total: 'ofPage' });
	const made = server.create(102);
	const given: number[] = [];
	for (const added of [0, 160, 0]) {
		made.push(...server.create(added));
		const before = server.requests;
		server.accident = (urls) => {
			if (server.requests - before >= 3) throw webPageOf(500)();
			return urls;
		};
		given.push(...(await trigger.poll()).ids);
	}
	server.accident = undefined;
	given.push(...(await trigger.polls(12)).ids);
	expect(given.toSorted((a, b) => a - b)).toEqual(made);
});

test.each([0, 5, 20, 52, 80])(
	'a backlog before records that an earlier poll gave is read to its end, although %i others are deleted amid it',
	async (gone) => {
		const { server, trigger } = await activated(60, { cap: 12, stride: 7 });
		const made = server.create(40);
		// The poll ends at an empty page, so it gives only the first records.
		server.accident = (urls, { page }) => (page === 1 ? urls : []);
		const { ids: given } = await trigger.poll();
		server.accident = undefined;
		made.push(...server.create(291));
		given.push(...(await trigger.polls(2)).ids);
		for (let deleted = 0; deleted < gone; deleted += 1) server.delete(0.9);
		made.push(...server.create(30));
		given.push(...(await trigger.polls(6)).ids);
		const left = new Set(server.entries.map(({ id }) => id));
		const rising = given.filter((id) => left.has(id)).toSorted((a, b) => a - b);
		expect(rising).toEqual(made.filter((id) => left.has(id)));
	},
);

test('a count that is much too high once costs nothing later, although pages do not say their numbers', async () => {
	const { server, trigger } = await activated(55, {
		order: 'oldestFirst',
		cap: 15,
		beyond: 'last',
		currentPage: 'missing',
	});
	const made = server.create(16);
	const respond = server.respond.bind(server);
	server.respond = (request) => {
		const response = respond(request);
		Object.assign(response.body.data as IDataObject, { result: 100_000, maxpage: 6667 });
		return response;
	};
	const { ids: given } = await trigger.poll();
	server.respond = respond;
	given.push(...(await trigger.polls(3)).ids);
	expect(given.toSorted((a, b) => a - b)).toEqual(made);
	for (const requests of (await trigger.polls(5)).requests) expect(requests).toBeLessThan(3);
});

test('a list that is empty in some polls loses nothing of a backlog', async () => {
	const { server, trigger } = await activated(5, { cap: 10, total: 'missing' });
	const made = server.create(170);
	const { ids: given } = await trigger.poll();
	for (const kept of [1, 0, 0]) {
		server.accident = (urls, { page }) => (page <= kept ? urls : []);
		given.push(...(await trigger.poll()).ids);
	}
	server.accident = undefined;
	given.push(...(await trigger.polls(4)).ids);
	expect(given.toSorted((a, b) => a - b)).toEqual(made);
	expect((await trigger.polls(5)).requests).toEqual([1, 1, 1, 1, 1]);
});

test('a backlog goes on in the next poll although the list has become shorter than what was read of it', async () => {
	const { server, trigger } = await activated(5, { cap: 10, total: 'ofPage' });
	const made = server.create(170);
	const { ids: given } = await trigger.poll();
	for (let deleted = 0; deleted < 60; deleted += 1) server.delete(0.7);
	made.push(...server.create(1));
	given.push(...(await trigger.poll()).ids);
	const left = new Set(server.entries.map(({ id }) => id));
	const rising = given.filter((id) => left.has(id)).toSorted((a, b) => a - b);
	expect(rising).toEqual(made.filter((id) => left.has(id)));
});

test.each(ORDERS)(
	'a list with more records on a page than were asked for costs one request: %s',
	async (order) => {
		const { server, trigger } = await activated(300, { order, limit: 'ignored', cap: 150 });
		const made = server.create(50);
		expect((await trigger.polls(3)).ids).toEqual(made);
		expect((await trigger.polls(20)).requests).toEqual(IDLE);
	},
);

test.each(ORDERS)(
	'one ID that is much too high hides new links for a day at most: %s',
	async (order) => {
		const { server, trigger, time } = await activated(250, { order });
		const isLastPage = (urls: IDataObject[]) => urls.some(({ id }) => id === 250);
		server.accident = (urls) => (isLastPage(urls) ? [...urls.slice(1), { id: 1e9 }] : urls);
		expect((await trigger.polls(3)).ids).toEqual([1e9]);
		server.accident = undefined;
		await trigger.poll();
		time.wallClockError += 86_400_000;
		expect((await trigger.polls(2)).ids).toEqual([]);
		const made = server.create(3);
		expect((await trigger.polls(2)).ids).toEqual(made);
	},
);

describe('a list that is in no order', () => {
	test.each([50, 250])(
		'of %i records is silenced for a day at most by an ID that is much too high',
		async (count) => {
			const server = new ListServer({ ...PLAIN, by: 'name' });
			server.create(count);
			const time = new VirtualTime();
			const trigger = new ListTrigger(server, 'campaignCreated', time);
			await trigger.polls(3);
			server.accident = (records) => [...records.slice(1), { id: 1e9 }];
			expect((await trigger.polls(3)).ids).toEqual([1e9]);
			server.accident = undefined;
			await trigger.poll();
			time.wallClockError += 86_400_000;
			expect((await trigger.polls(10)).ids).toEqual([]);
			const made = server.create(3);
			expect((await trigger.polls(3)).ids).toEqual(made);
		},
	);

	test('costs one request while its first page and its count are as before, and is read in every tenth poll', async () => {
		const server = new ListServer({ ...PLAIN, by: 'name' });
		server.create(450);
		const trigger = new ListTrigger(server, 'campaignCreated');
		const { requests } = await trigger.polls(21);
		expect(requests).toEqual([5, ...IDLE.slice(0, 9), 5, ...IDLE.slice(0, 9), 5]);
		const made = server.create(1);
		expect((await trigger.polls(3)).ids).toEqual(made);
	});

	test('gives a new record in ten polls although the count is as before', async () => {
		const server = new ListServer({ ...PLAIN, by: 'name' });
		server.create(450);
		const trigger = new ListTrigger(server, 'campaignCreated');
		await trigger.polls(3);
		const made = server.create(1);
		server.delete(0);
		expect((await trigger.polls(10)).ids).toEqual(made);
	});

	/** The events that may be `isSorted`, and why. Services may list all other records by their names. */
	const SORTED: Record<string, string> = {
		linkCreated: 'links are asked for by date',
		qrCodeCreated: 'QR codes have a date, and the API takes no name for them',
	};
	const unsorted = Object.keys(LIST_EVENTS).filter((event) => !(event in SORTED));

	test('is each without a reason to be in order', () => {
		const hasty = unsorted.filter((event) => LIST_EVENTS[event]?.isSorted);
		const problem =
			'is isSorted without a reason: it misses records if a service lists them by name';
		expect(hasty.map((event) => `${event} ${problem}`)).toEqual([]);
	});

	test.each(unsorted)(
		'%s comes although it is listed among old ones, and the first page is in the order of creation',
		async (event) => {
			const server = new ListServer({ ...PLAIN, by: 'name', cap: 25 });
			server.create(150);
			for (const [at, entry] of server.entries.entries()) entry.name = -at;
			server.create(0);
			const trigger = new ListTrigger(server, event);
			await trigger.polls(2);
			const made = server.create(2);
			for (const entry of server.entries.slice(-2)) entry.name = -10.5;
			server.create(0);
			expect((await trigger.polls(2)).ids).toEqual(made);
		},
	);
});

test.each([
	['missing', 'empty'],
	['missing', 'failing'],
	['ofPage', 'empty'],
] as const)(
	'a `limit` that is ignored once costs nothing later if `result` is %s and pages behind the end are %s',
	async (total, beyond) => {
		for (const count of [110, 125, 330]) {
			const { server, trigger } = await activated(count, {
				order: 'oldestFirst',
				cap: 25,
				total,
				beyond,
			});
			await trigger.polls(3);
			server.dialect.limit = 'ignored';
			await trigger.poll();
			server.dialect.limit = 'obeyed';
			await trigger.polls(5);
			const { requests, failures } = await trigger.polls(20);
			expect([requests, failures]).toEqual([IDLE, 0]);
		}
	},
);

test('a backlog comes whole, also where all sizes of pages end at the place that a poll got to', async () => {
	const { server, trigger } = await activated(1, { cap: 10 });
	const made = server.create(2600);
	const { ids } = await trigger.polls(40);
	expect(ids.toSorted((a, b) => a - b)).toEqual(made);
});

test('a page that fails once hides nothing, although no number of records promises it', async () => {
	for (const order of ORDERS) {
		const { server, trigger } = await activated(101, { order, cap: 50, total: 'missing' });
		const made = server.create(120);
		let requests = 0;
		server.accident = (urls) => {
			requests += 1;
			if (requests === (order === 'newestFirst' ? 2 : 3)) throw webPage();
			return urls;
		};
		const { ids } = await trigger.polls(5);
		expect(ids.toSorted((a, b) => a - b)).toEqual(made);
	}
});

test('a page behind the end that is a web page of another status fails no poll', async () => {
	const server = new ListServer({ ...PLAIN, order: 'oldestFirst' });
	server.create(10);
	server.accident = (urls, { page }) => {
		if (page > 1) throw webPage().with({ httpCode: 404 });
		return urls;
	};
	const trigger = new ListTrigger(server);
	await trigger.polls(2);
	const made = server.create(1);
	expect(await trigger.polls(3)).toMatchObject({ ids: made, failures: 0 });
});

test.each(ORDERS)(
	'where every poll finds more than a page, polls stay short, also if `limit` is ignored: %s',
	async (order) => {
		for (const limit of ['obeyed', 'ignored'] as const) {
			const random = new Random(7);
			const { server, trigger } = await activated(600, { order, limit, cap: 15 });
			const made: number[] = [];
			const given: number[] = [];
			for (let polls = 0; polls < 80; polls += 1) {
				made.push(...server.create(20));
				if (random.is(0.5)) server.delete(random.next() * 0.8);
				const { ids, requests } = await trigger.poll();
				given.push(...ids);
				expect(requests).toBeLessThanOrEqual(9);
				expect((trigger.state?.seen as unknown[]).length).toBeLessThanOrEqual(60);
			}
			const left = new Set(server.entries.map(({ id }) => id));
			expect(given.filter((id) => left.has(id))).toEqual(made.filter((id) => left.has(id)));
		}
	},
);
