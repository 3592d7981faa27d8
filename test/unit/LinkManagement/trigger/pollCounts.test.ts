import type { IDataObject } from 'n8n-workflow';

import type { CountEvent } from '../../../../dist/nodes/LinkManagement/trigger/countEvents.js';
import {
	channelItems,
	linkClicks,
	linkMilestones,
	qrCodeMilestones,
} from '../../../../dist/nodes/LinkManagement/trigger/countEvents.js';
import { milestonesIn } from '../../../../dist/nodes/LinkManagement/trigger/milestones.js';
import { pollPicked } from '../../../../dist/nodes/LinkManagement/trigger/pickedRecords.js';
import { countKey, SeenCounts } from '../../../../dist/nodes/LinkManagement/trigger/seenCounts.js';
import type { PollResult } from '../../../../dist/nodes/shared/triggers/pollState.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';
import type { ListDialect } from '../../helpers/listServer.ts';
import { ListServer, PLAIN, pollOf } from '../../helpers/listServer.ts';

/** Counts of lists of many pages, which change between any two requests. */

interface Setting {
	server: ListServer;
	event: CountEvent;
	parameters: IDataObject;
	countOf: (id: number) => unknown;
	isTest?: boolean;
	/** Runs before each request; the first of a poll is 1. */
	before?: (request: number) => void;
}

/** A poll as if n8n had been started again before it: nothing is known of the service but what the state holds. */
async function poll(
	{ server, event, parameters, countOf, isTest = false, before }: Setting,
	state: IDataObject | undefined,
): Promise<PollResult> {
	const respond: Parameters<typeof pollOf>[0] = (request, number) => {
		before?.(number);
		const response = server.respond(request);
		const { urls, ...numbers } = response.body.data as { urls: IDataObject[] };
		const list = urls.map((entry) => {
			const count = countOf(Number(entry.id));
			return { ...entry, type: 'links', clicks: count, scans: count };
		});
		return { error: '0', data: { ...numbers, urls: list, qrs: list, items: list } };
	};
	const parameter = (name: string) => parameters[name];
	const result = await pollPicked(pollOf(respond, { state, isTest, parameter }), event);
	return { ...result, state: JSON.parse(JSON.stringify(result.state ?? {})) as IDataObject };
}

/** Polls that follow; gives the ids of what they returned. */
async function polls(setting: Setting, count: number, from?: IDataObject) {
	const given: number[] = [];
	let state = from;
	for (let done = 0; done < count; done += 1) {
		const result = await poll(setting, state);
		given.push(...result.records.map(({ id }) => Number(id)));
		state = result.state;
	}
	return { given, state };
}

/** Polls while the list is empty, and three when it is back. */
async function pollsWhileEmpty(setting: Setting, count: number, from?: IDataObject) {
	const { server } = setting;
	const { entries } = server;
	server.entries = [];
	server.create(0);
	const empty = await polls(setting, count, from);
	server.entries = entries;
	server.create(0);
	const back = await polls(setting, 3, empty.state);
	return { given: [...empty.given, ...back.given], state: back.state };
}

const CHANNEL = { event: channelItems, parameters: { channelId: 7 }, countOf: () => 1 };
const MILESTONES = { milestones: '1, 2000' };
const DEEP = 100;

test('a `limit` that the service refuses is not sent again for a day', async () => {
	const server = new ListServer({ ...PLAIN, limit: 'refused', cap: 50 });
	server.create(120);
	const setting = { server, event: linkClicks, parameters: {}, countOf: () => 1 };
	const { state } = await polls(setting, 1);
	server.requests = 0;
	const later = await polls(setting, 3, state);
	expect(server.requests).toBe(9);
	await poll(setting, { ...later.state, since: 0 });
	expect(server.requests).toBe(14);
});

test('a `limit` that was refused once is no refused one', async () => {
	const server = new ListServer(PLAIN);
	server.create(350);
	const setting = { server, event: linkClicks, parameters: {}, countOf: () => 1 };
	const { state } = await polls(setting, 1);
	server.requests = 0;
	let isFirst = true;
	server.accident = (urls) => {
		if (!isFirst) return urls;
		isFirst = false;
		throw new Failure({ kind: 'refused', message: 'Something failed' });
	};
	const later = await poll(setting, state);
	expect(server.requests).toBe(5);
	await poll(setting, later.state);
	expect(server.requests).toBe(9);
});

