import type { IDataObject } from 'n8n-workflow';

import type { DialectName } from '../../sandbox/dialects.ts';
import { DIALECT_NAMES, presetDialect } from '../../sandbox/dialects.ts';
import type { FaultKind } from '../../sandbox/faults.ts';
import { FAULT_KIND_NAMES } from '../../sandbox/faults.ts';
import { requestsOf } from '../operationRequests.ts';
import type { OperationSample } from './operationSamples.ts';
import { OPERATION_SAMPLES, runSample } from './operationSamples.ts';
import type { StageResult } from './support.ts';
import { largestPage, Stage, pairs } from './support.ts';

/**
 * Every operation, suffering every fault in every dialect. What has to come of it is one small table for all: how many
 * requests arrive, how many rows are written, and what the item says.
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
	requests: 'as usual' | 'one more' | 'alone' | 'repeated';
	/** undefined: it succeeds. */
	says?: Words;
	/** Rows that a write writes all the same. */
	written?: number;
	/** Whether a write has to warn that it may have been carried out. */
	outcomeUnknown?: boolean;
}

const OK: Outcome = { requests: 'as usual' };
const REPEATED: Outcome = { requests: 'one more' };

const ADDRESS = 'Check the base URL in the credential, and that the service is up';
const REDIRECT =
	'Enter the address at which the service itself answers as base URL in the credential';
const LATER = 'Try again later; the service, or the proxy before it, is down for the moment';
const MAY_BE_DONE =
	'It may have been carried out all the same, so it was not sent again. Look in the service before you run it again. ';

