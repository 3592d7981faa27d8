import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../../../dist/nodes/shared/values/failure.js';
import type { ListDialect } from '../../helpers/listServer.ts';
import { ListServer, randomDialect, webPage } from '../../helpers/listServer.ts';
import { ListTrigger } from '../../helpers/listTrigger.ts';
import type { StoredTrigger } from '../../helpers/nodeProcess.ts';
import { NodeProcess } from '../../helpers/nodeProcess.ts';
import { Random } from '../../helpers/random.ts';
import { RatedServer } from '../../helpers/ratedServer.ts';
import { VirtualTime } from '../../helpers/virtualTime.ts';

/**
 * Healed means fresh: whatever happened once, some polls later
 * - polls, runs and dropdowns of the process send the requests and return the records of a process that was started after it;
 * - a trigger sends the requests and returns the records of one that was activated after it.
 */

/** For a long run, or to see one history again: HISTORIES=50000, or SEED=4711 HISTORIES=1. */
const HISTORIES = Number(process.env.HISTORIES ?? 2000);
const SEED = Number(process.env.SEED ?? 1);

/** What is read at once. */
interface Reading {
	/** Whether the triggers poll. */
	isPolled: boolean;
	/** How many records a *Get Many* wants; 0 if there is none. */
	limit: number;
	/** The IDs that a *Create or Update* looks up. */
	lookedUp: readonly number[];
	/** What a person types in a dropdown. */
	filters: readonly string[];
}

const NOTHING: Reading = { isPolled: false, limit: 0, lookedUp: [], filters: [] };

/** @returns what each reader gets, or why not */
async function perform(
	{ isPolled, limit, lookedUp, filters }: Reading,
	process: NodeProcess,
	triggers: readonly StoredTrigger[],
): Promise<unknown[]> {
	const reading: Array<Promise<unknown>> = [];
	if (isPolled) reading.push(...triggers.map(async (trigger) => await process.poll(trigger)));
	if (limit > 0) reading.push(process.getMany(limit));
	if (lookedUp.length > 0) reading.push(process.lookUp(lookedUp));
	if (filters.length > 0) reading.push(process.dropdown(filters, 3));
	const done = Promise.all(reading.map(async (each) => await each.catch(String)));
	return await process.time.run(done);
}

/** A service, and a process of n8n with two triggers, runs and dropdowns that use one key. */
class World {
	readonly server: ListServer;
	readonly rated: RatedServer;
	readonly time = new VirtualTime();
	readonly process: NodeProcess;
	readonly triggers: StoredTrigger[];
	/** Whether the service refused something, which is believed for a day. */
	isRefused = false;
	private readonly random: Random;
	/** The service as it was before the accident. */
	private readonly usual: ListDialect;
	private readonly usualLimit: number;

	constructor(random: Random) {
		this.random = random;
		this.usual = dialectOf(random);
		this.server = new ListServer({ ...this.usual });
		this.server.create(random.integer(0, random.pick([30, 60, 250])));
		this.usualLimit = random.pick([0, 30, 30, 120]);
		this.rated = new RatedServer(this.server, this.usualLimit);
		this.process = new NodeProcess(this.rated, this.time, random);
		const isNamed = ['name', 'starred'].includes(this.usual.by);
		const events = isNamed ? ['campaignCreated', 'pixelCreated'] : ['linkCreated', 'qrCodeCreated'];
		this.triggers = events.map((event) => ({ event, stored: {} }));
	}

	/** Whether a list in no order has to be read whole in each poll: its number of records is unknown, wrong or old. */
	get isUncounted(): boolean {
		const { total, isCached, limit } = this.usual;
		return total !== 'right' || isCached || limit === 'ignored';
	}

	/** Whether the numbers of a page tell where the list ends. */
	get hasNumbers(): boolean {
		const { perPage, maxPage, total } = this.usual;
		return perPage === 'right' && (maxPage === 'right' || total === 'right');
	}

	/** How many polls without news there may be before the last record comes. */
	idlePolls(trigger: ListTrigger): number {
		const pages = this.pagesPerReading(trigger);
		return pages > 0 ? 10 + 2 * Math.ceil(pages / 19) : 2;
	}

