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
import { type ListDialect, ListServer, PLAIN } from '../../helpers/listServer.ts';

/**
 * Whatever happens to a list, each new record starts the workflow once, no old one does, and an idle poll takes few requests.
 * RUNS and SEED run more histories, or those of a failure.
 */
const { RUNS = '40', SEED } = process.env;

const LIST: PagedList = {
	source: { path: '/api/list', listName: 'records' },
	recordOf: (entry) => entry,
	label: String,
};

interface Change {
	/** Before which request of a poll; 0 means before the poll. */
	at: number;
	create: number;
	delete: number;
	/** Where it deletes, from 0 up to 1 of the list. */
	where: number;
}

interface Step {
	changes: Change[];
	/** Which request of the poll fails; 0 for none. */
	failing: number;
}

interface History {
	dialect: ListDialect;
	existing: number;
	steps: Step[];
	/** A deletion while a list is read, in one of the steps: in two readings, it may hide a record, as docs/triggers.md says. */
	shift: Change & { step: number };
}

const QUIET: Step = { changes: [], failing: 0 };

/** A trigger for new records of a list. */
class Trigger {
	/** The IDs that started the workflow, in this order. */
	readonly given: number[] = [];
	/** Of the last poll. */
	requests = 0;
	private state: IDataObject | undefined;
	private readonly server: ListServer;
	private readonly isSorted: boolean;

	constructor(server: ListServer, { order }: ListDialect) {
		this.server = server;
		this.isSorted = order !== 'byName';
	}

	/** Whether the next poll goes on with what this one did not finish. */
	get isReading(): boolean {
		return this.state === undefined || this.state.signpost !== undefined;
	}

	async poll({ changes, failing }: Step = QUIET): Promise<void> {
		this.requests = 0;
		this.change(changes);
		const send = async ({ query = {} }: IDataObject) => {
			if (this.requests >= REQUESTS_PER_POLL) throw outOfRequests();
			this.requests += 1;
			this.change(changes);
			if (this.requests === failing) throw new Failure({ kind: 'noResponse', message: 'Lost' });
			return await Promise.resolve({ body: this.server.respond(query as IDataObject) });
		};
		const poll: Partial<Poll> = {
			state: this.state,
			isTest: false,
			parameter: () => undefined,
			send: send as unknown as Poll['send'],
		};
		try {
			const { records, state } = await pollList(poll as Poll, LIST, this.isSorted);
			this.given.push(...records.map(({ id }) => Number(id)));
			this.state = state;
		} catch (error) {
			// A poll that fails changes no state.
			if (!(error instanceof Failure)) throw error;
		}
	}

	/** What happens to the list before this request. */
	private change(changes: readonly Change[]): void {
		for (const change of changes.filter(({ at }) => at === this.requests)) {
			this.server.create(change.create);
			this.server.delete(change.where, change.delete);
		}
	}
}

type Choices = { [Name in keyof ListDialect]?: ReadonlyArray<ListDialect[Name]> };

const few = fc.integer({ min: 0, max: 3 });
const never = fc.constant(0);
const some = fc.integer({ min: 4, max: 150 });
const many = fc.integer({ min: 300, max: 5000 });

