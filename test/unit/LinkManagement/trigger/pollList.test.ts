import type { IDataObject } from 'n8n-workflow';

import type { ListEvent } from '../../../../dist/nodes/LinkManagement/trigger/events.js';
import { LIST_EVENTS } from '../../../../dist/nodes/LinkManagement/trigger/events.js';
import { pollList } from '../../../../dist/nodes/LinkManagement/trigger/pollList.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';
import { ListServer, PLAIN, pollOf } from '../../helpers/listServer.ts';

/** Polls for new links with their details, of which one cannot be read: the second of three. */

const { linkCreated: event } = LIST_EVENTS;
if (!event) throw new Error('There is no such event');
const linkCreated: ListEvent = event;

/** A trigger for new links with their details, in a list of which nothing has been read. */
class Trigger {
	readonly warnings: string[] = [];
	/** Of the last poll. */
	requests = 0;
	isTest = false;
	state: IDataObject | undefined = { id: 0 };
	private readonly server: ListServer;
	private readonly detailsOf: (id: number) => IDataObject | Failure;

	constructor(server: ListServer, detailsOf: Trigger['detailsOf'] = detailsWith) {
		this.server = server;
		this.detailsOf = detailsOf;
	}

	/** @returns IDs, or an ID with the reason why the link comes without details */
	async poll(): Promise<unknown[]> {
		const { state, isTest } = this;
		const respond: Parameters<typeof pollOf>[0] = (request) =>
			request.path === '/api/urls'
				? this.server.respond(request)
				: this.detailsOf(Number(request.path.split('/').at(-1)));
		const poll = pollOf(respond, {
			state,
			isTest,
			parameter: () => ({ includeDetails: true }),
			warn: ({ message }) => this.warnings.push(message),
		});
		const result = await pollList(poll, linkCreated);
		this.requests = poll.requests();
		if (!isTest) this.state = JSON.parse(JSON.stringify(result.state)) as IDataObject;
		if (result.failure) throw result.failure;
		return result.records.map(({ id, details_error: error }) => (error ? [id, error] : [id]));
	}
}

const detailsWith = (id: number): IDataObject => ({ details: { id }, data: {} });

const failed = /details of record 2 cannot be read/;

test.each<[string, IDataObject | Failure, unknown[]]>([
	[
		'a status of 500',
		new Failure({ kind: 'unreadable', httpCode: 500, message: 'Broken' }),
		[[[1], [3]], failed, [[2, 'Broken']], []],
	],
	[
		'a status of 503',
		new Failure({ kind: 'unavailable', httpCode: 503, message: 'Down' }),
		[[[1], [3]], failed, [[2, 'Down']], []],
	],
	[
		'no response',
		new Failure({ kind: 'unreachable', message: 'Closed' }),
		[[[1], [3]], failed, [[2, 'Closed']], []],
	],
	[
		'those of another link',
		{ details: { id: 55 }, data: {} },
		[[[1], [3]], failed, [[2, expect.stringMatching('another record \\(ID 55\\)')]], []],
	],
	[
		'a refusal',
		new Failure({ kind: 'refused', httpCode: 403, message: 'Not yours' }),
		[[[1], [2, 'Not yours'], [3]], [], []],
	],
	[
		'a refused key',
		new Failure({ kind: 'unauthorized', message: 'Wrong key' }),
		[[[1]], /Wrong key/, /Wrong key/],
	],
])('details that are always %s', async (_what, bad, expected) => {
	const server = new ListServer(PLAIN);
	server.create(3);
	const trigger = new Trigger(server, (id) => (id === 2 ? bad : detailsWith(id)));
	for (const wanted of expected) {
		if (wanted instanceof RegExp) await expect(trigger.poll()).rejects.toThrow(wanted);
		else expect(await trigger.poll()).toEqual(wanted);
	}
	const [, failure] = expected;
	const warned = failure instanceof RegExp ? [expect.stringMatching(failure)] : [];
	expect(trigger.warnings).toEqual(warned);
});

test.each([
	['IDs that are no numbers', { urls: [{ id: 'u-7' }, { id: '12.0' }] }, 'no readable ID'],
	['no records, but a number of them', { urls: [], result: 5 }, 'has 5 records'],
])('a list with %s fails the poll', async (_what, data, message) => {
	const poll = pollOf(() => ({ data }), { parameter: () => ({}) });
	await expect(pollList(poll, linkCreated)).rejects.toThrow(message);
});