	/** A list in no order is read whole every ten polls, by one trigger a little earlier than by the other. */
	pagesPerReading({ state }: ListTrigger): number {
		const { dialect, entries } = this.server;
		return state?.whole ? Math.ceil(entries.length / Math.min(dialect.cap, 100)) + 6 : 0;
	}

	/** A trigger that polls alone, with requests that nothing delays. */
	trigger(event: string): ListTrigger {
		return new ListTrigger(this.server, event, this.time);
	}

	/** Something that happens on an ordinary day. */
	async step(): Promise<void> {
		const { random, server } = this;
		const kind = random.next();
		if (kind < 0.2) server.create(random.integer(1, random.pick([3, 30, 120])));
		else if (kind < 0.3) this.delete(random.integer(1, 5));
		else await perform(this.reading(), this.process, this.triggers);
		this.pass();
	}

	/** What is read at once on an ordinary day: one or several of polls, a run and a dropdown. */
	reading(): Reading {
		const { random, server } = this;
		const readers = random.integer(1, 7);
		const some = server.entries.filter(() => random.is(0.05)).map(({ id }) => id);
		return {
			isPolled: readers % 2 === 1,
			limit: (readers & 2) > 0 && random.is(0.5) ? random.pick([5, 50, Infinity]) : 0,
			lookedUp: (readers & 2) > 0 ? [...some.slice(0, 4), 1e6] : [],
			filters: (readers & 4) > 0 ? random.pick([[''], ['1', '12'], ['', '7', 'none']]) : [],
		};
	}

	async poll(count: number): Promise<void> {
		const polls = { ...NOTHING, isPolled: true };
		for (let done = 0; done < count; done += 1) {
			this.pass();
			await perform(polls, this.process, this.triggers);
		}
	}

	/** A process that is started now, with a copy of the service. */
	copyFor(seed: number): NodeProcess {
		const time = new VirtualTime(this.time.now());
		time.wallClockError = this.time.wallClockError;
		return new NodeProcess(this.rated.copy(), time, new Random(seed));
	}

	delete(count: number): void {
		for (let gone = 0; gone < count; gone += 1) this.server.delete(this.random.next());
	}

	/** A minute, after which counts in caches are out of date. */
	pass(): void {
		this.time.pass(60_000);
		this.server.refresh();
	}

	/** The end of the accident: the service is as before. */
	end(): void {
		this.server.accident = undefined;
		if (this.isRefused) this.time.wallClockError += 86_400_000;
		Object.assign(this.server.dialect, this.usual);
		this.rated.limit = this.usualLimit;
	}
}

function dialectOf(random: Random): ListDialect {
	const dialect = randomDialect(random);
	// Pages that never overlap take a few polls more or less: see decision 3.
	return dialect.limit === 'ignored' ? { ...dialect, limit: 'obeyed' } : dialect;
}

const FAILURES: Array<() => Failure> = [
	webPage,
	() => webPage().with({ httpCode: 200 }),
	() => new Failure({ kind: 'unavailable', httpCode: 502, message: 'Down' }),
	() => new Failure({ kind: 'unreachable', message: 'Closed' }),
	() => new Failure({ kind: 'refused', httpCode: 403, message: 'Not now' }),
	() => new Failure({ kind: 'refused', httpCode: 404, message: 'Not here' }),
	() => new Failure({ kind: 'unauthorized', httpCode: 401, message: 'Wrong key' }),
	() => new Failure({ kind: 'rateLimited', httpCode: 429, message: 'Too many' }),
	() => new Failure({ kind: 'outOfTime', message: 'No time' }),
];

function anyFailure(world: World, random: Random): () => Failure {
	const failure = random.pick(FAILURES);
	world.isRefused = failure().kind === 'refused';
	return failure;
}

