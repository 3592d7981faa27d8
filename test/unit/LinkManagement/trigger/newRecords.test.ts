import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { PagedList } from '../../../../dist/nodes/LinkManagement/serviceLists.js';
import { pollList } from '../../../../dist/nodes/LinkManagement/trigger/pollList.js';
import {
	outOfRequests,
	type Poll,
	REQUESTS_PER_POLL,
} from '../../../../dist/nodes/shared/triggers/poll.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';
import { seeded } from '../../../seeds.ts';
import { type ListDialect, ListServer, PLAIN } from '../../helpers/listServer.ts';

/** Whatever happens to a list, each new record starts the workflow once, and no old one does. */

const LIST: PagedList = {
	source: { path: '/api/list', listName: 'records' },
	recordOf: (entry) => entry,
	label: String,
};

interface Step {
	/** What happens before the poll. */
	create: number;
	delete: number;
	/** Where it deletes, from 0 up to 1 of the list. */
	where: number;
	/** How many are created before a request of the poll, and which. */
	amid: number;
	at: number;
	/** How many are deleted before one of its later requests, and which. */
	shift: number;
	shiftAt: number;
	/** Which request of the poll fails; 0 for none. */
	failing: number;
}

interface History {
	dialect: ListDialect;
	existing: number;
	steps: Step[];
}

const QUIET: Step = {
	create: 0,
	delete: 0,
	where: 0,
	amid: 0,
	at: 1,
	shift: 0,
	shiftAt: 2,
	failing: 0,
};

/** A trigger for new records of a list. */
class Trigger {
	/** The IDs that started the workflow, in this order. */
	readonly given: number[] = [];
	/** Of the last poll. */
	requests = 0;
	private state: IDataObject | undefined;
	/** Whether records were deleted during the reading that is under way, and during the one before it. */
	private isShifted = false;
	private wasShifted = false;
	private readonly server: ListServer;

	constructor(server: ListServer) {
		this.server = server;
	}

	/** Whether the next poll goes on with what this one did not finish. */
	get isReading(): boolean {
		return this.state === undefined || this.state.signpost !== undefined;
	}

	async poll(step: Step = QUIET): Promise<void> {
		this.requests = 0;
		this.server.create(step.create);
		if (this.isReading) this.shift(step.where, step.delete);
		else this.server.delete(step.where, step.delete);
		const send = async ({ query = {} }: IDataObject) => {
			if (this.requests >= REQUESTS_PER_POLL) throw outOfRequests();
			this.requests += 1;
			if (this.requests === step.at) this.server.create(step.amid);
			if (this.requests === step.shiftAt) this.shift(step.where, step.shift);
			if (this.requests === step.failing)
				throw new Failure({ kind: 'noResponse', message: 'Lost' });
			return await Promise.resolve({ body: this.server.respond(query as IDataObject) });
		};
		const poll = { state: this.state, isTest: false, parameters: {}, send };
		try {
			const { records, state } = await pollList(poll as unknown as Poll, LIST);
			this.given.push(...records.map(({ id }) => Number(id)));
			this.state = state;
			if (!this.isReading) this.wasShifted = this.isShifted;
		} catch (error) {
			// A poll that fails changes no state.
			if (!(error instanceof Failure)) throw error;
		}
		if (!this.isReading) this.isShifted = false;
	}

	/** Deletes during a reading, but not during two in a row: that can hide a new record, as docs/triggers.md says. */
	private shift(where: number, count: number): void {
		if (count === 0 || this.wasShifted) return;
		this.isShifted = true;
		this.server.delete(where, count);
	}
}

type Choices = { [Name in keyof ListDialect]?: ReadonlyArray<ListDialect[Name]> };

const upTo = (max: number, min = 0) => fc.integer({ min, max });
/** Mostly the first, sometimes one of the others. */
const mostly = (usual: fc.Arbitrary<number>, ...others: Array<fc.Arbitrary<number>>) =>
	fc.oneof(
		{ weight: 4, arbitrary: usual },
		...others.map((arbitrary) => ({ weight: 1, arbitrary })),
	);

const where = upTo(99).map((percent) => percent / 100);

const steps = fc.record<Step>({
	create: mostly(mostly(upTo(3), upTo(150, 4)), mostly(upTo(150, 4), upTo(5000, 300))),
	delete: mostly(fc.constant(0), upTo(30, 1)),
	where,
	amid: upTo(3),
	at: upTo(6, 1),
	shift: mostly(fc.constant(0), upTo(30, 1)),
	shiftAt: upTo(6, 2),
	failing: mostly(fc.constant(0), upTo(8, 1)),
});

const historyOf = (choices: Choices) =>
	fc.record<History>({
		dialect: fc
			.tuple(...Object.values(choices).map((values) => fc.constantFrom<unknown[]>(...values)))
			.map((values) => {
				const chosen = Object.keys(choices).map((name, at) => [name, values[at]]);
				return { ...PLAIN, ...(Object.fromEntries(chosen) as Partial<ListDialect>) };
			}),
		existing: upTo(400),
		steps: fc.array(steps, { minLength: 1, maxLength: 12 }),
	});