describe.each(['newestFirst', 'oldestFirst'] as const)('a list that is %s', (order) => {
	test.each(['obeyed', 'ignored', 'refused'] as const)(
		'is read to its end over polls, and only noted, where a page has 50 records and `limit` is %s',
		async (limit) => {
			const server = new ListServer({ ...PLAIN, order, limit, cap: 50 });
			server.create(1500);
			let clicksOfDeep = 1;
			const countOf = (id: number) => (id === DEEP ? clicksOfDeep : id);
			const setting = { server, event: linkMilestones, parameters: MILESTONES, countOf };
			const { given, state } = await polls(setting, 4);
			expect(given).toEqual([]);
			clicksOfDeep = 2000;
			expect((await polls(setting, 2, state)).given).toEqual([DEEP]);
		},
	);

	test.each([
		[205, 1],
		[500, 1],
		[205, 25],
		[230, 13],
		[30, 12],
	])('%d items, of which each change removes %d, are only noted', async (made, gone) => {
		for (const changes of ['pages', 'polls', 'both']) {
			const server = new ListServer({ ...PLAIN, order, cap: 10 });
			server.create(made);
			let left = 60;
			const change = () => {
				if (server.requests % 7 > 3) return;
				for (let at = 0; at < gone && left > 0; at += 1, left -= 1) {
					server.delete(order === 'newestFirst' ? 0.999 : 0);
				}
			};
			const before = (request: number) => {
				if (request > 1 ? changes !== 'polls' : changes !== 'pages') change();
			};
			const setting = { ...CHANNEL, server, before };
			const { given, state } = await polls(setting, 9);
			expect([changes, given]).toEqual([changes, []]);
			const fresh = server.create(2);
			left = 0;
			const { given: news } = await polls(setting, 6, state);
			expect(news.toSorted((a, b) => a - b)).toEqual(fresh);
		}
	});
});

test.each([null, undefined, '1,234', -1])(
	'a count of %j is left as it was, and fails the poll if no count can be read',
	async (odd) => {
		const server = new ListServer(PLAIN);
		server.create(2);
		let counts: unknown[] = [];
		const countOf = (id: number) => counts[id - 1];
		const setting = { server, event: linkClicks, parameters: {}, countOf };
		let state: IDataObject | undefined;
		const news = async (...shown: unknown[]) => {
			counts = shown;
			const result = await poll(setting, state);
			state = result.state;
			return result.records.map(({ id, new_clicks }) => [id, new_clicks]);
		};
		const given = [await news(odd, 5000), await news(5000, odd), await news(5001, 5002)];
		expect(given).toEqual([
			[],
			[],
			[
				[2, 2],
				[1, 1],
			],
		]);
		server.create(1);
		expect(await news(5001, 5002, odd)).toEqual([]);
		expect(await news(5001, 5002, 4)).toEqual([[3, 4]]);
		await expect(news(odd, odd, odd)).rejects.toMatchObject({
			kind: 'unreadable',
			message: 'The response has no readable count',
			advice: 'A count must be a whole number',
		});
	},
);

test.each([
	[linkClicks, {}],
	[linkMilestones, { milestones: '10, 100' }],
] as const)(
	'a list that is empty for some polls brings no clicks that nobody made: %#',
	async (event, parameters) => {
		const server = new ListServer({ ...PLAIN, cap: 50 });
		server.create(120);
		let clicks = 400;
		const setting = { server, event, parameters, countOf: () => clicks };
		const { state } = await polls(setting, 2);
		const back = await pollsWhileEmpty(setting, 5, state);
		expect(back.given).toEqual([]);
		clicks = 1000;
		const more = await polls(setting, 3, back.state);
		expect(new Set(more.given).size).toBe(event === linkClicks ? 120 : 0);
		const [made = 0] = server.create(1);
		const fresh = await polls(setting, 3, more.state);
		expect(fresh.given).toEqual([made]);
	},
);

