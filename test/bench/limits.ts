import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';

import type { RecordedRequest, Sandbox } from '../../sandbox/sandbox.ts';
import { createLinksInQueue, startQueue } from '../e2e/queue.ts';
import type { Step } from '../e2e/workflow.ts';
import { link } from '../e2e/workflow.ts';
import type { ExecutionResult } from '../n8n-host/client.ts';
import { demoAccess } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record } from '../n8n-host/json.ts';
import type { Bench } from './bench.ts';
import { batches, httpRequest } from './httpRequest.ts';
import type { Section, Target } from './report.ts';
import { always, atLeast, atMost, percent } from './report.ts';

/** The documented limit in a shorter window, so that nobody waits for minutes. */
const LIMIT = { requests: 30, windowSeconds: 4 };
const WINDOW_MS = LIMIT.windowSeconds * 1000;
const LINKS = 300;
/** The least that the limit allows: the last window has to begin, and its requests come at once. */
const LEAST_MS = (Math.ceil(LINKS / LIMIT.requests) - 1) * WINDOW_MS;
const MOST_TIMES_LEAST = 1.05;
const LEAST_SHARE = 0.88;
/** Of the requests of several workers, none of which sees those of the others */
const MOST_REFUSED = 0.03;

/** What the other program takes of each window, in even steps */
const HALF = LIMIT.requests / 2;

const WORKERS = 2;
const EXECUTIONS = 10;

const NODE = 'Node';

interface Way {
	name: string;
	step: Step;
	/** Whether another program uses the key at the same time */
	isShared?: boolean;
}

const CREATE = link(NODE, 'create', { url: '={{ $json.url }}' });
/** A row that fails must not hide what becomes of the others. */
const GO_ON = { onError: 'continueRegularOutput' } as const;
const OURS: Step = { ...CREATE, ...GO_ON };

function waysOf(linkUrl: string): Way[] {
	const theirs = (name: string, options: JsonRecord = {}): Way => {
		const body = { url: '={{ $json.url }}' };
		const request = { method: 'POST', url: `${linkUrl}/api/url/add`, body, options } as const;
		const step = { ...httpRequest(NODE, request), ...GO_ON };
		return { name: `HTTP Request, ${name}`, step };
	};
	const batched = (size: number) =>
		theirs(`batches of ${size} per ${LIMIT.windowSeconds} s`, batches(size, WINDOW_MS));
	const shared = (way: Way): Way => ({ ...way, name: `${way.name}, beside`, isShared: true });
	const ours = { name: 'Link > Create', step: OURS };
	return [
		...[ours, theirs('as it comes'), batched(LIMIT.requests), batched(LIMIT.requests - 1)],
		...[ours, batched(LIMIT.requests), batched(HALF)].map(shared),
	];
}

export const limits: Section = {
	title: 'Many links under the rate limit',
	async run(bench) {
		const sandbox = await bench.sandbox({ seed: 'demo', rateLimit: LIMIT });
		const measured = [];
		for (const way of waysOf(sandbox.linkUrl)) {
			measured.push({ ...way, run: await runAlone(bench, sandbox, way) });
		}
		const name = `Link > Create, on ${WORKERS} workers`;
		measured.push({ name, step: OURS, isShared: true, run: await runOnWorkers(bench) });
		return {
			notes: [
				`${LINKS} links created with a limit of ${LIMIT.requests} requests per ${LIMIT.windowSeconds} s. Time runs from the start of ` +
					'the first window to the last link, and is compared with the shortest that the limit allows: until the last window ' +
					'starts. If rows failed, links are missing, and no time is given. The best batching of the HTTP Request node sends ' +
					'exactly the limit per window, so its user has to know the limit, and that nobody else uses the key.',
				`“Beside” means that another program uses the same key: it sends ${HALF} requests per ${LIMIT.windowSeconds} s at even ` +
					`intervals and ignores refusals. The ${WORKERS} workers belong to an n8n in queue mode that gets ${EXECUTIONS} executions ` +
					`of ${LINKS / EXECUTIONS} rows at once. Our node retries refused requests. “Used” is the share of the limit that all ` +
					'requests used, from the window of the first link to that of the last.',
			],
			tables: [
				{
					head: ['Way', 'Requests', 'Refused', 'Failed', 'Written twice', 'Time ÷ least', 'Used'],
					rows: measured.map(({ name: way, run }) => [
						...[way, run.requests, run.refused, run.failed, run.repeated],
						run.missing === 0 ? run.timesLeast.toFixed(3) : '—',
						percent(run.shareOfLimit),
					]),
				},
			],
			targets: measured.filter(({ step }) => step === OURS).flatMap(targetsOf),
		};
	},
};

function targetsOf({ name, isShared = false, run }: Way & { run: BulkRun }): Target[] {
	const counts = (['failed', 'missing', 'repeated'] as const).map((count) =>
		always(`${LINKS} links, ${name}: ${count}`, 0, [run[count]]),
	);
	if (isShared) {
		return [
			...counts,
			atLeast(`${name}: used`, LEAST_SHARE, run.shareOfLimit),
			atMost(`${name}: refused ÷ sent`, MOST_REFUSED, [run.refused / run.requests]),
		];
	}
	return [
		...counts,
		always(`${LINKS} links, ${name}: refused (429)`, 0, [run.refused]),
		atMost(`${LINKS} links, ${name}: time ÷ least`, MOST_TIMES_LEAST, [run.timesLeast]),
	];
}

