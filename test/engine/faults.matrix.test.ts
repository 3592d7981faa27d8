import type { IDataObject } from 'n8n-workflow';

import type { DialectName } from '../../sandbox/dialects.ts';
import { DIALECT_NAMES, presetDialect } from '../../sandbox/dialects.ts';
import type { FaultKind } from '../../sandbox/faults.ts';
import { FAULT_KIND_NAMES } from '../../sandbox/faults.ts';
import type { Fixture } from '../fixtures.ts';
import { FIXTURES } from '../fixtures.ts';
import { prepare, runFixture } from './fixture.ts';
import type { StageResult } from './support.ts';
import { largestPage, Stage, pairs } from './support.ts';

/**
 * Every operation, suffering every fault, and one operation of each kind suffering them in every dialect. What has to come
 * of it is one small table for all: how many requests arrive, and what the item says.
 *
 * One of each kind is enough for the other dialects: what a dialect changes is read by the one way of sending, before
 * anything that belongs to a single operation sees the response.
 */

/** The request that suffers, and what it is to the service. */
interface Subject {
	name: string;
	fixture: Fixture;
	/** `GET /api/url/:id` */
	request: string;
	suffersAs: 'read' | 'write';
}

/** An upsert suffers by itself, in `operations/upsert.test.ts`: it finds out what became of a write. */
const SAMPLES = FIXTURES.filter(({ kind }) => kind !== 'upsert');

// What a write reads first suffers as a read.
const SUBJECTS: Subject[] = SAMPLES.flatMap((fixture) =>
	fixture.requests.map(({ request }) => ({
		name: `${fixture.node} ${fixture.name}, ${request}`,
		fixture,
		request: request.replace(/\{\w+\}/g, ':id'),
		suffersAs: fixture.kind === 'write' && !request.startsWith('GET ') ? 'write' : 'read',
	})),
);

/** Rows of an operation, and what a failure of the first one adds to the message. */
const rowsOf = ({ kind }: Fixture): number => (kind === 'write' ? 3 : 1);
const progressOf = ({ kind }: Fixture): string =>
	kind === 'write' ? ' (item 1 of 3: 0 succeeded, 2 not sent)' : '';

/** Each with the dialects in which it suffers. */
const TRIALS = SUBJECTS.map((subject, index) => {
	const kindOf = ({ fixture, suffersAs }: Subject) =>
		[fixture.node, fixture.kind, suffersAs].join();
	const isFirst = SUBJECTS.findIndex((other) => kindOf(other) === kindOf(subject)) === index;
	return { subject, dialects: isFirst ? DIALECT_NAMES : (['seen'] as const) };
});

/** Pages of a list, the last one with a single record. */
const PAGES = 3;

/** Records of such a list. */
function listed(dialect: DialectName): number {
	return (PAGES - 1) * largestPage(presetDialect(dialect)) + 1;
}

/** Less than three rows or pages need, so that a misread end of the window shows: as a wait without end, or as a refusal. */
const RATE_LIMIT = { requests: 2, windowSeconds: 1 };
const PACED = { requestsPerMinute: 30 };

/** What the item says; `%` stands for the service. */
interface Words {
	message: string;
	advice: string;
}

/** What comes of a fault, for a read and for a write. */
interface Outcome {
	/** `alone`: the one that suffered and what went before it, and no other; `repeated`: it comes four times. */
	requests: 'as usual' | 'one more' | 'alone' | 'repeated' | 'in smaller pages' | 'in all sizes';
	/** undefined: it succeeds. */
	says?: Words;
	/** Whether a write has to warn that it may have been carried out. */
	outcomeUnknown?: boolean;
}

const OK: Outcome = { requests: 'as usual' };
const REPEATED: Outcome = { requests: 'one more' };

const ADDRESS = 'Check the base URL in the credential and that the service is up';
const REDIRECT = 'Enter the address of the service itself as the base URL in the credential';
const LATER = 'Try again later; the service or a proxy in front of it is down';
const MAY_BE_DONE =
	'It may still have been carried out, so it was not sent again. Check the service before you run it again. ';

const LOST: Words = {
	message: 'No response from %: the connection was closed before the response',
	advice: ADDRESS,
};
const unexpected = (what: string, status: number, advice = ADDRESS): Words => ({
	message: `Expected a response from %, but got ${what} (status ${status})`,
	advice,
});
const unavailable = (status: number): Words => ({
	message: `% is not available (status ${status})`,
	advice: LATER,
});
const failed = (says: Words, outcomeUnknown = true): Outcome => ({
	requests: 'alone',
	says,
	outcomeUnknown,
});
const both = (outcome: Outcome) => ({ read: outcome, write: outcome });