/** 60 records on 6 pages. */
const COUNTS: Record<string, (id: number) => number> = {
	'is upwards': (id) => id - 1,
	'has the same low count on all pages': () => 0,
	'is in no order': (id) => (id * 7) % 40,
	'has higher counts in the middle': (id) => (id > 28 && id < 32 ? 20 : 0),
	'is downwards': (id) => 60 - id,
	'is upwards, in steps': (id) => Math.floor(id / 24),
};

describe.each(['right', 'missing', 'tooHigh'] as const)('where maxpage is %s', (maxPage) => {
	test.each(Object.entries(COUNTS))('a list that %s shows each milestone', async (_, countOf) => {
		for (const total of ['right', 'missing'] as const) {
			for (const target of [3, 24, 30, 59]) {
				const server = new ListServer({ ...PLAIN, order: 'oldestFirst', cap: 10, maxPage, total });
				server.create(60);
				let clicked = 0;
				const parameters = { milestones: '50, 5000' };
				const counts = (id: number) => (id === clicked ? 6000 : countOf(id));
				const setting = { server, event: linkMilestones, parameters, countOf: counts };
				const noted = await polls(setting, 3);
				expect(noted.given).toEqual([]);
				clicked = target;
				expect([total, (await polls(setting, 9, noted.state)).given]).toEqual([total, [target]]);
			}
		}
	});
});

/** The last of a list of 300 that is by name. */
const LAST = 277;

test.each<[string, Partial<ListDialect>, (id: number) => number]>([
	['falling counts by chance', { by: 'id' }, (id) => (id === 300 ? 5 : 0)],
	['equal counts in no order', { by: 'name' }, () => 0],
	['counts in no order', { by: 'name' }, (id) => id % 7],
])('a list with %s is read whole', async (_name, dialect, countOf) => {
	const server = new ListServer({ ...PLAIN, ...dialect, order: 'oldestFirst', cap: 50 });
	server.create(300);
	let clicked = 0;
	const setting = {
		server,
		event: linkMilestones,
		parameters: { milestones: '50' },
		countOf: (id: number) => (id === LAST ? clicked : countOf(id)),
	};
	const { state } = await polls(setting, 2);
	clicked = 60;
	expect((await polls(setting, 1, state)).given).toEqual([LAST]);
});

test('a list that is by counts is read down to the lowest milestone, and the rest is not forgotten', async () => {
	const server = new ListServer({ ...PLAIN, by: 'name', cap: 10 });
	server.create(60);
	const byName = server.entries.toSorted((a, b) => a.name - b.name);
	let deep = 0;
	const countOf = (id: number) =>
		deep > 0 && id === byName[45]?.id ? deep : 99 - byName.findIndex((entry) => entry.id === id);
	const setting = { server, event: linkMilestones, parameters: { milestones: '80, 200' }, countOf };
	let { state } = await poll(setting, undefined);
	for (let done = 0; done < 5; done += 1) {
		server.requests = 0;
		({ state } = await poll(setting, state));
		// The 20 records with 99 to 80, and the next page, because the last one of a page has 80 itself.
		expect(server.requests).toBe(3);
	}
	deep = 200;
	Object.assign(byName[45] ?? {}, { name: -1 });
	server.create(0);
	expect((await poll(setting, state)).records).toMatchObject([
		{ milestone: 200, clicks_before: 54 },
	]);
});

test('a link that was not read since the list was empty reaches its milestone', async () => {
	const server = new ListServer({ ...PLAIN, by: 'name', cap: 10 });
	server.create(60);
	const [top, , , ...others] = server.entries.toSorted((a, b) => a.name - b.name);
	const low = others[40];
	let clicks = 0;
	const countOf = (id: number) => (id === top?.id ? 500 : id === low?.id ? clicks : 0);
	const setting = {
		server,
		event: linkMilestones,
		parameters: { milestones: '10, 1000' },
		countOf,
	};
	const { state } = await polls(setting, 2);
	const back = await pollsWhileEmpty(setting, 4, state);
	clicks = 12;
	Object.assign(low ?? {}, { name: (top?.name ?? 0) + 0.5 });
	server.create(0);
	const { given } = await polls(setting, 1, back.state);
	expect([back.given, given]).toEqual([[], [low?.id]]);
});