const LOST: Words = {
	message: 'No answer from %: the connection was closed before an answer came',
	advice: ADDRESS,
};
const unexpected = (what: string, status: number, advice = ADDRESS): Words => ({
	message: `% was expected to answer, but ${what} came (status ${status})`,
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
	'cut-json': both(failed(unexpected('cut-off JSON', 200), 1)),
	'empty-body': both(failed(unexpected('an empty answer', 200), 1)),
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
	fault: FaultName;
	requests: number;
	/** Rows that the service shows as written; undefined: it is no write. */
	written: number | undefined;
	/** `all`: as without the fault. */
	output: 'all' | 'none' | 'other';
	/** Whether what n8n keeps of it holds some of the page that came. */
	keepsPage: boolean;
	/** What its error says, if there is one. */
	message?: string | undefined;
	advice?: string | undefined;
	httpCode?: string | undefined;
}

function expectedCell(subject: Subject, fault: FaultName): Cell {
	const { sample, suffersAs } = subject;
	const outcome = OUTCOMES[fault][suffersAs];
	const cell: Cell = {
		fault,
		requests: expectedRequests(subject, outcome),
		written: sample.kind === 'write' ? expectedRows(subject, outcome) : undefined,
		output: outcome.says ? 'none' : 'all',
		keepsPage: false,
	};
	if (!outcome.says) return cell;

	const { message, advice } = outcome.says;
	const service = sample.node === 'link' ? 'the link service' : 'the store';
	const named = message.replace(/^%/, service.replace('t', 'T')).replace('%', service);
	const isDoubtful = suffersAs === 'write' && outcome.outcomeUnknown === true;
	return {
		...cell,
		message: `${named}${KINDS[sample.kind].progress}`,
		advice: `${isDoubtful ? MAY_BE_DONE : ''}${advice}`,
		httpCode: /status (\d+)/.exec(message)?.[1],
	};
}

/** Rows that a write writes. */
function expectedRows({ suffersAs }: Subject, { says, written }: Outcome): number | undefined {
	if (!says) return KINDS.write.rows;
	return suffersAs === 'write' ? written : 0;
}

function expectedRequests(subject: Subject, { requests }: Outcome): number {
	const usual = usualRequests(subject);
	switch (requests) {
		case 'as usual':
			return usual;
		case 'one more':
			return usual + 1;
		case 'alone':
			return subject.sample.asks !== undefined && subject.suffersAs === 'write' ? 2 : 1;
		case 'repeated':
			return 4;
	}
}

/** Requests that an operation takes when nothing goes wrong. The validations are of one code. */
function usualRequests({ sample: { kind, name } }: Subject): number {
	const { requests, per } = requestsOf(name);
	const times = { item: KINDS[kind].rows, '100 records': PAGES, 'different purchase code': 1 };
	return requests * times[per];
}

/** An operation in one dialect, at a service and with an account of its own. */
class Trial {
	readonly subject: Subject;
	readonly dialect: DialectName;
	readonly cells: Cell[] = [];
	/** What went wrong with the test itself. */
	error: unknown;
	private readonly stage: Stage;

	constructor(subject: Subject, dialect: DialectName) {
		this.subject = subject;
		this.dialect = dialect;
		this.stage = new Stage(dialect, { rateLimit: RATE_LIMIT, renewsKey: true });
	}

	/** Suffers every fault, one after another. */
	async run(): Promise<void> {
		try {
			await this.stage.open();
			await this.stage.enter();
			const isWrite = this.subject.sample.kind === 'write';
			const rows = isWrite ? [] : await this.rows();
			const usual = isWrite ? undefined : await this.usual(rows);
			for (const fault of faultsOf(this.subject)) {
				this.cells.push(await this.suffer(fault, isWrite ? await this.rows() : rows, usual));
			}
		} catch (error) {
			this.error = error;
		} finally {
			await this.stage.close();
		}
	}

	private async rows(): Promise<IDataObject[]> {
		const { sample } = this.subject;
		const { kind } = sample;
		if (kind === 'list') return await sample.rows(this.stage, listed(this.dialect));
		if (kind !== 'validate') return await sample.rows(this.stage, KINDS[kind].rows);
		const [row = {}] = await sample.rows(this.stage, 1);
		return Array.from({ length: KINDS.validate.rows }, () => row);
	}

	/** What a read gives without a fault. */
	private async usual(rows: IDataObject[]): Promise<IDataObject[]> {
		const { error, json } = await this.execute(rows);
		const count = this.subject.sample.kind === 'list' ? listed(this.dialect) : rows.length;
		if (error) throw new Error(`Without a fault: ${error.message}`);
		if (json.length !== count) throw new Error(`Without a fault: ${json.length} items`);
		return json;
	}

	private async execute(rows: IDataObject[]): Promise<StageResult> {
		const { sample } = this.subject;
		const credential = sample.node === 'link' ? PACED : {};
		return await runSample(this.stage, sample, { rows, credential });
	}

	private async suffer(
		fault: FaultName,
		rows: IDataObject[],
		usual: IDataObject[] | undefined,
	): Promise<Cell> {
		const { sample, request } = this.subject;
		const [method, path] = request.split(' ');
		const lasts = fault === 'http-503 lasting';
		this.stage.sandbox.faults.add({
			kind: lasts ? 'http-503' : fault,
			times: lasts ? 99 : 1,
			service: sample.node,
			method,
			path,
			milliseconds: 50,
		});
		const result = await this.execute(rows);
		const isSuffered = this.stage.sandbox.faults.list().every(({ times = 0 }) => times > 1);
		if (!isSuffered) throw new Error(`Nothing suffered ${fault}`);
		this.stage.sandbox.faults.clear();
		const { error, requests, run } = result;
		return {
			fault,
			requests: requests.length,
			written: sample.kind === 'write' ? await sample.written(this.stage, rows) : undefined,
			output: outputOf(result, rows, usual),
			message: error?.message,
			advice: error?.description ?? undefined,
			httpCode: error?.httpCode ?? undefined,
			keepsPage: /<html|<body|<title/i.test(JSON.stringify(run.data.resultData.error ?? {})),
		};
	}
}

/** A cell as a line, so that a difference names the fault. */
function lineOf({ fault, requests, written, output, keepsPage, ...says }: Cell): string {
	const { message = 'none', advice = 'none', httpCode = 'none' } = says;
	return [
		`${fault}: ${requests} requests, ${written ?? 'no'} rows written, output: ${output}`,
		`message: ${message}, advice: ${advice}, status: ${httpCode}, keeps the page: ${keepsPage}`,
	].join(', ');
}

/** A read gives the same as ever; a write, one item for each row. */
function outputOf(
	result: StageResult,
	rows: IDataObject[],
	usual: IDataObject[] | undefined,
): Cell['output'] {
	if (result.items.length === 0) return 'none';
	const isAll = usual
		? JSON.stringify(result.json) === JSON.stringify(usual)
		: JSON.stringify(pairs(result)) === JSON.stringify(rows.map((_row, item) => ({ item })));
	return isAll && !result.error ? 'all' : 'other';
}

const TRIALS: Trial[] = SUBJECTS.flatMap((subject) =>
	DIALECT_NAMES.map((dialect) => new Trial(subject, dialect)),
);

beforeAll(async () => {
	// Most of a trial is waiting, so all of them wait together.
	await Promise.all(TRIALS.map(async (trial) => await trial.run()));
}, 300_000);

describe.each(SUBJECTS)('$name suffers every fault as it must', (subject) => {
	test.each(TRIALS.filter((trial) => trial.subject === subject))('$dialect', (trial) => {
		if (trial.error) throw trial.error as Error;
		const expected = faultsOf(subject).map((fault) => expectedCell(subject, fault));
		expect(trial.cells.map(lineOf)).toEqual(expected.map(lineOf));
	});
});

test('every operation and every fault that the sandbox knows is in the matrix', () => {
	expect(new Set(SUBJECTS.map(({ sample }) => sample)).size).toBe(SAMPLES.length);
	expect(Object.keys(OUTCOMES).sort()).toEqual([...FAULT_NAMES].sort());
});
