import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { FaultKind } from '../../../sandbox/faults.ts';
import { FAULT_KIND_NAMES } from '../../../sandbox/faults.ts';
import { OPERATIONS } from '../../operations.ts';
import type { Result, Subject } from '../helpers/faultSubjects.ts';
import { canMeet, LARGEST_PAGE, SUBJECTS } from '../helpers/faultSubjects.ts';
import { Stage } from '../helpers/support.ts';

/**
 * Everything that sends requests meets every fault of the sandbox. One table for all says how many requests arrive, and what
 * the user reads.
 */

/** Less than three rows or pages need, so that a misread end of the window shows: as a wait without end, or as a refusal. */
const RATE_LIMIT = { requests: 2, windowSeconds: 1 };

/** What the user reads; `%` stands for the service. */
interface Words {
	message: string;
	advice: string;
}

/** Where smaller pages are tried. */
type Smaller = 'in all sizes';

/** What comes of a fault, for a read and for a write. */
interface Outcome {
	/** `alone`: the one that met the fault and what went before it, and no other; `repeated`: again for as long as it may. */
	requests: 'as usual' | 'one more' | 'alone' | 'repeated' | Smaller;
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
const LATE: Words = { message: 'No response from %: the request timed out', advice: ADDRESS };
const failed = (says: Words, outcomeUnknown = true): Outcome => ({
	requests: 'alone',
	says,
	outcomeUnknown,
});
const both = (outcome: Outcome) => ({ read: outcome, write: outcome });

type FaultName = Exclude<FaultKind, 'respond'> | 'http-503 lasting';

/** These come again and again; the others once. */
const LASTING: readonly FaultName[] = ['http-503 lasting'];

const OUTCOMES: Record<FaultName, Record<Subject['effect'], Outcome>> = {
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
	'limit-exhausted': both(REPEATED),
	drip: { read: REPEATED, write: failed(LATE) },
};

const FAULT_NAMES: FaultName[] = [
	...FAULT_KIND_NAMES.filter((kind) => kind !== 'respond'),
	'http-503 lasting',
];

const stage = new Stage({ maxLimit: LARGEST_PAGE }, { rateLimit: RATE_LIMIT, renewsKey: true });

const kindOf = (fault: FaultName): FaultKind => (fault === 'http-503 lasting' ? 'http-503' : fault);

const faultsFor = (subject: Subject): FaultName[] =>
	FAULT_NAMES.filter(
		(fault) =>
			canMeet(subject, kindOf(fault)) &&
			// Anything else repeats only for so long, so the number of requests depends on the machine.
			(fault !== 'http-503 lasting' || subject.reads !== 'page' || subject.kind === 'list'),
	);

/** What came of a fault, or has to. */
interface Cell {
	requests: number;
	/** `all`: as without the fault. */
	output: 'all' | 'none' | 'other';
	/** What n8n must not get. */
	leaks: string[];
	/** What its error says, if there is one. */
	message?: unknown;
	advice?: string | null | undefined;
	httpCode?: string | null | undefined;
}

/** What comes of a fault where more may be read, or smaller pages are tried. */
function outcomeOf({ reads, effect }: Subject, fault: FaultName): Outcome {
	const outcome = OUTCOMES[fault][effect];
	if (!reads) return outcome;
	if (reads === 'list') return outcome;
	if (fault === 'http-500') return REPEATED;
	return fault === 'http-503 lasting' ? { ...outcome, requests: 'in all sizes' } : outcome;
}

function expectedCell(subject: Subject, fault: FaultName): Cell {
	const { says, outcomeUnknown, requests } = outcomeOf(subject, fault);
	// With the pauses 0.5, 1, 2, 4, 8, 10, 10, 10 and 10 seconds, or the first four for a person.
	const isForPerson = subject.kind === 'test' || subject.kind === 'dropdown';
	const repeated = isForPerson ? 5 : 10;
	const counts = {
		'as usual': subject.requests,
		'one more': subject.requests + 1,
		alone: subject.before + 1,
		repeated,
		'in all sizes': repeated + 4,
	};
	const cell: Cell = { requests: counts[requests], output: says ? 'none' : 'all', leaks: [] };
	return says ? { ...cell, ...errorOf(subject, says, outcomeUnknown === true) } : cell;
}

/** The error of the one that reads such words. */
function errorOf({ service, kind, effect }: Subject, says: Words, outcomeUnknown: boolean) {
	const isDoubtful = effect === 'write' && outcomeUnknown;
	const advice = `${isDoubtful ? MAY_BE_DONE : ''}${says.advice}`;
	const [, status] = /status (\d+)/.exec(says.message) ?? [];
	const name = service === 'link' ? 'the service' : 'the store';
	const words = says.message.replace(/^%/, name.replace('t', 'T')).replace('%', name);
	// Neither can tell advice from message.
	if (kind === 'test') return { message: `${words}. ${advice}.` };
	if (kind === 'trigger') return { message: `${words}. ${advice}.`, httpCode: status };
	if (kind === 'dropdown') return { message: words, advice };
	const progress = kind === 'write' ? ' (item 1 of 2: 0 succeeded, 1 not sent)' : '';
	return { message: `${words}${progress}`, advice, httpCode: status };
}

/** Makes the service fail so. @returns ends it, and says whether anything met it */
function provoke({ service, request }: Subject, fault: FaultName) {
	const [method, path] = request?.split(' ') ?? [];
	const times = LASTING.includes(fault) ? 99 : 1;
	const { faults } = stage.sandbox;
	faults.add({ kind: kindOf(fault), times, service, method, path, milliseconds: 10 });
	return (): boolean => {
		const left = faults.list();
		faults.clear();
		return left.every((each) => Number(each.times) < times);
	};
}

/** The timeout of the latest request. */
let latest = new AbortController();

/** Runs it; a request whose response drips times out at once. */
async function runUntilLate(
	subject: Subject,
	rows: IDataObject[],
	fault: FaultName,
): Promise<Result> {
	const result = subject.run(stage, rows);
	if (fault === 'drip') {
		while (stage.sandbox.faults.list().length > 0) await sleep(5);
		await sleep(20);
		latest.abort();
	}
	return await result;
}

function cellOf({ output, isEmpty, error, everything }: Result, usual: Result): Cell {
	const { linkAccount, storeAccount, sandbox } = stage;
	const unwanted = ['<html', '<body', '<title', linkAccount.apiKey, storeAccount.apiKey];
	const text = JSON.stringify(everything);
	const isSame = JSON.stringify(output) === JSON.stringify(usual.output);
	return {
		requests: sandbox.requests.length,
		output: isEmpty ? 'none' : isSame && !error ? 'all' : 'other',
		message: error?.message,
		advice: error?.description ?? undefined,
		httpCode: error?.httpCode ?? undefined,
		leaks: unwanted.filter((part) => text.includes(part)),
	};
}

beforeAll(async () => {
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	const realTimeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		latest = new AbortController();
		return AbortSignal.any([latest.signal, realTimeout(milliseconds)]);
	});
	await stage.open();
});

