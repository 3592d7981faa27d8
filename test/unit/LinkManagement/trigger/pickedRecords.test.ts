import type { IDataObject } from 'n8n-workflow';

import {
	channelItems,
	linkClicks,
} from '../../../../dist/nodes/LinkManagement/trigger/countEvents.js';
import { pollPicked } from '../../../../dist/nodes/LinkManagement/trigger/pickedRecords.js';
import type { ServiceResponse } from '../../../../dist/nodes/shared/http/exchange.js';
import type { PollResult } from '../../../../dist/nodes/shared/triggers/pollState.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';
import type { ListDialect } from '../../helpers/listServer.ts';
import { ListServer, PLAIN, pollOf } from '../../helpers/listServer.ts';

/** Links that are picked by name; a link is called after its id. */

const BUDGET = 20;

const named = {
	source: { path: '/api/urls', listName: 'urls' },
	what: 'link',
	names: ({ id }: IDataObject) => [`n${Number(id)}`],
	label: ({ id }: IDataObject) => `link ${Number(id)}`,
};

interface PollOf {
	picked: Array<number | string>;
	state?: IDataObject | undefined;
	/** Requests after which the time is up. */
	time?: number;
	/** The responses of links, by id; of the others: no clicks. */
	responses?: Record<number, IDataObject | Failure>;
	names?: typeof named.names;
	/** Why the list cannot be read. */
	listFailure?: Failure;
	isTest?: boolean;
}

/** A poll, as if n8n had been started again before it; what it read one by one, and what it logged. */
async function poll(server: ListServer, settings: PollOf) {
	const { picked, state, time = Infinity, responses = {}, names = named.names } = settings;
	const read: number[] = [];
	const given = pollOf(
		(request, count) => {
			if (count > time) return new Failure({ kind: 'outOfTime', message: 'There was no time' });
			if (request.path === '/api/urls') return settings.listFailure ?? server.respond(request);
			const id = Number(request.path.split('/').at(-1));
			read.push(id);
			return responses[id] ?? clicksOf(id, 0);
		},
		{ state, isTest: settings.isTest ?? false },
	);
	const event = { ...linkClicks, named: { ...named, names }, picked: () => picked };
	const result = await pollPicked(given, event);
	return { ...result, read, requests: given.requests(), warnings: given.warnings };
}

const clicksOf = (id: number, clicks: unknown) =>
	({ details: { id }, data: { clicks } }) as IDataObject;

const stored = ({ state }: PollResult): IDataObject =>
	JSON.parse(JSON.stringify(state)) as IDataObject;

const DIALECTS = (['newestFirst', 'oldestFirst'] as const).flatMap((order) =>
	(['obeyed', 'ignored', 'refused'] as const).flatMap((limit) =>
		(['right', 'missing', 'tooHigh'] as const).flatMap((maxPage) => {
			// A page that the list promises and then refuses is the service's own failure.
			const beyond = (['empty', 'last', 'refused'] as const).slice(
				0,
				maxPage === 'tooHigh' ? 2 : 3,
			);
			return beyond.map((each) => ({
				order,
				limit,
				maxPage,
				beyond: each,
				isStringly: each === 'last',
			}));
		}),
	),
);

const filled = (count: number, dialect: Partial<ListDialect> = {}) => {
	const server = new ListServer({ ...PLAIN, ...dialect });
	return { server, ids: server.create(count) };
};

test.each(DIALECTS)('in a list of %j every name is found, and looked up once', async (dialect) => {
	const { server, ids } = filled(190, { ...dialect, cap: 25 });
	const [first = 0, middle = 0, last = 0] = [ids[0], ids[100], ids[189]];
	const picked = [first, `n${middle}`, `n${last}`, `n${first}`];
	const done = await poll(server, { picked });
	expect([done.read, done.records]).toEqual([[first, middle, last], []]);
	const idle = await poll(server, { picked, state: stored(done) });
	expect([idle.records, idle.requests, stored(idle)]).toEqual([[], 3, stored(done)]);
	await expect(poll(server, { picked: [`n${first}`, 'nobody'] })).rejects.toThrow(
		'There is no link "nobody"',
	);
});

