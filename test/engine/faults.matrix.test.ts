import type { IDataObject } from 'n8n-workflow';

import type { DialectName } from '../../sandbox/dialects.ts';
import { DIALECT_NAMES } from '../../sandbox/dialects.ts';
import type { FaultKind } from '../../sandbox/faults.ts';
import { FAULT_KIND_NAMES } from '../../sandbox/faults.ts';
import type { StageResult } from './support.ts';
import { Stage, byId } from './support.ts';

/**
 * A read, a write, a list and the purchase validation, each suffering every fault in every dialect. What has to come
 * of it is one table for all dialects: how many requests arrive, what is written, and what the item says.
 */

interface Subject {
	name: string;
	/** The request that suffers. */
	service: 'link' | 'store';
	method: string;
	path: string;
	isWrite: boolean;
	/** Requests that it takes when nothing goes wrong. */
	requests(stage: Stage): number;
	/** Input rows that fail together with the first: the message then counts them. */
	progress: string;
	run(stage: Stage): Promise<StageResult>;
	/** Whether the run gave all that it should. */
	isComplete(result: StageResult, stage: Stage): boolean;
}

const LINKS = 120;

const SUBJECTS: Subject[] = [
	{
		name: 'link.get',
		service: 'link',
		method: 'GET',
		path: '/api/url/1',
		isWrite: false,
		requests: () => 1,
		progress: '',
		async run(stage) {
			await stage.make('/api/url/add', { url: 'https://example.com/' });
			return await stage.link('link.get', { linkId: byId(1) }, PACED);
		},
		isComplete: ({ json }) => json[0]?.longurl === 'https://example.com/',
	},
	{
		name: 'link.create',
		service: 'link',
		method: 'POST',
		path: '/api/url/add',
		isWrite: true,
		requests: () => 2,
		progress: ' (item 1 of 2: 0 succeeded, 1 not sent)',
		run: async (stage) =>
			await stage.link(
				'link.create',
				{ url: '={{ $json.url }}', additionalFields: {} },
				{ ...PACED, rows: [{ url: 'https://example.com/1' }, { url: 'https://example.com/2' }] },
			),
		isComplete: ({ json }) => json.length === 2 && json.every(({ id }) => typeof id === 'number'),
	},
	{
		name: 'link.getAll',
		service: 'link',
		method: 'GET',
		path: '/api/urls',
		isWrite: false,
		requests: ({ dialect }) => (dialect.maxLimit === '25' ? 5 : 2),
		progress: '',
		async run(stage) {
			stage.sandbox.links.addLinks(stage.linkAccount.id, LINKS);
			return await stage.link('link.getAll', { returnAll: true, options: {} }, PACED);
		},
		isComplete: ({ json }) => new Set(json.map(({ id }) => id)).size === LINKS,
	},
	{
		name: 'purchase.validate',
		service: 'store',
		method: 'POST',
		path: '/api/purchases/validation',
		isWrite: false,
		requests: () => 1,
		progress: ' (item 1 of 2: 0 succeeded, 0 not sent)',
		async run(stage) {
			const code = stage.sandbox.store.addPurchase(
				stage.sandbox.store.addItem(stage.storeAccount.id),
			);
			const rows: IDataObject[] = [{ code }, { code }];
			const parameters = { purchaseCode: '={{ $json.code }}', options: {} };
			return await stage.store('purchase.validate', parameters, { rows });
		},
		isComplete: ({ json }) => json.length === 2 && json.every(({ valid }) => valid === true),
	},
];

/** Paced, so that a misread end of the window shows as a wait without end, or as a refused request. */
const PACED = { credential: { requestsPerMinute: 30 } };
const RATE_LIMIT = { requests: 3, windowSeconds: 1 };

/** The outcome of a fault for a read, and for a write. */
interface Outcome {
	/** Requests that arrive beyond those that it takes; `alone`: the one that suffered, and no other. */
	requests: 'as usual' | 'one more' | 'alone' | 'four';
	/** The message, without the name of the service at its beginning; undefined: it succeeds. */
	fails?: string;
	/** Rows written at the service, of a write of two. */
	written?: number;
	/** Whether the advice warns that the write may have been carried out. */
	mayBeDone?: boolean;
}

