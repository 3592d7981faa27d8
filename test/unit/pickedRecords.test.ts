import type { IDataObject } from 'n8n-workflow';

import { linkClicks } from '../../dist/nodes/LinkManagement/trigger/countEvents.js';
import { pollPicked } from '../../dist/nodes/LinkManagement/trigger/pickedRecords.js';
import type { ServiceResponse } from '../../dist/nodes/shared/http/request.js';
import type { Poll, PollResult } from '../../dist/nodes/shared/triggers/poll.js';
import { Failure } from '../../dist/nodes/shared/values/failure.js';
import type { ListDialect } from './listServer.ts';
import { ListServer, PLAIN } from './listServer.ts';

/** Links that are picked by name, in lists too long for one poll; a link is called after its id. */

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
	isTest?: boolean;
	/** Requests after which the time is up. */
	time?: number;
}

interface Done extends PollResult {
	/** What is asked for one by one. */
	read: number[];
	requests: number;
}

/** A poll, as if n8n had been started again before it. */
async function poll(server: ListServer, settings: PollOf): Promise<Done> {
	const { picked, state, isTest = false, time = Infinity } = settings;
	const read: number[] = [];
	let requests = 0;
	const send: Poll['send'] = async ({ path, query }) => {
		requests += 1;
		if (requests > time) throw new Failure({ kind: 'timeUp', message: 'There was no time' });
		if (path === '/api/urls') return server.answer(Number(query?.page), Number(query?.limit ?? 0));
		const id = Number(path.split('/').at(-1));
		read.push(id);
		const body: IDataObject = { details: { id }, data: { clicks: 0 } };
		return await Promise.resolve({ body } as Partial<ServiceResponse> as ServiceResponse);
	};
	const connection = { limiter: {} } as Poll['connection'];
	const given = {
		state,
		isTest,
		warn: () => undefined,
		read: () => undefined,
		connection,
		send,
		requests: () => requests,
	};
	const result = await pollPicked(given, { ...linkClicks, named, picked: () => picked });
	return { ...result, read, requests };
}

const stored = ({ state }: PollResult): IDataObject =>
	JSON.parse(JSON.stringify(state)) as IDataObject;

const DIALECTS: Array<Partial<ListDialect>> = (['newestFirst', 'oldestFirst'] as const).flatMap(
	(order) =>
		(['obeyed', 'ignored', 'refused'] as const).flatMap((limit) =>
			(['right', 'missing', 'tooHigh'] as const).flatMap((maxPage) =>
				// A page that the list promises and then refuses is the service's own failure.
				(['empty', 'last', ...(maxPage === 'tooHigh' ? [] : ['refused' as const])] as const).map(
					(beyond) => ({
						...{ order, limit, maxPage, beyond, cap: 25, isStringly: beyond === 'last' },
					}),
				),
			),
		),
);

describe.each(DIALECTS)('in a list of %j', (dialect) => {
	const filled = (count: number) => {
		const server = new ListServer({ ...PLAIN, ...dialect });
		return { server, ids: server.create(count) };
	};

	test('every name is found over several polls, while links come and go', async () => {
		const { server, ids } = filled(1200);
		const wanted = [ids[0] ?? 0, ids[700] ?? 0, ids[1199] ?? 0];
		const picked = [wanted[0] ?? 0, `n${wanted[1]}`, `n${wanted[2]}`, `n${wanted[0]}`];
		let done = await poll(server, { picked });
		let polls = 1;
		for (; done.read.length === 0 && polls < 10; polls += 1) {
			expect(done.records).toEqual([]);
			expect(done.requests).toBeLessThanOrEqual(BUDGET);
			expect(JSON.stringify(done.state).length).toBeLessThan(80);
			server.create(3);
			for (let gone = 0; gone < 10; gone += 1) server.delete(gone % 2 === 0 ? 0.1 : 0.9);
			done = await poll(server, { picked, state: stored(done) });
		}
		expect(done.read).toEqual(wanted);
		expect(done.requests).toBeLessThanOrEqual(BUDGET);
		expect(polls).toBeGreaterThan(1);
		const idle = await poll(server, { picked, state: stored(done) });
		expect([idle.records, idle.requests, stored(idle)]).toEqual([[], 3, stored(done)]);
	});

	test('a name that is not there is an error when all was read', async () => {
		const { server, ids } = filled(600);
		const picked = [`n${ids[0]}`, 'nobody'];
		const polls: PollResult[] = [];
		const all = async (): Promise<void> => {
			while (polls.length < 10) {
				const before = polls.at(-1);
				polls.push(await poll(server, { picked, state: before && stored(before) }));
			}
		};
		await expect(all()).rejects.toThrow('There is no link "nobody"');
		expect(polls.length).toBeLessThan(4);
	});
});