/** What happened to the records of a history. */
async function play({ dialect, existing, steps: happened }: History) {
	const server = new ListServer(dialect);
	const trigger = new Trigger(server);
	server.create(existing);
	// Nothing is deleted during the first reading: that can make an old record new, as docs/triggers.md says.
	for (let polls = 0; polls < 100 && trigger.isReading; polls += 1) await trigger.poll();
	const old = new Set(server.ids);
	for (const step of happened) await trigger.poll(step);
	// A list that is read whole takes several polls for each of three readings.
	const perPage = dialect.limit === 'obeyed' ? dialect.cap : Math.min(dialect.cap, 15);
	const readings = 4 + 3 * Math.ceil(server.ids.length / perPage / REQUESTS_PER_POLL);
	for (let quiet = 0, polls = 0; quiet < readings && polls < 1500; polls += 1) {
		const before = trigger.given.length;
		await trigger.poll();
		quiet = trigger.given.length > before ? 0 : quiet + 1;
	}
	const given = new Set(trigger.given);
	return {
		lost: server.ids.filter((id) => !old.has(id) && !given.has(id)),
		twice: trigger.given.length - given.size,
		old: trigger.given.filter((id) => old.has(id)),
	};
}

const cap = [10, 15, 25, 50, 100];
const order = ['newestFirst', 'oldestFirst'] as const;
const beyond = ['empty', 'last', 'refused'] as const;
const known = ['right', 'missing'] as const;

/** Lists as services have them. */
const FAMILIES: Record<string, Choices> = {
	'newest first': { perDate: [1, 3], cap, beyond, result: known, maxPage: known },
	'many of one second': { perDate: [20] },
	'oldest first': { order: ['oldestFirst'], cap, beyond, result: known, maxPage: known },
	'limit ignored or refused': { order, limit: ['ignored', 'refused'], cap, beyond },
	'numbers wrong': {
		order,
		cap: [10, 100],
		result: ['right', 'ofPage', 'tooHigh'],
		maxPage: ['right', 'missing', 'tooHigh'],
		beyond,
	},
	'pages of seven': { order, cap: [7], beyond, maxPage: known },
	'dates against IDs': { isClockSetBack: [true], cap },
	'page 1 behind the end': { order, beyond: ['first'] },
};

/** The most requests of an idle poll: page 1, the last page, and those behind it that wrong or missing numbers promise. */
function idleRequests({ order: way, limit, result, maxPage }: ListDialect): number {
	const refused = limit === 'refused' ? 1 : 0;
	if (way === 'newestFirst') return 1 + refused;
	const isWrong = maxPage === 'tooHigh' || result === 'tooHigh' || result === 'ofPage';
	return (isWrong ? 6 : 3) + refused;
}

const OLDEST: ListDialect = { ...PLAIN, order: 'oldestFirst' };

/** Histories that failed once, or fail without a line of the code. */
const EXAMPLES: Record<string, History[]> = {
	'pages of seven': [
		{
			dialect: { ...OLDEST, cap: 7 },
			existing: 179,
			steps: [
				{ ...QUIET, create: 133 },
				{ ...QUIET, create: 3 },
				QUIET,
				{ ...QUIET, create: 17, failing: 1 },
				{ ...QUIET, failing: 1 },
				// The last page is empty, and the scan before this one was interrupted.
				{ ...QUIET, amid: 5, shift: 8, shiftAt: 3 },
				QUIET,
			],
		},
	],
	'oldest first': [
		{
			dialect: { ...OLDEST, cap: 10 },
			existing: 0,
			// Amid the reading, the last pages are gone.
			steps: [{ ...QUIET, create: 42, delete: 1, shift: 11, shiftAt: 3 }, QUIET],
		},
		{
			dialect: { ...OLDEST, cap: 10 },
			existing: 0,
			// The reading after this one has to begin where this one began, not at its last poll.
			steps: [{ ...QUIET, create: 400, shift: 1 }, QUIET],
		},
	],
	'numbers wrong': [
		{
			dialect: { ...OLDEST, maxPage: 'tooHigh' },
			existing: 0,
			steps: [
				{ ...QUIET, create: 99, delete: 1, amid: 3, at: 2, shift: 1, shiftAt: 5, failing: 5 },
				QUIET,
			],
		},
		{
			dialect: { ...OLDEST, result: 'tooHigh', maxPage: 'missing' },
			existing: 10,
			steps: [{ ...QUIET, amid: 1 }],
		},
		{
			dialect: { ...OLDEST, cap: 10, result: 'tooHigh', maxPage: 'missing', beyond: 'last' },
			existing: 28,
			// Many pages behind the end look like the last one.
			steps: [{ ...QUIET, create: 3 }],
		},
	],
};

describe.each(Object.entries(FAMILIES))('%s', (name, choices) => {
	test('each new record comes once, and no old one', async () => {
		const property = fc.asyncProperty(historyOf(choices), async (history) => {
			expect(await play(history)).toEqual({ lost: [], twice: 0, old: [] });
		});
		const examples = (EXAMPLES[name] ?? []).map((history): [History] => [history]);
		await fc.assert(property, { ...seeded(15), examples });
	}, 3_000_000);

	test('an idle poll takes few requests, whatever the size of the list', async () => {
		const property = fc.asyncProperty(
			historyOf(choices),
			fc.constantFrom(0, 9, 10, 100, 250, 900),
			async ({ dialect }, count) => {
				const server = new ListServer(dialect);
				server.create(count);
				const trigger = new Trigger(server);
				for (let polls = 0; polls < 20; polls += 1) await trigger.poll();
				expect(trigger.requests).toBeLessThanOrEqual(idleRequests(dialect));
			},
		);
		await fc.assert(property, seeded(50));
	}, 60_000);
});