type FaultName = FaultKind | 'http-503 lasting';

const OUTCOMES: Record<FaultName, Record<Subject['suffersAs'], Outcome>> = {
	delay: both(OK),
	'drop-before': { read: REPEATED, write: failed(LOST) },
	'drop-after': { read: REPEATED, write: failed(LOST) },
	'http-500': both(failed(unexpected('a web page', 500))),
	'http-502': { read: REPEATED, write: failed(unavailable(502)) },
	'http-503': { read: REPEATED, write: failed(unavailable(503)) },
	'http-503 lasting': {
		read: { requests: 'repeated', says: unavailable(503) },
		write: failed(unavailable(503)),
	},
	'cut-json': both(failed(unexpected('incomplete JSON', 200))),
	'empty-body': both(failed(unexpected('an empty response', 200))),
	'login-redirect': both(failed(unexpected('a redirect to /login', 302, REDIRECT), false)),
	'skewed-clock': both(OK),
	'limit-exhausted': both(REPEATED),
};

const FAULT_NAMES: FaultName[] = [...FAULT_KIND_NAMES, 'http-503 lasting'];

/** The store has no rate limit that somebody could use up. */
const faultsOf = ({ fixture }: Subject): FaultName[] =>
	FAULT_NAMES.filter((fault) => fixture.node !== 'store' || fault !== 'limit-exhausted');

/** What came of a fault, or has to. */
interface Cell {
	requests: number;
	/** `all`: as without the fault. */
	output: 'all' | 'none' | 'other';
	/** Whether what n8n keeps of it holds some of the page that came. */
	keepsPage: boolean;
	/** What its error says, if there is one. */
	message?: string | undefined;
	advice?: string | null | undefined;
	httpCode?: string | null | undefined;
}

/** What comes of a fault where it may be about the size of a page: smaller ones are tried. */
function outcomeOf({ fixture, suffersAs }: Subject, fault: FaultName): Outcome {
	const isPaged = fixture.node !== 'store' && fixture.kind === 'list';
	if (isPaged && fault === 'http-500') return { requests: 'in smaller pages' };
	const outcome = OUTCOMES[fault][suffersAs];
	if (isPaged && fault === 'http-503 lasting') return { ...outcome, requests: 'in all sizes' };
	return outcome;
}

function expectedCell(subject: Subject, fault: FaultName, dialect: DialectName): Cell {
	const { fixture, suffersAs } = subject;
	const { says, outcomeUnknown, requests } = outcomeOf(subject, fault);
	const usual = usualRequests(fixture);
	const alone = fixture.requests.length > 1 && suffersAs === 'write' ? 2 : 1;
	const smallerPage = Math.min(50, largestPage(presetDialect(dialect)));
	const counts = {
		...{ 'as usual': usual, 'one more': usual + 1, alone, repeated: 4 },
		...{ 'in smaller pages': 1 + Math.ceil(listed(dialect) / smallerPage), 'in all sizes': 20 },
	};
	const cell: Cell = {
		requests: counts[requests],
		output: says ? 'none' : 'all',
		keepsPage: false,
	};
	if (!says) return cell;

	const service = fixture.node === 'store' ? 'the store' : 'the service';
	const named = says.message.replace(/^%/, service.replace('t', 'T')).replace('%', service);
	const isDoubtful = suffersAs === 'write' && outcomeUnknown === true;
	return {
		...cell,
		message: `${named}${progressOf(fixture)}`,
		advice: `${isDoubtful ? MAY_BE_DONE : ''}${says.advice}`,
		httpCode: /status (\d+)/.exec(says.message)?.[1],
	};
}

/** Requests that an operation takes when nothing goes wrong. */
function usualRequests(fixture: Fixture): number {
	const isPaged = fixture.requests.some(({ query }) => query && 'page' in query);
	return isPaged ? PAGES : rowsOf(fixture) * fixture.requests.length;
}