/** @param isShort whether the list has at most some hundred records, and none is deleted while it is read */
function historyOf(choices: Choices, isShort = false): fc.Arbitrary<History> {
	const created = fc.oneof(
		{ weight: 12, arbitrary: few },
		{ weight: 5, arbitrary: some },
		{ weight: 1, arbitrary: isShort ? few : many },
	);
	const deleted = fc.oneof(
		{ weight: 3, arbitrary: never },
		{ weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }) },
	);
	const where = fc.integer({ min: 0, max: 99 }).map((percent) => percent / 100);
	const before = fc.record({ at: never, create: created, delete: deleted, where });
	const request = fc.integer({ min: 1, max: 6 });
	const amid = fc.record({ at: request, create: few, delete: never, where });
	const step: fc.Arbitrary<Step> = fc.record({
		changes: fc
			.tuple(fc.array(before, { maxLength: 2 }), fc.array(amid, { maxLength: 2 }))
			.map((changes) => changes.flat()),
		failing: fc.oneof(
			{ weight: 4, arbitrary: never },
			{ weight: 1, arbitrary: fc.integer({ min: 1, max: 8 }) },
		),
	});
	const chosen: Record<string, fc.Arbitrary<unknown>> = {};
	for (const [name, values] of Object.entries(choices)) {
		chosen[name] = fc.constantFrom<unknown[]>(...values);
	}
	return fc.record({
		dialect: fc.record(chosen).map((each): ListDialect => ({ ...PLAIN, ...each })),
		existing: fc.integer({ min: 0, max: 400 }),
		steps: fc.array(step, { minLength: 1, maxLength: 12 }),
		shift: fc.record({
			step: fc.integer({ min: 0, max: 11 }),
			at: request,
			create: never,
			delete: isShort ? never : fc.integer({ min: 1, max: 30 }),
			where,
		}),
	});
}

/** What happened to the records of a history, and how many requests an idle poll takes in the end. */
async function play({ dialect, existing, steps, shift }: History) {
	const server = new ListServer(dialect);
	const trigger = new Trigger(server, dialect);
	server.create(existing);
	for (let polls = 0; polls < 100 && trigger.isReading; polls += 1) await trigger.poll();
	const old = new Set(server.ids);
	for (const [at, { changes, failing }] of steps.entries()) {
		const shifts = at === shift.step ? [shift] : [];
		await trigger.poll({ changes: [...changes, ...shifts], failing });
	}
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
		idle: trigger.requests,
	};
}

const CAPS = [10, 15, 25, 50, 100];
const NUMBERS = { result: ['right', 'missing'], maxPage: ['right', 'missing'] } as const;
const BOTH = ['newestFirst', 'oldestFirst'] as const;
const BEYOND = ['empty', 'last', 'refused'] as const;

/** Lists as services have them, and the most requests of an idle poll on average. */
test.each<[what: string, idle: number, history: fc.Arbitrary<History>]>([
	['newest first', 1.1, historyOf({ perDate: [1, 20] })],
	[
		'newest first, small pages, numbers missing',
		1.5,
		historyOf({ cap: CAPS, perDate: [1, 3], beyond: BEYOND, ...NUMBERS }),
	],
	['oldest first', 2, historyOf({ order: ['oldestFirst'] })],
	[
		'oldest first, small pages, numbers missing',
		20,
		historyOf({ order: ['oldestFirst'], cap: CAPS, beyond: BEYOND, ...NUMBERS }),
	],
	[
		'limit ignored or refused',
		3,
		historyOf({ order: BOTH, limit: ['ignored', 'refused'], cap: CAPS, beyond: BEYOND }),
	],
	[
		'numbers wrong',
		20,
		historyOf({
			order: BOTH,
			result: ['right', 'ofPage', 'tooHigh'],
			maxPage: ['right', 'missing', 'tooHigh'],
			beyond: ['empty', 'last'],
		}),
	],
	['dates against IDs', 1.5, historyOf({ isClockSetBack: [true], cap: CAPS })],
	['page 1 behind the end', 2, historyOf({ order: BOTH, beyond: ['first'] })],
	['in no order', 20, historyOf({ order: ['byName'], cap: [50, 100] }, true)],
])(
	'%s: each new record once, and %d requests of an idle poll',
	async (_what, most, history) => {
		let requests = 0;
		let runs = 0;
		const once = fc.asyncProperty(history, async (each) => {
			const { idle, ...found } = await play(each);
			expect(found).toEqual({ lost: [], twice: 0, old: [] });
			requests += idle;
			runs += 1;
		});
		const seed = SEED === undefined ? {} : { seed: Number(SEED) };
		await fc.assert(once, { numRuns: Number(RUNS), ...seed });
		expect(requests / runs).toBeLessThanOrEqual(most);
	},
	120_000,
);