/** What may happen once. */
const ACCIDENTS: Record<string, (world: World, random: Random) => void> = {
	'requests fail': (world, random) => {
		const { server } = world;
		const failure = anyFailure(world, random);
		let left = random.integer(1, 30);
		server.accident = (urls) => {
			left -= 1;
			if (left >= 0) throw failure();
			return urls;
		};
	},
	'large pages fail': (world, random) => {
		const { server } = world;
		const failure = anyFailure(world, random);
		const most = random.pick([10, 25, 50]);
		server.accident = (urls, { limit }) => {
			if (limit > most) throw failure();
			return urls;
		};
	},
	'one page fails': (world, random) => {
		const { server } = world;
		const failure = anyFailure(world, random);
		const odd = random.integer(1, 4);
		server.accident = (urls, { page }) => {
			if (page === odd) throw failure();
			return urls;
		};
	},
	'pages are in another order': (world, random) => {
		const { server } = world;
		if (world.isUncounted) return;
		const way = random.integer(1, 1008);
		const mixed = ({ id }: IDataObject) => (Number(id) * way) % 1009;
		let left = random.integer(1, 5);
		server.accident = (urls) => {
			left -= 1;
			return left < 0 ? urls : urls.toSorted((a, b) => mixed(a) - mixed(b));
		};
	},
	'pages are empty': ({ server }, random) => {
		let left = random.integer(1, 8);
		server.accident = (urls) => {
			left -= 1;
			return left < 0 ? urls : [];
		};
	},
	'a burst in one second': (world, random) => {
		const { server } = world;
		// Activated amid a longer burst, a trigger may not see which record is the newest.
		const made = server.create(
			Math.floor(random.next() * 0.6 * Math.min(server.dialect.cap, 100)),
		).length;
		if (world.isUncounted) return;
		const second = server.entries.at(-1)?.second ?? 0;
		for (const entry of server.entries.slice(-made)) entry.second = second;
	},
	deletions: (world, random) => {
		world.delete(Math.floor(world.server.entries.length * random.next()));
	},
	'one record is deleted': (world) => {
		world.delete(1);
	},
	'the cap changes': (world, random) => {
		world.isRefused = true;
		world.server.dialect.cap = random.pick([10, 25, 50, 100]);
	},
	'limit is refused or ignored': (world, random) => {
		world.isRefused = true;
		world.server.dialect.limit = random.pick(['refused', 'ignored']);
	},
	'the rate limit falls': ({ rated }, random) => {
		rated.limit = random.integer(1, 10);
	},
	'the clock jumps': ({ time }, random) => {
		time.wallClockError += random.pick([-1, 1]) * random.integer(1, 100) * 3_600_000;
	},
};

/** After any backlog is read, this many polls are enough. */
const POLLS_TO_HEAL = 5;

/** How often a process is compared with a fresh one. */
const READINGS = 2;

async function history(seed: number): Promise<void> {
	const random = new Random(seed);
	const world = new World(random);
	await world.poll(2);
	for (let steps = random.integer(0, 6); steps > 0; steps -= 1) await world.step();
	const accident = random.pick(Object.keys(ACCIDENTS));
	ACCIDENTS[accident]?.(world, random);
	for (let steps = random.integer(1, 8); steps > 0; steps -= 1) await world.step();
	world.end();
	try {
		await world.poll(POLLS_TO_HEAL);
		await processHealed(world, random);
		const { event, stored } = random.pick(world.triggers);
		const trigger = world.trigger(event);
		trigger.state = stored.state as ListTrigger['state'];
		await healed(world, trigger, random);
	} catch (error) {
		throw new Error(`After ${accident}: ${String(error)}`, { cause: error });
	}
}

/** Compares the process with one that is started now, with what n8n has stored. */
async function processHealed(world: World, random: Random): Promise<void> {
	const { process: old, triggers } = world;
	const fresh = world.copyFor(random.integer(1, 1e9));
	const both = [
		{ process: old, stored: triggers },
		{ process: fresh, stored: structuredClone(triggers) },
	];
	// With its first response, a process learns whether the service states a limit.
	const readings: Reading[] = [{ ...NOTHING, filters: [''] }];
	for (let more = 0; more < READINGS; more += 1) readings.push(world.reading());
	for (const [index, reading] of readings.entries()) {
		const added = random.pick([0, 3]);
		const results: string[] = [];
		for (const { process, stored } of both) {
			const { rated, time } = process;
			time.pass(61_000);
			rated.list.create(added);
			rated.list.refresh();
			rated.beginLog(time.now());
			const shown = await perform(reading, process, stored);
			results.push(JSON.stringify({ shown, sent: index > 0 ? rated.log : rated.log.length }));
		}
		const [ours, freshly] = results;
		if (ours !== freshly) throw new Error(difference(index, reading, ours, freshly));
	}
}