afterAll(async () => {
	await stage.close();
});

describe.each(SUBJECTS)('$name', (subject) => {
	let rows: IDataObject[];
	let usual: Result;

	beforeAll(async () => {
		rows = await subject.prepare(stage);
		usual = await subject.run(stage, rows);
		expect(usual.error).toBeUndefined();
	});

	test.each(faultsFor(subject))('ends as it must after %s', async (fault) => {
		const isNew = subject.kind === 'write' || subject.kind === 'upsert';
		const given = isNew ? await subject.prepare(stage) : rows;
		const end = provoke(subject, fault);
		const result = await runUntilLate(subject, given, fault);
		expect(end()).toBe(true);
		const cell = cellOf(result, usual);
		const expected = expectedCell(subject, fault);
		// The service's windows end at whole seconds, so a read may be refused once more.
		const mayBeRefused = expected.output === 'all' || expected.requests > RATE_LIMIT.requests;
		const isOneMore = mayBeRefused && cell.requests === expected.requests + 1;
		expect(cell).toEqual(isOneMore ? { ...expected, requests: cell.requests } : expected);
	});
});

test('no connection of them is left open', async () => {
	const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap');
	// The stage keeps one of its own open.
	const own = 2;
	for (let tries = 100; tries > 0 && sockets().length > own; tries -= 1) await sleep(50);
	expect(sockets().length).toBeLessThanOrEqual(own);
});

test('every operation and every fault that the sandbox knows is in the matrix', () => {
	const names = SUBJECTS.map(({ name }) => name.split(',')[0]);
	for (const { node, name } of OPERATIONS) expect(names).toContain(`${node} ${name}`);
	expect(Object.keys(OUTCOMES).sort()).toEqual([...FAULT_NAMES].sort());
});
