import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';

import type { Sandbox } from '../../sandbox/sandbox.ts';
import { bulkSeen, createLinksInQueue, OTHER_PROGRAM, startQueue } from '../e2e/queue.ts';
import type { Step } from '../e2e/workflow.ts';
import { link } from '../e2e/workflow.ts';
import type { SandboxAccess } from '../n8n-host/instance.ts';
import { demoAccess } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
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
const MAX_TIMES_LEAST = 1.05;
const LEAST_SHARE = 0.88;
/** Of the requests of several workers, none of which sees those of the others */
const MAX_REFUSED = 0.03;

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
			table: {
				head: ['Way', 'Requests', 'Refused', 'Failed', 'Written twice', 'Time ÷ least', 'Used'],
				rows: measured.map(({ name: way, run }) => [
					...[way, run.requests, run.refused, run.failed, run.repeated],
					run.missing === 0 ? (run.ms / LEAST_MS).toFixed(3) : '—',
					percent(run.shareOfLimit),
				]),
			},
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
			atMost(`${name}: refused ÷ sent`, MAX_REFUSED, [run.refused / run.requests]),
		];
	}
	return [
		...counts,
		always(`${LINKS} links, ${name}: refused (429)`, 0, [run.refused]),
		atMost(`${LINKS} links, ${name}: time ÷ least`, MAX_TIMES_LEAST, [run.ms / LEAST_MS]),
	];
}

let rounds = 0;

/** Rows that no run has had before. */
function newRows(count: number): JsonRecord[] {
	rounds += 1;
	const base = `https://example.com/${rounds}`;
	return Array.from({ length: count }, (_, row) => ({ url: `${base}/${row}` }));
}

interface BulkRun extends ReturnType<typeof bulkSeen> {
	/** Rows that the node gave out as failed */
	failed: number;
}

/** One run of the node, from the beginning of a window on. */
async function runAlone(bench: Bench, sandbox: Sandbox, { step, isShared }: Way): Promise<BulkRun> {
	await bench.connect(demoAccess(sandbox), LIMIT.requests);
	const run = await bench.publish([step]);
	await run(newRows(1));
	using stack = new DisposableStack();
	if (isShared === true) stack.adopt(startOtherProgram(demoAccess(sandbox)), clearInterval);
	const rows = newRows(LINKS);
	// A window that is under way is over after its length; the next begins with a whole second.
	await sleep(WINDOW_MS);
	await sleep(1000 - (Date.now() % 1000));
	sandbox.clearRequests();
	const items = (await run(rows)).items(NODE);
	const failed = items.filter(({ json }) => Boolean(json.error)).length;
	return { ...bulkSeen(sandbox.requests, rows, LIMIT), failed };
}

async function runOnWorkers(bench: Bench): Promise<BulkRun> {
	const sandbox = await bench.sandbox({ seed: 'demo', rateLimit: LIMIT });
	await using stack = new AsyncDisposableStack();
	const queue = await startQueue(stack, bench.tarball, WORKERS);
	const access = demoAccess(sandbox);
	const run = await createLinksInQueue(queue, sandbox, access, LINKS, EXECUTIONS);
	if (run.begunByWorker.includes(0)) throw new Error('A worker got nothing to do');
	return { ...bulkSeen(sandbox.requests, run.rows, LIMIT), failed: run.failed };
}

/**
 * A program without n8n that uses up a part of the limit of a key that others use too: it makes links in even steps, and
 * does not care for what is refused.
 */
function startOtherProgram({ linkUrl, linkApiKey }: SandboxAccess): NodeJS.Timeout {
	const headers = { Authorization: `Bearer ${linkApiKey}`, 'User-Agent': OTHER_PROGRAM };
	const post = (): void => {
		const [row] = newRows(1);
		const options = { headers, validateStatus: () => true, proxy: false as const };
		void axios.post(`${linkUrl}/api/url/add`, row, options);
	};
	return setInterval(post, WINDOW_MS / HALF);
}