test('a new link that one reading misses is new in the next one, although another link was forgotten', async () => {
	const server = new ListServer(PLAIN);
	server.create(30);
	const setting = { server, event: linkClicks, parameters: {}, countOf: () => 5 };
	const { state } = await polls(setting, 1);
	server.delete(0.2);
	const quiet = await polls(setting, 2, state);
	const made = server.create(2);
	server.accident = (urls) => urls.filter(({ id }) => id !== made[0]);
	const third = await polls(setting, 1, quiet.state);
	server.accident = undefined;
	const { given } = await polls(setting, 1, third.state);
	expect([third.given, given]).toEqual([[made[1]], [made[0]]]);
});

test.each(['first', 'later'])(
	'a much too high ID in a %s reading keeps no link from being new once it is forgotten',
	async (when) => {
		const server = new ListServer({ ...PLAIN, cap: 10 });
		server.create(30);
		const setting = { server, event: linkClicks, parameters: {}, countOf: () => 5 };
		const [first] = server.entries;
		if (!first) throw new Error('The list is empty');
		const garbled = { ...first, id: 10 ** 9 };
		const before = when === 'first' ? undefined : (await polls(setting, 2)).state;
		server.entries.unshift(garbled);
		server.create(0);
		const { state } = await polls(setting, 1, before);
		server.entries = server.entries.filter(({ id }) => id !== garbled.id);
		server.create(0);
		const quiet = await polls(setting, 3, state);
		const [made = 0] = server.create(1);
		const { given } = await polls(setting, 1, quiet.state);
		expect([quiet.given, given]).toEqual([[], [made]]);
	},
);

test('a channel that gains items all the time is noted in three readings at most', async () => {
	const server = new ListServer({ ...PLAIN, cap: 10 });
	server.create(30);
	const before = () => void server.create(1);
	const { given } = await polls({ ...CHANNEL, server, before }, 4);
	expect(given.length).toBeGreaterThan(0);
});

test.each([
	[9, 1],
	[11, 2],
	[99, 10],
	[201, 20],
])('%i links, ten to a page, take %i requests when they are noted', async (made, requests) => {
	const server = new ListServer({ ...PLAIN, cap: 10 });
	server.create(made);
	const setting = { server, event: linkClicks, parameters: {}, countOf: () => 0 };
	const { state } = await poll(setting, undefined);
	expect(server.requests).toBe(requests);
	expect(new SeenCounts(state?.seen).has(countKey(made))).toBe(true);
});

test('a reading goes on in the next poll where the last one stopped, and of what followed it nothing is left', async () => {
	const server = new ListServer({ ...PLAIN, cap: 10 });
	server.create(25);
	const setting = { server, event: linkClicks, parameters: {}, countOf: () => 0 };
	for (const page of [3, 4]) {
		server.requests = 0;
		const place = { page, limit: 10, longest: 10, count: 10 * page - 10 };
		const { state } = await poll(setting, { seen: '', oldId: 25, firstReadings: 1, place });
		expect(state).toMatchObject({ firstReadings: 0 });
		expect(state).not.toHaveProperty('place');
		expect(server.requests).toBe(page === 3 ? 2 : 1);
	}
});

test('links that the first reading missed, because others were deleted, bring no clicks that nobody made', async () => {
	for (const order of ['newestFirst', 'oldestFirst'] as const) {
		const server = new ListServer({ ...PLAIN, order, cap: 10 });
		server.create(40);
		let clicks = 400;
		const setting = { server, event: linkClicks, parameters: {}, countOf: () => clicks };
		const before = (request: number) => {
			if (request === 3) for (let gone = 0; gone < 3; gone += 1) server.delete(0);
			if (request === 4) for (let gone = 0; gone < 2; gone += 1) server.delete(0.999);
		};
		const first = await polls({ ...setting, before }, 1);
		expect(first.given).toEqual([]);
		const quiet = await polls(setting, 3, first.state);
		expect(quiet.given).toEqual([]);
		clicks = 401;
		const [made = 0] = server.create(1);
		const { given } = await polls(setting, 1, quiet.state);
		expect(given).toContain(made);
		expect(given).toHaveLength(server.entries.length);
	}
});