let rounds = 0;

/** Rows that no run has had before. */
function newRows(count: number): JsonRecord[] {
	rounds += 1;
	const base = `https://example.com/${rounds}`;
	return Array.from({ length: count }, (_, row) => ({ url: `${base}/${row}` }));
}

/** One run of the node, from the beginning of a window on. */
async function runAlone(bench: Bench, sandbox: Sandbox, { step, isShared }: Way): Promise<BulkRun> {
	const n8n = await bench.n8n();
	await n8n.connect(demoAccess(sandbox), LIMIT.requests);
	const workflow = await n8n.publish([step]);
	await workflow.run(newRows(1));
	const endOther = isShared === true ? startOtherProgram(demoAccess(sandbox)) : () => undefined;
	try {
		const rows = newRows(LINKS);
		// A window that is under way is over after its length; the next begins with a whole second.
		await sleep(WINDOW_MS);
		await sleep(1000 - (Date.now() % 1000));
		const before = sandbox.requests.length;
		const failed = failedIn(await workflow.run(rows));
		return { ...bulkSeen(sandbox.requests, before, rows), failed };
	} finally {
		endOther();
	}
}

async function runOnWorkers(bench: Bench): Promise<BulkRun> {
	const sandbox = await bench.sandbox({ seed: 'demo', rateLimit: LIMIT });
	const queue = await startQueue(await bench.tarball(), WORKERS);
	try {
		const access = demoAccess(sandbox);
		const run = await createLinksInQueue(queue, sandbox, access, LINKS, EXECUTIONS);
		if (run.begunByWorker.includes(0)) throw new Error('A worker got nothing to do');
		return { ...bulkSeen(sandbox.requests, run.before, run.rows), failed: run.failed };
	} finally {
		await queue.stop();
	}
}

const failedIn = (result: ExecutionResult): number =>
	result.items(NODE).filter(({ json }) => Boolean(json.error)).length;

/** By which its requests are told from n8n's: what the service refuses, it does not read. */
const OTHER_PROGRAM = 'other-program';

/**
 * A program without n8n that uses up a part of the limit of a key that others use too: it makes links in even steps, and
 * does not care for what is refused.
 *
 * @returns a function that ends it
 */
function startOtherProgram({ linkUrl, linkApiKey }: ReturnType<typeof demoAccess>): () => void {
	const headers = { Authorization: `Bearer ${linkApiKey}`, 'User-Agent': OTHER_PROGRAM };
	const post = (): void => {
		const [row] = newRows(1);
		const options = { headers, validateStatus: () => true, proxy: false as const };
		void axios.post(`${linkUrl}/api/url/add`, row, options);
	};
	const timer = setInterval(post, WINDOW_MS / HALF);
	return () => clearInterval(timer);
}

/** What the service saw of some rows, and what the node said of them. */
interface BulkRun {
	requests: number;
	/** Refused for the limit, and sent in vain or sent again */
	refused: number;
	/** Rows that the node gave out as failed */
	failed: number;
	/** Rows of which no link was made */
	missing: number;
	/** Links beyond the first one of a row */
	repeated: number;
	/** From the beginning of the first window to the last link, ÷ what the limit allows */
	timesLeast: number;
	/** Of all that the limit lets through from the first to the last of these links, what was used, by whomever; NaN in one window */
	shareOfLimit: number;
}

const isAccepted = ({ status }: RecordedRequest): boolean => status === 200;

/**
 * @param all every request to the service, so that its windows are known
 * @param before how many of them came before the run
 */
function bulkSeen(
	all: RecordedRequest[],
	before: number,
	rows: JsonRecord[],
): Omit<BulkRun, 'failed'> {
	const ours = all.slice(before).filter(({ headers }) => headers['user-agent'] !== OTHER_PROGRAM);
	const written = ours.filter(isAccepted);
	const different = new Set(written.map(({ body }) => record(body).url)).size;
	const [first, last] = [written[0]?.at ?? 0, written.at(-1)?.at ?? 0];
	return {
		requests: ours.length,
		refused: ours.filter(({ status }) => status === 429).length,
		missing: rows.length - different,
		repeated: written.length - different,
		timesLeast: (last - Math.floor(first / 1000) * 1000) / LEAST_MS,
		shareOfLimit: shareOfLimit(all.filter(isAccepted), first, last),
	};
}

/** In windows as the service has them, from that of the first link up to that of the last, which need not be used up. */
function shareOfLimit(accepted: RecordedRequest[], first: number, last: number): number {
	const windows: Array<{ from: number; used: number }> = [];
	for (const { at } of accepted) {
		const current = windows.at(-1);
		if (current !== undefined && at < current.from + WINDOW_MS) current.used += 1;
		else windows.push({ from: Math.floor(at / 1000) * 1000, used: 1 });
	}
	const touched = windows.filter(({ from }) => from + WINDOW_MS > first && from <= last);
	const [begin, end] = [touched[0]?.from ?? 0, touched.at(-1)?.from ?? 0];
	const used = touched.slice(0, -1).reduce((sum, window) => sum + window.used, 0);
	// Time between two windows is not used either.
	return used / (((end - begin) / WINDOW_MS) * LIMIT.requests);
}
