import * as fc from 'fast-check';

import { type ListDialect, ListServer, PLAIN } from '../../helpers/listServer.ts';
import { PolledList, type PollEvents } from '../../helpers/polledList.ts';

/**
 * Whatever happens to a list and to n8n, each new record starts the workflow once, no old one does, and an idle poll takes few
 * requests. RUNS and SEED run more histories, or those of a failure.
 */
const { RUNS = '40', SEED } = process.env;

interface Change {
	/** Before which request of a poll; 0 means before the poll. */
	at: number;
	create: number;
	delete: number;
	where: number;
}

type Step =
	| { type: 'poll'; changes: Change[]; failing: number; storing: PollEvents['storing'] }
	| { type: 'restart' };

interface History {
	dialect: ListDialect;
	isDurable: boolean;
	existing: number;
	steps: Step[];
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
	const amid = fc.record({
		at: fc.integer({ min: 1, max: 6 }),
		create: few,
		delete: isShort ? never : deleted,
		where,
	});
	const poll: fc.Arbitrary<Step> = fc.record({
		type: fc.constant('poll' as const),
		changes: fc
			.tuple(fc.array(before, { maxLength: 2 }), fc.array(amid, { maxLength: 2 }))
			.map((changes) => changes.flat()),
		failing: fc.oneof(
			{ weight: 4, arbitrary: never },
			{ weight: 1, arbitrary: fc.integer({ min: 1, max: 8 }) },
		),
		storing: fc.constantFrom('done', 'done', 'late', 'dropped'),
	});
	const restart: fc.Arbitrary<Step> = fc.constant({ type: 'restart' });
	const chosen: Record<string, fc.Arbitrary<unknown>> = {};
	for (const [name, values] of Object.entries(choices)) {
		chosen[name] = fc.constantFrom<unknown[]>(...values);
	}
	return fc.record({
		dialect: fc.record(chosen).map((each): ListDialect => ({ ...PLAIN, ...each })),
		isDurable: fc.boolean(),
		existing: fc.integer({ min: 0, max: 400 }),
		steps: fc.array(fc.oneof({ weight: 8, arbitrary: poll }, { weight: 1, arbitrary: restart }), {
			minLength: 1,
			maxLength: 12,
		}),
	});
}

/** What happened to the records of a history, and how many requests an idle poll takes in the end. */
async function play({ dialect, isDurable, existing, steps }: History) {
	const server = new ListServer(dialect);
	const trigger = new PolledList(server, dialect.order !== 'byName', isDurable);
	server.create(existing);
	server.refreshNumbers();
	for (let tries = 0; tries < 100; tries += 1)
		if ((await trigger.activate()) && !trigger.isReading) break;
	const old = new Set(server.ids);
	for (const each of steps) {
		if (each.type === 'restart') {
			// What n8n has not stored of the first poll is lost by a restart.
			if (Object.keys(trigger.stored).length > 0) trigger.restart();
			continue;
		}
		const apply = (request: number): void => {
			for (const change of each.changes.filter(({ at }) => at === request)) {
				server.create(change.create);
				server.delete(change.where, change.delete);
			}
		};
		apply(0);
		const fails = (request: number): boolean => request === each.failing;
		await trigger.poll({ before: apply, fails, storing: each.storing ?? 'done' });
	}
	// A list that is read whole takes several polls for each of three readings.
	const perPage = dialect.limit === 'obeyed' ? dialect.cap : Math.min(dialect.cap, 15);
	const readings = 4 + 3 * Math.ceil(server.ids.length / perPage / 20);
	let polls = 0;
	for (let quiet = 0; quiet < readings && polls < 1500; polls += 1) {
		const before = trigger.given.length;
		await trigger.poll();
		quiet = trigger.given.length > before ? 0 : quiet + 1;
	}
	const given = new Set(trigger.given);
	return {
		lost: server.ids.filter((id) => !old.has(id) && !given.has(id)),
		twice: trigger.given.length - given.size,
		old: trigger.given.filter((id) => old.has(id)),
		isEndless: polls === 1500,
		idle: trigger.requests,
	};
}

const CAPS = [10, 15, 25, 50, 100];
const NUMBERS = { result: ['right', 'missing'], maxPage: ['right', 'missing'] } as const;
const BOTH = ['newestFirst', 'oldestFirst'] as const;
const BEYOND = ['empty', 'last', 'refused'] as const;

/** Lists as services have them, and the most requests of an idle poll on average. */
const FAMILIES: Record<string, [history: fc.Arbitrary<History>, idle: number]> = {
	'newest first': [historyOf({ perDate: [1, 20] }), 1.1],
	'newest first, small pages, numbers missing': [
		historyOf({ cap: CAPS, perDate: [1, 3], beyond: BEYOND, ...NUMBERS }),
		1.5,
	],
	'oldest first': [historyOf({ order: ['oldestFirst'] }), 2],
	'oldest first, small pages, numbers missing': [
		historyOf({ order: ['oldestFirst'], cap: CAPS, beyond: BEYOND, ...NUMBERS }),
		20,
	],
	'limit ignored': [historyOf({ order: BOTH, limit: ['ignored'], cap: CAPS, beyond: BEYOND }), 3],
	'limit refused': [historyOf({ order: BOTH, limit: ['refused'], cap: CAPS, beyond: BEYOND }), 3],
	'numbers wrong': [
		historyOf({
			order: BOTH,
			result: ['right', 'ofPage', 'tooHigh'],
			maxPage: ['right', 'missing', 'tooHigh'],
			beyond: ['empty', 'last'],
		}),
		20,
	],
	'dates against IDs': [historyOf({ isClockSetBack: [true], cap: CAPS }), 1.5],
	'numbers a minute old, page 1 behind the end': [
		historyOf({ order: BOTH, isCached: [true], beyond: ['first'] }),
		2,
	],
	'in no order': [historyOf({ order: ['byName'], cap: [50, 100] }, true), 20],
};

/** Histories that were once broken. */
const FOUND: Record<string, History[]> = {
	'oldest first': [
		{
			// Smaller pages after a failure have other numbers.
			dialect: { ...PLAIN, order: 'oldestFirst' },
			isDurable: false,
			existing: 0,
			steps: [
				pollAfter({ create: 2000, failing: 1 }),
				pollAfter({ create: 0, failing: 0 }),
				pollAfter({ create: 0, failing: 1 }),
			],
		},
	],
};

function pollAfter({ create, failing }: { create: number; failing: number }): Step {
	const changes = [{ at: 0, create, delete: 0, where: 0 }];
	return { type: 'poll', changes, failing, storing: 'done' };
}

test.each(Object.entries(FAMILIES))(
	'%s',
	async (name, [history, most]) => {
		let requests = 0;
		let runs = 0;
		const once = fc.asyncProperty(history, async (each) => {
			const { idle, ...found } = await play(each);
			expect(found).toEqual({ lost: [], twice: 0, old: [], isEndless: false });
			requests += idle;
			runs += 1;
		});
		const examples = (FOUND[name] ?? []).map((each): [History] => [each]);
		const seed = SEED === undefined ? {} : { seed: Number(SEED) };
		await fc.assert(once, { numRuns: Number(RUNS), examples, ...seed });
		expect(requests / runs).toBeLessThanOrEqual(most);
	},
	120_000,
);
