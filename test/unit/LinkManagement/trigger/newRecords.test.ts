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
 * Whatever happens to a list, each new record starts the workflow once, and no old one does. The histories are the same in each run;
 * RUNS and SEED run more of them, or those of a failure. The shrunk history of a failure goes into EXAMPLES.
 */
const { RUNS = '12', SEED = '1' } = process.env;

const LIST: PagedList = {
	source: { path: '/api/list', listName: 'records' },
	recordOf: (entry) => entry,
	label: String,
	details: { path: (id) => `/api/list/${id}`, recordIn: () => ({ isDetailed: true }) },
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
	/** Whether the details of each new record are read. */
	includeDetails: boolean;
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

	private readonly options: IDataObject;

	constructor(server: ListServer, includeDetails = false) {
		this.server = server;
		this.options = { includeDetails };
	}

	/** Whether the next poll goes on with what this one did not finish. */
	get isReading(): boolean {
		return this.state === undefined || this.state.signpost !== undefined;
	}

	async poll({ changes, failing }: Step = QUIET): Promise<void> {
		this.requests = 0;
		this.change(changes);
		const send = async ({ path, query = {} }: IDataObject) => {
			if (this.requests >= REQUESTS_PER_POLL) throw outOfRequests();
			this.requests += 1;
			this.change(changes);
			if (this.requests === failing) throw new Failure({ kind: 'noResponse', message: 'Lost' });
			const isList = path === LIST.source.path;
			return await Promise.resolve({
				body: isList ? this.server.respond(query as IDataObject) : {},
			});
		};
		const poll: Partial<Poll> = {
			state: this.state,
			isTest: false,
			parameters: { options: this.options },
			send: send as unknown as Poll['send'],
		};
		try {
			const { records, state } = await pollList(poll as Poll, LIST);
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
function historyOf({ choices, isShort = false, includeDetails = false }: Family) {
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
	return fc.record<History>({
		includeDetails: fc.constant(includeDetails),
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

/** What happened to the records of a history. */
async function play({ dialect, includeDetails, existing, steps, shift }: History) {
	const server = new ListServer(dialect);
	const trigger = new Trigger(server, includeDetails);
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
	};
}

const CAPS = [10, 15, 25, 50, 100];
const NUMBERS = { result: ['right', 'missing'], maxPage: ['right', 'missing'] } as const;
const BOTH = ['newestFirst', 'oldestFirst'] as const;
const BEYOND = ['empty', 'last', 'refused'] as const;

interface Family {
	choices: Choices;
	isShort?: boolean;
	includeDetails?: boolean;
}

/** Lists as services have them. */
const FAMILIES: Record<string, Family> = {
	'newest first': { choices: { perDate: [1, 20] } },
	'newest first, small pages, numbers missing': {
		choices: { cap: CAPS, perDate: [1, 3], beyond: BEYOND, ...NUMBERS },
	},
	'oldest first, small pages, numbers missing': {
		choices: { order: ['oldestFirst'], cap: CAPS, beyond: BEYOND, ...NUMBERS },
	},
	'limit ignored or refused': {
		choices: { order: BOTH, limit: ['ignored', 'refused'], cap: CAPS, beyond: BEYOND },
	},
	'numbers wrong': {
		choices: {
			order: BOTH,
			cap: [10, 100],
			result: ['right', 'ofPage', 'tooHigh'],
			maxPage: ['right', 'missing', 'tooHigh'],
			beyond: BEYOND,
		},
	},
	'pages of seven': {
		choices: { order: BOTH, cap: [7], beyond: BEYOND, maxPage: ['right', 'missing'] },
	},
	'dates against IDs': { choices: { isClockSetBack: [true], cap: CAPS } },
	'page 1 behind the end': { choices: { order: BOTH, beyond: ['first'] } },
	'with details': {
		choices: { order: BOTH, cap: [10, 100], ...NUMBERS },
		isShort: true,
		includeDetails: true,
	},
};

/** The most requests of an idle poll: page 1, the last page, and those behind it that wrong or missing numbers promise. */
function idleRequests({ order, limit, result, maxPage }: ListDialect): number {
	const refused = limit === 'refused' ? 1 : 0;
	if (order === 'newestFirst') return 1 + refused;
	const isWrong = maxPage === 'tooHigh' || result === 'tooHigh' || result === 'ofPage';
	return (isWrong ? 6 : 3) + refused;
}

const once = (at: number, create: number, deleted = 0): Change => ({
	at,
	create,
	delete: deleted,
	where: 0,
});

const SHORT = { includeDetails: false, existing: 0, shift: { ...once(1, 0, 1), step: 0 } };

/** Histories that failed once, or fail without a line of the code. */
const EXAMPLES: Record<string, History[]> = {
	'pages of seven': [
		{
			...SHORT,
			dialect: { ...PLAIN, order: 'oldestFirst', cap: 7 },
			existing: 179,
			steps: [
				{ changes: [once(0, 133)], failing: 0 },
				{ changes: [once(0, 3)], failing: 0 },
				QUIET,
				{ changes: [once(0, 17)], failing: 1 },
				{ changes: [], failing: 1 },
				{ changes: [once(1, 5)], failing: 0 },
				QUIET,
			],
			// The last page is empty, and the scan before this one was interrupted.
			shift: { ...once(3, 0, 8), step: 5 },
		},
	],
	'oldest first, small pages, numbers missing': [
		{
			...SHORT,
			dialect: { ...PLAIN, order: 'oldestFirst', cap: 10 },
			steps: [{ changes: [once(0, 42, 1)], failing: 0 }, QUIET],
			// Amid the reading, the last pages are gone.
			shift: { ...once(3, 0, 11), step: 0 },
		},
	],
	'numbers wrong': [
		{
			...SHORT,
			dialect: { ...PLAIN, order: 'oldestFirst', maxPage: 'tooHigh' },
			steps: [{ changes: [once(0, 99, 1), once(2, 3)], failing: 5 }, QUIET],
			shift: { ...once(5, 0, 1), step: 0 },
		},
		{
			...SHORT,
			dialect: { ...PLAIN, order: 'oldestFirst', result: 'tooHigh', maxPage: 'missing' },
			existing: 10,
			steps: [{ changes: [once(1, 1)], failing: 0 }],
		},
		{
			...SHORT,
			dialect: { ...PLAIN, cap: 10, result: 'tooHigh', beyond: 'refused' },
			steps: [
				{ changes: [once(0, 11, 1)], failing: 0 },
				{ changes: [once(0, 3, 6), once(1, 3)], failing: 0 },
			],
			shift: { ...once(1, 0, 1), step: 2 },
		},
	],
};

describe.each(Object.entries(FAMILIES))('%s', (name, family) => {
	test(
		'each new record comes once, and no old one',
		async () => {
			const property = fc.asyncProperty(historyOf(family), async (history) => {
				expect(await play(history)).toEqual({ lost: [], twice: 0, old: [] });
			});
			const examples = (EXAMPLES[name] ?? []).map((history): [History] => [history]);
			await fc.assert(property, { numRuns: Number(RUNS), seed: Number(SEED), examples });
		},
		60_000 + Number(RUNS) * 2_000,
	);

	test('an idle poll takes few requests, whatever the size of the list', async () => {
		const tooMany: unknown[] = [];
		for (const dialect of dialectsOf(family.choices)) {
			for (const count of [0, 9, 10, 100, 250, 900]) {
				const server = new ListServer(dialect);
				server.create(count);
				const trigger = new Trigger(server);
				for (let polls = 0; polls < 20; polls += 1) await trigger.poll();
				const { requests } = trigger;
				const most = idleRequests(dialect);
				if (requests > most) tooMany.push({ dialect, count, requests, most });
			}
		}
		expect(tooMany).toEqual([]);
	}, 60_000);
});

/** Every combination of the choices. */
function dialectsOf(choices: Choices): ListDialect[] {
	let dialects = [PLAIN];
	for (const [name, values] of Object.entries(choices)) {
		dialects = dialects.flatMap((dialect) =>
			values.map((value) => ({ ...dialect, [name]: value })),
		);
	}
	return dialects;
}