/** Where two texts differ. */
function difference(index: number, reading: Reading, ours = '', freshly = ''): string {
	const at = Math.max(
		0,
		Array.from(ours).findIndex((letter, place) => letter !== freshly[place]) - 60,
	);
	const [a, b] = [ours, freshly].map((text) => text.slice(at, at + 200));
	return `Reading ${index} of ${JSON.stringify(reading)} gets ${a} instead of ${b}`;
}

/** Compares a trigger with one that is activated now. */
async function healed(world: World, trigger: ListTrigger, random: Random): Promise<void> {
	let idle = 0;
	for (let polls = 0; idle < world.idlePolls(trigger) && polls < 200; polls += 1) {
		world.pass();
		idle = (await trigger.poll()).ids.length > 0 ? 0 : idle + 1;
	}
	const fresh = world.trigger(trigger.event);
	// A list in no order is read whole up to four times before its new records count as read.
	const readings = 4 * Math.ceil(world.pagesPerReading(trigger) / 19);
	for (let polls = 0; polls < POLLS_TO_HEAL + readings; polls += 1) {
		world.pass();
		await trigger.poll();
		await fresh.poll();
	}
	// Some new records, many, and a quiet time.
	for (const count of [random.integer(1, 5), random.integer(60, 200), 0]) {
		world.server.create(count);
		const old = { ids: [] as number[], requests: 0 };
		const young = { ids: [] as number[], requests: 0 };
		let quiet = 0;
		for (let polls = 0; quiet < world.idlePolls(trigger) && polls < 60; polls += 1) {
			world.pass();
			const found = [old.ids.length, young.ids.length].join();
			for (const [each, sum] of [
				[trigger, old],
				[fresh, young],
			] as const) {
				const { ids, requests } = await each.poll();
				sum.ids.push(...ids);
				sum.requests += requests;
			}
			quiet = found === [old.ids.length, young.ids.length].join() ? quiet + 1 : 0;
		}
		const pages = [trigger, fresh].map((each) => world.pagesPerReading(each));
		// Where pages overlap is a matter of chance, and where no number tells the end of the list, how it is found.
		const chance = (count > 0 ? 3 + young.requests / 2 : 0) + (world.hasNumbers ? 0 : 10);
		const most = young.requests + Math.max(...pages) + chance;
		const [ours, freshly] = [old, young].map(({ ids }) => ids.toSorted().join());
		if (ours !== freshly || old.requests > most) {
			const [a, b] = [old, young].map((each) => JSON.stringify(each));
			throw new Error(`Of ${count} new records, ${trigger.event} finds ${a} instead of ${b}`);
		}
	}
}

// Histories have many failures, whose stacks nobody reads.
Error.stackTraceLimit = 0;

const ROUNDS = Array.from({ length: HISTORIES }, (_, index) => SEED + index).flatMap(
	(_, at, all) => (at % 100 === 0 ? [{ seeds: all.slice(at, at + 100) }] : []),
);

test.each(ROUNDS)(
	'whatever happened, five polls later everything is as fresh, from SEED=$seeds.0',
	async ({ seeds }) => {
		const failed: string[] = [];
		for (const seed of seeds) {
			await history(seed).catch((error: unknown) => {
				const { dialect } = new World(new Random(seed)).server;
				failed.push(
					`SEED=${seed} ${JSON.stringify(dialect)} ${String(error)}`.replaceAll('\n', ' '),
				);
			});
		}
		expect(failed).toEqual([]);
	},
	120_000,
);
