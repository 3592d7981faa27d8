import type { IDataObject } from 'n8n-workflow';

import type { DialectName } from '../../sandbox/dialects.ts';
import { DIALECT_NAMES, presetDialect } from '../../sandbox/dialects.ts';
import type { FaultKind } from '../../sandbox/faults.ts';
import { FAULT_KIND_NAMES } from '../../sandbox/faults.ts';
import { requestsOf } from '../operationRequests.ts';
import { outputOf } from './operationSample.ts';
import type { OperationSample } from './operationSamples.ts';
import { OPERATION_SAMPLES, runSample } from './operationSamples.ts';
import type { StageResult } from './support.ts';
import { largestPage, Stage, pairs } from './support.ts';

/**
 * Every operation, suffering every fault, and one operation of each kind suffering them in every dialect. What has to come
 * of it is one small table for all: how many requests arrive, how many rows are written, and what the item says.
 *
 * One of each kind is enough for the other dialects: what a dialect changes is read by the one way of sending, before
 * anything that belongs to a single operation sees the response.
 */

/** The request that suffers, and what it is to the service. */
interface Subject {
	name: string;
	sample: OperationSample;
	request: string;
	suffersAs: 'read' | 'write';
}

const SAMPLES = OPERATION_SAMPLES.filter(({ kind }) => kind !== 'upsert');

const SUBJECTS: Subject[] = SAMPLES.flatMap((sample) => {
	const { name, node, kind, request, asks } = sample;
	const suffersAs = kind === 'write' ? 'write' : 'read';
	const itself: Subject = { name: `${node} ${name}`, sample, request, suffersAs };
	if (asks === undefined) return [itself];
	// What a write asks first is a read, and suffers as one.
	return [itself, { ...itself, name: `${itself.name}, asking`, request: asks, suffersAs: 'read' }];
});

/** Rows of an operation, and what a failure of the first one adds to the message. */
const KINDS = {
	read: { rows: 1, progress: '' },
	list: { rows: 1, progress: '' },
	validate: { rows: 2, progress: ' (item 1 of 2: 0 succeeded, 0 not sent)' },
	write: { rows: 3, progress: ' (item 1 of 3: 0 succeeded, 2 not sent)' },
	// Suffers by itself, in `operations/upsert.test.ts`: it finds out what became of a write.
	upsert: { rows: 0, progress: '' },
};