const OK: Outcome = { requests: 'as usual', written: 2 };
const REPEATED: Outcome = { requests: 'one more' };
const LOST = 'No answer from %: the connection was closed before an answer came';
const unexpected = (what: string, status: number): string =>
	`% was expected to answer, but ${what} came (status ${status})`;
const unavailable = (status: number): string => `% is not available (status ${status})`;
const failed = (fails: string, written: number, mayBeDone = true): Outcome => ({
	requests: 'alone',
	fails,
	written,
	mayBeDone,
});

type FaultName = FaultKind | 'http-503 that lasts';

const OUTCOMES: Record<FaultName, { read: Outcome; write: Outcome }> = {
	delay: { read: OK, write: OK },
	'drop-before': { read: REPEATED, write: failed(LOST, 0) },
	'drop-after': { read: REPEATED, write: failed(LOST, 1) },
	'http-500': both(failed(unexpected('a web page', 500), 0)),
	'http-502': { read: REPEATED, write: failed(unavailable(502), 0) },
	'http-503': { read: REPEATED, write: failed(unavailable(503), 0) },
	'http-503 that lasts': {
		read: { requests: 'four', fails: unavailable(503) },
		write: failed(unavailable(503), 0),
	},
	'cut-json': both(failed(unexpected('cut-off JSON', 200), 1)),
	'empty-body': both(failed(unexpected('an empty answer', 200), 1)),
	'login-redirect': both(failed(unexpected('a redirect to /login', 302), 0, false)),
	'skewed-clock': { read: OK, write: OK },
	'limit-exhausted': { read: REPEATED, write: { ...REPEATED, written: 2 } },
};

function both(outcome: Outcome): { read: Outcome; write: Outcome } {
	return { read: outcome, write: outcome };
}

const FAULT_NAMES: FaultName[] = [...FAULT_KIND_NAMES, 'http-503 that lasts'];

interface Cell {
	dialect: DialectName;
	subject: Subject;
	fault: FaultName;
}

/** What came of a cell. */
interface Observed {
	stage: Stage;
	result: StageResult;
	requests: number;
	/** Links that exist after a write. */
	written: number | undefined;
	isComplete: boolean;
}

/** The store has no rate limit that somebody could use up. */
const applies = ({ service }: Subject, fault: FaultName): boolean =>
	service === 'link' || fault !== 'limit-exhausted';

const CELLS: Cell[] = SUBJECTS.flatMap((subject) =>
	FAULT_NAMES.filter((fault) => applies(subject, fault)).flatMap((fault) =>
		DIALECT_NAMES.map((dialect) => ({ dialect, subject, fault })),
	),
);

const nameOf = ({ dialect, subject, fault }: Cell): string =>
	`${subject.name} / ${fault} / ${dialect}`;

async function observe({ dialect, subject, fault }: Cell): Promise<Observed> {
	const stage = new Stage(dialect, { rateLimit: RATE_LIMIT });
	await stage.open();
	try {
		await stage.enter();
		const { service, method, path } = subject;
		const lasts = fault === 'http-503 that lasts';
		stage.onPrepared(() => {
			stage.sandbox.faults.add({
				kind: lasts ? 'http-503' : fault,
				times: lasts ? 99 : 1,
				service,
				method,
				path,
				milliseconds: 50,
			});
		});
		const result = await subject.run(stage);
		stage.sandbox.faults.clear();
		return {
			stage,
			result,
			requests: result.requests.length,
			written: subject.isWrite ? await linksOf(stage) : undefined,
			isComplete: result.error === undefined && subject.isComplete(result, stage),
		};
	} finally {
		await stage.close();
	}
}

/** How many links the account has; asked again while the rate limit refuses it. */
async function linksOf(stage: Stage): Promise<number> {
	for (let attempt = 0; ; attempt += 1) {
		try {
			const { data } = await stage.api('GET /api/urls?limit=1');
			return Number((data as IDataObject).result);
		} catch (error) {
			if (attempt === 20) throw error;
			await new Promise((resolve) => setTimeout(resolve, 200));
		}
	}
}