test.each([
	[26, 100, 'newestFirst', '17 for 20, 9 for 11, 0 for 1'],
	[26, 10, 'newestFirst', '15 for 20, 11 for 13, 0 for 1'],
	[26, 10, 'oldestFirst', '16 for 20, 10 for 12, 0 for 1'],
	[60, 10, 'newestFirst', '10 for 20, 12 for 20, 14 for 20, 16 for 20, 8 for 10, 0 for 1'],
	[60, 10, 'oldestFirst', '12 for 20, 13 for 20, 15 for 20, 16 for 20, 4 for 6, 0 for 1'],
] as const)(
	'of %i new links, %i to a page and %s, polls give with their details: %s requests',
	async (count, cap, order, expected) => {
		const server = new ListServer({ ...PLAIN, cap, order });
		const ids = server.create(count).map((id) => [id]);
		const trigger = new Trigger(server);
		const given: unknown[] = [];
		const polls: string[] = [];
		for (let found: unknown[] | undefined; found?.length !== 0;) {
			found = await trigger.poll();
			given.push(...found);
			polls.push(`${found.length} for ${trigger.requests}`);
		}
		expect([given, polls.join(', ')]).toEqual([ids, expected]);
	},
);

test('details for which there was no time come in the next poll, without a word', async () => {
	const server = new ListServer(PLAIN);
	server.create(3);
	let isTime = false;
	const outOfTime = new Failure({ kind: 'outOfTime', message: 'No time' });
	const trigger = new Trigger(server, (id) => (isTime || id < 3 ? detailsWith(id) : outOfTime));
	const first = await trigger.poll();
	isTime = true;
	expect([first, await trigger.poll(), trigger.warnings]).toEqual([[[1], [2]], [[3]], []]);
});

test('each trigger counts its own failures, and a test run counts for nothing', async () => {
	const server = new ListServer(PLAIN);
	server.create(1);
	const down = new Failure({ kind: 'unavailable', httpCode: 503, message: 'Down' });
	const triggers = Array.from({ length: 3 }, () => new Trigger(server, () => down));
	for (const trigger of triggers) {
		trigger.isTest = true;
		const { state } = trigger;
		for (let runs = 0; runs < 3; runs += 1) await expect(trigger.poll()).rejects.toThrow('Down');
		expect(trigger.state).toBe(state);
		trigger.isTest = false;
	}
	for (const wanted of [/Down/, /Down/]) {
		for (const trigger of triggers) await expect(trigger.poll()).rejects.toThrow(wanted);
	}
	for (const trigger of triggers) {
		expect(trigger.state).toMatchObject({ failed: { 1: 2 } });
		expect(await trigger.poll()).toEqual([[1, 'Down']]);
		expect(trigger.state).toMatchObject({ failed: {} });
	}
});

test('a record whose details fail delays no other, whatever comes meanwhile', async () => {
	const server = new ListServer(PLAIN);
	server.create(3);
	const down = new Failure({ kind: 'unavailable', httpCode: 503, message: 'Down' });
	let isDown = true;
	const trigger = new Trigger(server, (id) => (id === 2 && isDown ? down : detailsWith(id)));
	expect(await trigger.poll()).toEqual([[1], [3]]);
	const [made] = server.create(1);
	expect(await trigger.poll()).toEqual([[made]]);
	isDown = false;
	expect([await trigger.poll(), await trigger.poll()]).toEqual([[[2]], []]);
});

test.each(['newestFirst', 'oldestFirst'] as const)(
	'a backlog of more pages than a poll reads comes with its details, each link once: %s',
	async (order) => {
		for (const [cap, count] of [
			[25, 240],
			[100, 1100],
		] as const) {
			const server = new ListServer({ ...PLAIN, cap, order });
			const made = server.create(count);
			const trigger = new Trigger(server);
			const given: unknown[] = [];
			for (let quiet = 0; quiet < 3;) {
				const found = await trigger.poll();
				given.push(...found);
				quiet = found.length === 0 ? quiet + 1 : 0;
			}
			expect(given.flat().toSorted((a, b) => Number(a) - Number(b))).toEqual(made);
		}
	},
);