/** Suffers these faults, one after another, at a service of its own in that dialect. */
async function suffered(
	subject: Subject,
	dialect: DialectName,
	faults: FaultName[],
): Promise<Record<string, Cell>> {
	const { fixture } = subject;
	const stage = new Stage(dialect, { rateLimit: RATE_LIMIT, renewsKey: true });
	const makeRows = async () =>
		await prepare(stage, fixture, fixture.kind === 'list' ? listed(dialect) : rowsOf(fixture));
	const execute = async (rows: IDataObject[]) => {
		const credential = fixture.node === 'store' ? {} : PACED;
		return await runFixture(stage, fixture, { rows, credential });
	};
	const cells: Record<string, Cell> = {};
	try {
		await stage.open();
		await stage.enter();
		const isWrite = fixture.kind === 'write';
		const { rows, outputs } = isWrite ? { rows: [], outputs: [] } : await makeRows();
		const usual = isWrite ? undefined : await execute(rows);
		expect(usual?.json.length ?? 0).toBe(outputs.flat().length);
		for (const fault of faults) {
			const given = isWrite ? (await makeRows()).rows : rows;
			const wasSuffered = provoke(stage, subject, fault);
			const result = await execute(given);
			expect([fault, wasSuffered()]).toEqual([fault, true]);
			cells[fault] = cellOf(result, given, usual);
		}
	} finally {
		await stage.close();
	}
	return cells;
}

/** Makes the service fail so. @returns ends it, and says whether anything suffered it */
function provoke({ sandbox }: Stage, { fixture, request }: Subject, fault: FaultName) {
	const [method, path] = request.split(' ');
	const lasts = fault === 'http-503 lasting';
	const kind = lasts ? 'http-503' : fault;
	const times = lasts ? 99 : 1;
	const service = fixture.node === 'store' ? 'store' : 'link';
	sandbox.faults.add({ kind, times, service, method, path, milliseconds: 50 });
	return (): boolean => {
		const left = sandbox.faults.list();
		sandbox.faults.clear();
		return left.every((each) => Number(each.times) < times);
	};
}

/** A read gives the same as ever; a write, one item for each row. */
function cellOf(result: StageResult, rows: IDataObject[], usual: StageResult | undefined): Cell {
	const { error, json, requests, run } = result;
	const isAll = usual
		? JSON.stringify(json) === JSON.stringify(usual.json)
		: JSON.stringify(pairs(result)) === JSON.stringify(rows.map((_row, item) => ({ item })));
	return {
		requests: requests.length,
		output: json.length === 0 ? 'none' : isAll && !error ? 'all' : 'other',
		message: error?.message,
		advice: error?.description ?? undefined,
		httpCode: error?.httpCode ?? undefined,
		keepsPage: /<html|<body|<title/i.test(JSON.stringify(run.data.resultData.error ?? {})),
	};
}

const results = new Map<string, PromiseSettledResult<Record<string, Cell>>>();

beforeAll(async () => {
	const cases = TRIALS.flatMap(({ subject, dialects }) =>
		dialects.map((dialect) => ({ subject, dialect })),
	);
	// Most of it is waiting, so all of them wait together, and each of them in two places.
	const suffer = async ({ subject, dialect }: (typeof cases)[number]) => {
		const parts = [0, 1].map(async (part) => {
			const faults = faultsOf(subject).filter((_fault, at) => at % 2 === part);
			return await suffered(subject, dialect, faults);
		});
		return Object.assign({}, ...(await Promise.all(parts))) as Record<string, Cell>;
	};
	const settled = await Promise.allSettled(cases.map(suffer));
	for (const [index, result] of settled.entries()) {
		const { subject, dialect } = cases[index] ?? {};
		results.set(`${subject?.name} ${dialect}`, result);
	}
}, 300_000);

describe.each(TRIALS)('$subject.name suffers every fault as it must', ({ subject, dialects }) => {
	test.each(dialects)('in the dialect %s', (dialect) => {
		const result = results.get(`${subject.name} ${dialect}`);
		if (result?.status !== 'fulfilled') throw result?.reason;
		const expected = faultsOf(subject).map((fault) => {
			const cell = expectedCell(subject, fault, dialect);
			const seen = result.value[fault]?.requests;
			// The service's windows end at whole seconds, so a read may be refused once more.
			const isOneMore = cell.output === 'all' && seen === cell.requests + 1;
			return [fault, isOneMore ? { ...cell, requests: seen } : cell];
		});
		expect(result.value).toEqual(Object.fromEntries(expected));
	});
});

test('every operation and every fault that the sandbox knows is in the matrix', () => {
	expect(new Set(SUBJECTS.map(({ fixture }) => fixture)).size).toBe(SAMPLES.length);
	expect(Object.keys(OUTCOMES).sort()).toEqual([...FAULT_NAMES].sort());
});