/** Most of a cell is waiting, so many of them wait together. */
const AT_ONCE = 16;

const observed = new Map<string, Observed>();

beforeAll(async () => {
	const waiting = [...CELLS];
	const work = async () => {
		for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
			observed.set(nameOf(cell), await observe(cell));
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
}, 60_000);

function expectedRequests({ requests }: Outcome, usual: number): number {
	switch (requests) {
		case 'as usual':
			return usual;
		case 'one more':
			return usual + 1;
		case 'alone':
			return 1;
		case 'four':
			return 4;
	}
}

describe.each(SUBJECTS)('$name', (subject) => {
	const faults = FAULT_NAMES.filter((fault) => applies(subject, fault));

	describe.each(faults)('suffering %s', (fault) => {
		const expected = OUTCOMES[fault][subject.isWrite ? 'write' : 'read'];
		const serviceName = subject.service === 'link' ? 'the link service' : 'the store';
		const message = expected.fails
			?.replace(/^%/, serviceName.replace('t', 'T'))
			.replace('%', serviceName)
			.concat(subject.progress);
		const ends = expected.fails === undefined ? 'succeeds' : 'says why it failed';

		test.each(DIALECT_NAMES)(`${ends}, and sends no request too many: %s`, (dialect) => {
			const cell = observed.get(nameOf({ dialect, subject, fault }));
			if (!cell) throw new Error('This cell was not run');
			const { result, stage } = cell;
			expect(result.error?.message).toBe(message);
			expect(cell.isComplete).toBe(message === undefined);
			expect(cell.requests).toBe(expectedRequests(expected, subject.requests(stage)));
			if (subject.isWrite) expect(cell.written).toBe(expected.written);
			if (message === undefined) return;

			expect(result.json).toEqual([]);
			expect(result.error?.description).toMatch(
				subject.isWrite && expected.mayBeDone ? /may have been carried out/ : /^(Check|Enter|Try)/,
			);
			if (!expected.mayBeDone || !subject.isWrite) {
				expect(result.error?.description).not.toMatch(/carried out/);
			}
			const status = /status (\d+)/.exec(message)?.[1] ?? null;
			expect(result.error?.httpCode).toBe(status);
			expect(JSON.stringify(result.run.data.resultData.error)).not.toMatch(/<html|<body|<title/i);
		});
	});
});

test('every fault that the sandbox knows is in the matrix', () => {
	expect(Object.keys(OUTCOMES).sort()).toEqual([...FAULT_NAMES].sort());
	expect(observed.size).toBe(CELLS.length);
});

afterAll(() => {
	console.log(table());
});

/** `3 requests, 1 written, failed`, in short. */
function short({ requests, written, result }: Observed): string {
	const parts = [String(requests), ...(written === undefined ? [] : [`w${written}`])];
	return `${parts.join(' ')} ${result.error ? 'error' : 'ok'}`;
}

function table(): string {
	const rows = SUBJECTS.flatMap((subject) =>
		FAULT_NAMES.map((fault) => {
			const cells = DIALECT_NAMES.map((dialect) => {
				const cell = observed.get(nameOf({ dialect, subject, fault }));
				return cell ? short(cell) : '–';
			});
			return [subject.name, fault, ...cells];
		}),
	);
	const lines = [['operation', 'fault', ...DIALECT_NAMES], ...rows];
	const widths = lines[0]?.map((_title, column) =>
		Math.max(...lines.map((line) => line[column]?.length ?? 0)),
	);
	const text = lines.map((line) =>
		line.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  '),
	);
	const requests = [...observed.values()].reduce((sum, cell) => sum + cell.requests, 0);
	return [
		'Requests that arrived, rows written (w), outcome:',
		...text,
		`${SUBJECTS.length} operations × ${DIALECT_NAMES.length} dialects × ${FAULT_NAMES.length} faults: ${observed.size} cells, ${requests} requests`,
	].join('\n');
}