describe('a lookup', () => {
	const filled = (count: number) => {
		const server = new ListServer(PLAIN);
		return { server, ids: server.create(count) };
	};

	test('goes on where the time of a poll was up, but for a first poll that got no answer', async () => {
		const { server, ids } = filled(600);
		const picked = [`n${ids[0]}`];
		await expect(poll(server, { picked, time: 0 })).rejects.toThrow('There was not enough time');
		let done = await poll(server, { picked, time: 3 });
		const pages: unknown[] = [];
		while (done.read.length === 0) {
			pages.push(stored(done).lookup);
			done = await poll(server, { picked, state: stored(done), time: 3 });
			const cut = await poll(server, { picked, state: stored(done), time: 0 });
			expect(stored(cut).lookup).toEqual(stored(done).lookup);
			if (pages.length > 9) break;
		}
		// The third request of the last one finds it, and leaves no time for the link.
		expect(pages).toEqual([3, 4, 5, 6].map((page) => ({ ids: [page === 6 ? 1 : 0], page })));
	});

	test('finds what is new on the first page although it had got further', async () => {
		const { server } = filled(2300);
		const picked = ['n2301'];
		const first = await poll(server, { picked });
		server.create(1);
		const { read, requests } = await poll(server, { picked, state: stored(first) });
		expect([read, requests]).toEqual([[2301], 2]);
	});

	test('reads on at the beginning for nobody: a list that has become shorter has ended', async () => {
		const { server } = filled(2300);
		const first = await poll(server, { picked: ['nobody'] });
		for (let gone = 0; gone < 2000; gone += 1) server.delete(0.5);
		const second = poll(server, { picked: ['nobody'], state: stored(first) });
		await expect(second).rejects.toThrow('There is no link "nobody"');
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
			expect(state.isNoting).toBe(polls < 2);
		}
		expect(read).toEqual([[1, 2], [3, 4], [5], [1, 2]]);
	});

	test('finds what is new at the end of a list that has become shorter than it had got', async () => {
		const server = new ListServer({ ...PLAIN, order: 'oldestFirst' });
		server.create(2300);
		const picked = ['n2301'];
		const first = await poll(server, { picked });
		for (let gone = 0; gone < 2000; gone += 1) server.delete(0.5);
		await expect(poll(server, { picked, state: stored(first) })).rejects.toThrow(
			'There is no link',
		);
		server.create(1);
		expect((await poll(server, { picked, state: stored(first) })).read).toEqual([2301]);
	});

	test('is kept where it leaves no time for the links', async () => {
		const { server, ids } = filled(150);
		const picked = [`n${ids[0]}`];
		const first = await poll(server, { picked, time: 2 });
		const second = await poll(server, { picked, state: stored(first), time: 1 });
		expect([second.read, second.records, stored(second).isNoting]).toEqual([[1], [], false]);
	});

	test('takes a namesake into account that stands on a page read for another name', async () => {
		const { server, ids } = filled(300);
		const names = ({ id }: IDataObject) => [
			`n${Number(id)}`,
			...(id === ids[0] || id === ids[299] ? ['twin'] : []),
		];
		const several = { ...named, names };
		for (const picked of [
			['twin', `n${ids[0]}`],
			[`n${ids[0]}`, 'twin'],
		]) {
			const event = { ...linkClicks, named: several, picked: () => picked };
			const connection = { limiter: {} } as Poll['connection'];
			const send: Poll['send'] = async ({ query }) =>
				await Promise.resolve(server.answer(Number(query?.page), Number(query?.limit)));
			const nothing = (): undefined => undefined;
			const given = { state: undefined, isTest: false, warn: nothing, read: nothing };
			await expect(
				pollPicked({ ...given, connection, send, requests: () => 0 }, event),
			).rejects.toThrow(/^2 links are called "twin": link 1 \(ID 1\), link 300 \(ID 300\)/);
		}
	});
});

test('all links on one page of 200,000 are noted, and what comes of them', async () => {
	const urls = Array.from({ length: 200_000 }, (_, index) => ({ id: index + 1, clicks: 0 }));
	const data = { result: urls.length, perpage: urls.length, currentpage: 1, maxpage: 1, urls };
	const server = new ListServer(PLAIN);
	server.answer = () =>
		({ body: { error: '0', data } }) as Partial<ServiceResponse> as ServiceResponse;
	const state = stored(await poll(server, { picked: [] }));
	Object.assign(urls.at(-1) ?? {}, { clicks: 3 });
	const { records } = await poll(server, { picked: [], state });
	expect(records).toEqual([{ id: 200_000, clicks: 3, new_clicks: 3, clicks_before: 0 }]);
});