/** Each with the dialects in which it suffers. */
const TRIALS = SUBJECTS.map((subject, index) => {
	const kindOf = ({ sample, suffersAs }: Subject) => [sample.node, sample.kind, suffersAs].join();
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
	/** Rows that a write writes all the same. */
	written?: number;
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
const failed = (says: Words, written = 0, outcomeUnknown = true): Outcome => ({
	requests: 'alone',
	says,
	written,
	outcomeUnknown,
});
const both = (outcome: Outcome) => ({ read: outcome, write: outcome });

type FaultName = FaultKind | 'http-503 lasting';

const OUTCOMES: Record<FaultName, Record<Subject['suffersAs'], Outcome>> = {
	delay: both(OK),
	'drop-before': { read: REPEATED, write: failed(LOST, 0) },
	'drop-after': { read: REPEATED, write: failed(LOST, 1) },
	'http-500': both(failed(unexpected('a web page', 500))),
	'http-502': { read: REPEATED, write: failed(unavailable(502)) },
	'http-503': { read: REPEATED, write: failed(unavailable(503)) },
	'http-503 lasting': {
		read: { requests: 'repeated', says: unavailable(503) },
		write: failed(unavailable(503)),
	},
	'cut-json': both(failed(unexpected('incomplete JSON', 200), 1)),
	'empty-body': both(failed(unexpected('an empty response', 200), 1)),
	'login-redirect': both(failed(unexpected('a redirect to /login', 302, REDIRECT), 0, false)),
	'skewed-clock': both(OK),
	'limit-exhausted': both(REPEATED),
};

const FAULT_NAMES: FaultName[] = [...FAULT_KIND_NAMES, 'http-503 lasting'];

/** The store has no rate limit that somebody could use up. */
const faultsOf = ({ sample }: Subject): FaultName[] =>
	FAULT_NAMES.filter((fault) => sample.node === 'link' || fault !== 'limit-exhausted');

/** What came of a fault, or has to. */
interface Cell {
	requests: number;
	/** Rows that the service shows as written; undefined: it is no write. */
	written: number | undefined;
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
function outcomeOf({ sample, suffersAs }: Subject, fault: FaultName): Outcome {
	const isPaged = sample.node === 'link' && sample.kind === 'list';
	if (isPaged && fault === 'http-500') return { requests: 'in smaller pages' };
	const outcome = OUTCOMES[fault][suffersAs];
	if (isPaged && fault === 'http-503 lasting') return { ...outcome, requests: 'in all sizes' };
	return outcome;
}

function expectedCell(subject: Subject, fault: FaultName, dialect: DialectName): Cell {
	const { sample, suffersAs } = subject;
	const { says, written = 0, outcomeUnknown, requests } = outcomeOf(subject, fault);
	const usual = usualRequests(sample);
	const alone = sample.asks !== undefined && suffersAs === 'write' ? 2 : 1;
	const smallerPage = Math.min(50, largestPage(presetDialect(dialect)));
	const counts = {
		...{ 'as usual': usual, 'one more': usual + 1, alone, repeated: 4 },
		...{ 'in smaller pages': 1 + Math.ceil(listed(dialect) / smallerPage), 'in all sizes': 20 },
	};
	const rows = says ? (suffersAs === 'write' ? written : 0) : KINDS.write.rows;
	const cell: Cell = {
		requests: counts[requests],
		written: sample.kind === 'write' ? rows : undefined,
		output: says ? 'none' : 'all',
		keepsPage: false,
	};
	if (!says) return cell;

	const service = sample.node === 'link' ? 'the service' : 'the store';
	const named = says.message.replace(/^%/, service.replace('t', 'T')).replace('%', service);
	const isDoubtful = suffersAs === 'write' && outcomeUnknown === true;
	return {
		...cell,
		message: `${named}${KINDS[sample.kind].progress}`,
		advice: `${isDoubtful ? MAY_BE_DONE : ''}${says.advice}`,
		httpCode: /status (\d+)/.exec(says.message)?.[1],
	};
}

/** Requests that an operation takes when nothing goes wrong. The validations are of one code. */
function usualRequests({ kind, name }: OperationSample): number {
	const { requests, per } = requestsOf(name);
	const times = { item: KINDS[kind].rows, '100 records': PAGES, 'different purchase code': 1 };
	return requests * times[per];
}

/** Suffers these faults, one after another, at a service of its own in that dialect. */
async function suffered(
	subject: Subject,
	dialect: DialectName,
	faults: FaultName[],
): Promise<Record<string, Cell>> {
	const { sample } = subject;
	const stage = new Stage(dialect, { rateLimit: RATE_LIMIT, renewsKey: true });
	const makeRows = async (): Promise<IDataObject[]> => {
		const { kind } = sample;
		if (kind === 'list') return await sample.rows(stage, listed(dialect));
		if (kind !== 'validate') return await sample.rows(stage, KINDS[kind].rows);
		const [row = {}] = await sample.rows(stage, 1);
		return new Array<IDataObject>(KINDS.validate.rows).fill(row);
	};
	const execute = async (rows: IDataObject[]) => {
		const credential = sample.node === 'link' ? PACED : {};
		return await runSample(stage, sample, { rows, credential });
	};
	const cells: Record<string, Cell> = {};
	try {
		await stage.open();
		await stage.enter();
		const isWrite = sample.kind === 'write';
		const rows = isWrite ? [] : await makeRows();
		const usual = isWrite ? undefined : await execute(rows);
		const outputs = rows.flatMap((row) => outputOf(sample, row, stage));
		expect(usual?.json.length ?? 0).toBe(outputs.length);
		for (const fault of faults) {
			const given = isWrite ? await makeRows() : rows;
			const wasSuffered = provoke(stage, subject, fault);
			const result = await execute(given);
			expect([fault, wasSuffered()]).toEqual([fault, true]);
			const written = isWrite ? await sample.written(stage, given) : undefined;
			cells[fault] = { ...cellOf(result, given, usual), written };
		}
	} finally {
		await stage.close();
	}
	return cells;
}

/** Makes the service fail so. @returns ends it, and says whether anything suffered it */
function provoke({ sandbox }: Stage, { sample, request }: Subject, fault: FaultName) {
	const [method, path] = request.split(' ');
	const lasts = fault === 'http-503 lasting';
	const kind = lasts ? 'http-503' : fault;
	const times = lasts ? 99 : 1;
	sandbox.faults.add({ kind, times, service: sample.node, method, path, milliseconds: 50 });
	return (): boolean => {
		const left = sandbox.faults.list();
		sandbox.faults.clear();
		return left.every((each) => Number(each.times) < times);
	};
}

/** A read gives the same as ever; a write, one item for each row. */
function cellOf(
	result: StageResult,
	rows: IDataObject[],
	usual: StageResult | undefined,
): Omit<Cell, 'written'> {
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
	expect(new Set(SUBJECTS.map(({ sample }) => sample)).size).toBe(SAMPLES.length);
	expect(Object.keys(OUTCOMES).sort()).toEqual([...FAULT_NAMES].sort());
});