describe('a lookup', () => {
	test('that finds no name on 20 pages says what to do', async () => {
		const { server, ids } = filled(2001);
		const oldest = poll(server, { picked: [`n${ids[0]}`] });
		await expect(oldest).rejects.toMatchObject({
			message: 'There are too many links to find one by name',
			advice: 'Pick the link from the list, or enter its ID',
		});
		expect(server.requests).toBe(BUDGET);
		const newest = await poll(server, { picked: [`n${ids[2000]}`] });
		expect([newest.read, newest.requests]).toEqual([[2001], 2]);
	});

	test('goes on with the records for which a poll had no time', async () => {
		const { server } = filled(5);
		const picked = [1, 2, 3, 4, 5];
		const read: number[][] = [];
		let state: IDataObject | undefined;
		for (let polls = 0; polls < 4; polls += 1) {
			const done = await poll(server, { picked, state, time: 2 });
			read.push(done.read);
			state = stored(done);
		}
		expect(read).toEqual([[1, 2], [3, 4], [5], [1, 2]]);
	});

	test('is kept where it leaves no time for the links', async () => {
		const { server, ids } = filled(150);
		const picked = [`n${ids[0]}`];
		const first = await poll(server, { picked, time: 2 });
		const second = await poll(server, { picked, state: stored(first), time: 1 });
		expect([first.read, second.read, second.requests]).toEqual([[], [1], 1]);
	});

	test('leaves links to the next poll where both would take more than 20 requests', async () => {
		const { server, ids } = filled(901, { cap: 100, order: 'oldestFirst' });
		const picked = (count: number) => [...ids.slice(0, count), `n${ids[900]}`];
		const fits = await poll(server, { picked: picked(9) });
		expect([fits.read.length, fits.requests]).toEqual([10, 20]);
		const first = await poll(server, { picked: picked(10) });
		expect([first.read.length, first.requests]).toEqual([10, 20]);
		const second = await poll(server, { picked: picked(10), state: stored(first) });
		expect([second.read.length, second.requests]).toEqual([1, 1]);
		const test = await poll(server, { picked: picked(10), isTest: true });
		expect([test.read, test.requests]).toEqual([[ids[0]], 11]);
	});

	test('of a name whose record is gone stops no other, and says so in the log', async () => {
		const { server } = filled(3);
		const picked = ['n1', 'n2'];
		const state = stored(await poll(server, { picked }));
		server.delete(0);
		const gone = new Failure({ kind: 'refused', httpCode: 404, message: 'Not found' });
		const responses = { 1: gone, 2: clicksOf(2, 4) };
		const done = await poll(server, { picked, state, responses });
		expect([done.records.map(({ id }) => id), done.read]).toEqual([[2], [1, 2]]);
		expect(done.warnings).toEqual(['"n1": There is no link "n1"']);
		const next = await poll(server, { picked, state: stored(done), responses });
		const later = ['"n1": There was no link of that name'];
		expect([next.records, next.read, next.warnings]).toEqual([[], [2], later]);
		const listFailure = new Failure({ kind: 'refused', httpCode: 403, message: 'Not yours' });
		const due = { ...stored(next), lostPolls: 10 };
		const refused = await poll(server, { picked, state: due, listFailure });
		expect([refused.read, refused.warnings]).toEqual([[2], ['"n1": Not yours']]);
	});

	test('of a link that is gone leaves the requests to the other links, and its failure to its own name', async () => {
		const { server, ids } = filled(1950);
		const picked = ids.slice(-3).map((id) => `n${id}`);
		const [gone = 0, ...others] = ids.slice(-3);
		let state = stored(await poll(server, { picked }));
		server.entries = server.entries.filter(({ id }) => id !== gone);
		server.create(0);
		const missing = new Failure({ kind: 'refused', httpCode: 404, message: 'Not found' });
		const down = new Failure({ kind: 'unavailable', httpCode: 503, message: 'Down' });
		let clicks = 0;
		for (let polls = 0; polls < 6; polls += 1) {
			clicks += 100;
			const responses: Record<number, IDataObject | Failure> = { [gone]: missing };
			for (const id of others) responses[id] = clicksOf(id, clicks);
			const settings = { picked, state, responses };
			const done = await poll(server, polls % 2 ? { ...settings, listFailure: down } : settings);
			expect(done.records.map((each) => [each.id, each.new_clicks])).toEqual(
				others.map((id) => [id, 100]),
			);
			expect(done.requests).toBeLessThanOrEqual(BUDGET);
			expect(done.warnings).toHaveLength(1);
			state = stored(done);
		}
	});

	test('of a name that no record has is made in one of ten polls, until a link has the name', async () => {
		const { server, ids } = filled(1500);
		const [gone = 0, other = 0] = ids.slice(-2);
		const picked = [`n${gone}`, `n${other}`];
		let state = stored(await poll(server, { picked }));
		server.entries = server.entries.filter(({ id }) => id !== gone);
		server.create(0);
		const missing = new Failure({ kind: 'refused', httpCode: 404, message: 'Not found' });
		const requests: number[] = [];
		const follow = async (names = named.names) => {
			const done = await poll(server, { picked, state, responses: { [gone]: missing }, names });
			state = stored(done);
			requests.push(done.requests);
			return done;
		};
		for (let polls = 0; polls < 21; polls += 1) await follow();
		const skipped = Array<number>(9).fill(1);
		expect(requests).toEqual([17, ...skipped, 16, ...skipped, 16]);
		const heir = ids[3] ?? 0;
		const renamed = (link: IDataObject) => [
			`n${Number(link.id) === heir ? gone : Number(link.id)}`,
		];
		for (let polls = 0; polls < 10; polls += 1) await follow(renamed);
		expect((await follow(renamed)).read).toEqual([heir, other]);
	});

	test('that has no time fails, and nothing is stored', async () => {
		const { server, ids } = filled(150);
		await expect(poll(server, { picked: [`n${ids[0]}`], time: 1 })).rejects.toThrow('no time');
		const listFailure = new Failure({ kind: 'unavailable', httpCode: 503, message: 'Down' });
		await expect(poll(server, { picked: ['n1', 2], state: {}, listFailure })).rejects.toThrow(
			/^Down/,
		);
	});

	test('takes a namesake into account that stands on a page read for another name', async () => {
		const { server, ids } = filled(300);
		const twins = [ids[0], ids[299]];
		const names = (link: IDataObject) => [
			...named.names(link),
			...(twins.includes(Number(link.id)) ? ['twin'] : []),
		];
		for (const picked of [
			['twin', `n${ids[0]}`],
			[`n${ids[0]}`, 'twin'],
		]) {
			await expect(poll(server, { picked, names })).rejects.toThrow(
				/^2 links are called "twin": link 1 \(ID 1\), link 300 \(ID 300\)/,
			);
		}
	});
});