test('a poll without time fails, which later is no error and leaves the state', async () => {
	const server = new ListServer(PLAIN);
	server.create(3);
	const before = () => {
		throw new Failure({ kind: 'outOfTime', message: 'No time' });
	};
	const setting = { server, event: linkClicks, parameters: {}, countOf: () => 0 };
	const { state } = await poll(setting, undefined);
	await expect(poll({ ...setting, before }, undefined)).rejects.toMatchObject({
		kind: 'outOfTime',
	});
	await expect(poll({ ...setting, before }, state)).rejects.toMatchObject({ kind: 'outOfTime' });
});

test.each([
	[linkClicks, [null, 0, 4, 7], { id: 3, new_clicks: 4, clicks_before: 0 }],
	[linkClicks, [null, 0, 0], { id: 2, new_clicks: 0, clicks_before: 0, is_sample: true }],
	[linkMilestones, [7, 1100], { id: 2, milestone: 1000, clicks_before: null }],
	[linkMilestones, [7, 9], { id: 1, milestone: 10, clicks_before: null, is_sample: true }],
])('a test shows one record: %#', async (event, counts, expected) => {
	const server = new ListServer({ ...PLAIN, order: 'oldestFirst' });
	server.create(counts.length);
	const countOf = (id: number) => counts[id - 1];
	const setting = { server, event, parameters: { milestones: [10, 1000] }, countOf, isTest: true };
	const { records } = await poll(setting, undefined);
	expect(records).toEqual([expect.objectContaining(expected)]);
	expect('is_sample' in (records[0] ?? {})).toBe('is_sample' in expected);
});

test('lists are asked for in the order in which a reading can end early', () => {
	const read = (name: string) => (name === 'milestones' ? '5' : undefined);
	const queries = [linkClicks, linkMilestones, qrCodeMilestones].map(
		(event) => event.watch(read, []).source.query,
	);
	expect(queries).toEqual([{ order: 'date' }, { order: 'click' }, {}]);
});

test.each<[entered: unknown, milestones: number[] | string]>([
	[' 100,1000;\n5 5 ', [5, 100, 1000]],
	[
		[null, 7, undefined, '', '3; 3'],
		[3, 7],
	],
	[40, [40]],
	['10, -1', 'Milestones must be positive whole numbers, but one is "-1"'],
	[[], 'Milestones must not be empty'],
	[null, 'Milestones must not be empty'],
])('the milestones %j are %j', async (entered, expected) => {
	const read = Promise.resolve(entered).then(milestonesIn);
	if (Array.isArray(expected)) expect(await read).toEqual(expected);
	else {
		const advice = 'Enter them like this: 100, 1000, 10000';
		await expect(read).rejects.toMatchObject({ message: expected, advice });
	}
});

test('a trigger watches 20 links one by one, each once', async () => {
	const link = Array.from({ length: 20 }, (_, at) => ({ linkId: at + 1 }));
	const picked = async (...entries: IDataObject[]) =>
		await Promise.resolve({ link: entries }).then((links) => linkClicks.picked(() => links));
	expect(await picked(...link, { linkId: 3 })).toEqual(link.map(({ linkId }) => linkId));
	await expect(picked(...link, { linkId: 21 })).rejects.toMatchObject({
		message: 'A trigger watches at most 20 links one by one, but there are 21',
		advice: 'Remove all links to watch every link, or use several triggers',
	});
});

test('counts are stored as a text, and a record that three readings did not show is gone', () => {
	const seen = new SeenCounts(undefined);
	seen.set(countKey(36, 'links'), 37);
	seen.set(countKey(5, 'q.r'), undefined);
	const texts = Array.from({ length: 4 }, () => {
		seen.endReading();
		return seen.toString();
	});
	expect(texts).toEqual([
		'links:10.11 qr:5.',
		'links:10.11.1 qr:5..1',
		'links:10.11.2 qr:5..2',
		'',
	]);
	const stored = new SeenCounts(texts[1]);
	expect([stored.toString(), stored.get('links:10'), stored.has('qr:5')]).toEqual([
		texts[1],
		37,
		true,
	]);
	expect([stored.get('qr:5'), stored.has('qr:6')]).toEqual([undefined, false]);
});