test.each<[string, IDataObject | Failure]>([
	['404', new Failure({ kind: 'refused', httpCode: 404, message: 'Not found' })],
	['503', new Failure({ kind: 'unavailable', httpCode: 503, message: 'Down' })],
	['no response', new Failure({ kind: 'unreachable', message: 'Closed' })],
	['no count', clicksOf(2, null)],
	['another link', clicksOf(77, 9)],
])('a link that gives %s stops no other, and is noted when it can be read', async (_what, bad) => {
	const { server } = filled(3);
	let state: IDataObject | undefined;
	const news = async (first: IDataObject | Failure, second: IDataObject | Failure) => {
		const picked = [1, 2];
		const done = await poll(server, { picked, state, responses: { 1: first, 2: second } });
		state = stored(done);
		if (done.failure) throw done.failure;
		return done.records.map(({ id, new_clicks }) => [id, new_clicks]);
	};
	expect(await news(clicksOf(1, 1), bad)).toEqual([]);
	expect(await news(clicksOf(1, 3), bad)).toEqual([[1, 2]]);
	expect(await news(bad, clicksOf(2, 50))).toEqual([]);
	expect(await news(clicksOf(1, 4), clicksOf(2, 51))).toEqual([
		[1, 1],
		[2, 1],
	]);
	await expect(news(bad, bad)).rejects.toThrow('ID 1, ID 2: ');
});

test('a key that is refused ends the poll', async () => {
	const { server } = filled(3);
	const state = stored(await poll(server, { picked: [1, 2, 3] }));
	expect(state).not.toHaveProperty('ids');
	const wrong = new Failure({ kind: 'unauthorized', message: 'Wrong key' });
	const responses = { 2: wrong, 3: clicksOf(3, 7) };
	await expect(poll(server, { picked: [1, 2, 3], state, responses })).rejects.toThrow(
		/^Wrong key$/,
	);
});

test('all links on one page of 130,000 are noted, and what comes of them', async () => {
	const urls = Array.from({ length: 130_000 }, (_, index) => ({ id: index + 1, clicks: 0 }));
	const data = { result: urls.length, perpage: urls.length, currentpage: 1, maxpage: 1, urls };
	const server = new ListServer(PLAIN);
	server.answer = () =>
		({ body: { error: '0', data } }) as Partial<ServiceResponse> as ServiceResponse;
	const state = stored(await poll(server, { picked: [] }));
	Object.assign(urls.at(-1) ?? {}, { clicks: 3 });
	const { records } = await poll(server, { picked: [], state });
	expect(records).toEqual([{ id: 130_000, clicks: 3, new_clicks: 3, clicks_before: 0 }]);
});

test('a test of a channel by name shows one of its items', async () => {
	const { server } = filled(3);
	const asked: string[] = [];
	const given = pollOf(
		({ path, query }) => {
			asked.push(path);
			const isItems = path === '/api/channel/2';
			if (!isItems) return server.respond({ method: 'GET', path, ...(query && { query }) });
			return { data: { items: [{ id: 9, type: 'links', title: 'Spring' }], maxpage: 1 } };
		},
		{ isTest: true },
	);
	const event = { ...channelItems, named: { ...named, what: 'channel' }, picked: () => ['n2'] };
	const { records } = await pollPicked(given, event);
	expect(records).toMatchObject([{ id: 9, title: 'Spring' }]);
	expect(asked).toEqual(['/api/urls', '/api/channel/2']);
});

test('a link keeps its clicks while its name cannot be looked up, however many polls that takes', async () => {
	const { server, ids } = filled(50);
	const [one = 0, other = 0] = ids;
	const picked = [`n${one}`, other];
	const clicked = (clicks: number) => ({
		[one]: clicksOf(one, clicks),
		[other]: clicksOf(other, clicks),
	});
	const begun = await poll(server, { picked, responses: clicked(10) });
	const gone = new Failure({ kind: 'missing', httpCode: 404, message: 'Not here' });
	const down = new Failure({ kind: 'serverError', httpCode: 500, message: 'Down' });
	const refused = new Failure({ kind: 'refused', httpCode: 200, message: 'Maintenance' });
	for (const listFailure of [down, refused]) {
		let state = stored(begun);
		for (let polls = 0; polls < 5; polls += 1) {
			const responses = { [one]: gone, [other]: clicksOf(other, 10) };
			state = stored(await poll(server, { picked, state, responses, listFailure }));
		}
		// It is looked up after the others are read.
		const healed = await poll(server, { picked, state, responses: clicked(14) });
		expect(healed.records).toMatchObject([{ id: other, new_clicks: 4 }]);
		const again = await poll(server, { picked, state: stored(healed), responses: clicked(14) });
		expect(again.records).toMatchObject([{ id: one, new_clicks: 4 }]);
	}
});
