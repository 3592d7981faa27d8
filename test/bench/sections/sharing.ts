import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { Queue } from '../../e2e/queue.ts';
import { startQueue } from '../../e2e/queue.ts';
import type { Step } from '../../e2e/workflow.ts';
import { webhookChain } from '../../e2e/workflow.ts';
import type { CredentialRef } from '../../n8n-host/client.ts';
import { demoAccess, sandboxCredentials, withCredentials } from '../../n8n-host/instance.ts';
import type { JsonRecord } from '../../n8n-host/json.ts';
import type { Bench } from '../bench.ts';
import type { BulkRun } from '../bulkRun.ts';
import { bulkSeen, failedIn, LIMIT, LINKS, newRows, OURS, runBulk, theirs } from '../bulkRun.ts';
import { percent } from '../figures.ts';
import { startOtherProgram } from '../otherProgram.ts';
import type { Section, Target } from '../section.ts';
import { always, atLeast, Tally } from '../section.ts';

const LEAST_SHARE = 0.85;

/** What the other program takes of each window, in even steps */
const HALF = LIMIT.requests / 2;
const EVERY_MS = (LIMIT.windowSeconds * 1000) / HALF;

const WORKERS = 2;
const EXECUTIONS = 10;
const ROWS_EACH = LINKS / EXECUTIONS;
/** The first executions of a worker are slow, because it loads what it needs. */
const WARM_UPS = 6;

export const sharing: Section = {
	title: 'Sharing the limit with others',
	async run(bench) {
		const beside = await besideAnother(bench);
		const workers = await onTwoWorkers(bench);
		const tally = new Tally();
		for (const { failed, missing, repeated } of [beside.ours, workers]) {
			tally.expect('rows that failed', failed);
			tally.expect('rows without a link', missing);
			tally.expect('rows with two links', repeated);
		}
		return {
			notes: [
				`${LINKS} links made with a key that somebody else uses at the same time; the limit is ${LIMIT.requests} requests per ` +
					`${LIMIT.windowSeconds} s. First a program without n8n, which sends ${HALF} requests per ` +
					`${LIMIT.windowSeconds} s in even steps and does not care for what is refused; then n8n in queue mode with ` +
					`${WORKERS} workers, to which ${EXECUTIONS} executions of ${ROWS_EACH} rows each are given at once. What is ` +
					'refused to ours is waited out and sent again. The share is that of all requests that the limit lets through ' +
					'from the window of the first link up to that of the last.',
			],
			tables: [
				{
					head: ['Way', 'Requests', 'Refused (429)', 'Rows failed', 'Written twice', 'Used'],
					rows: [
						['Link > Create, beside a program', ...figuresOf(beside.ours)],
						...beside.alternatives.map(({ name, run }) => [name, ...figuresOf(run)]),
						[`Link > Create, on ${WORKERS} workers`, ...figuresOf(workers)],
					],
				},
			],
			targets: [
				...targetsOf(
					'Another program takes half of the limit',
					'used of the limit by both',
					beside.ours,
				),
				...targetsOf('Two n8n workers', 'used of the limit', workers),
			],
			wrong: tally.wrong,
		};
	},
};

interface BesideAnother {
	ours: BulkRun;
	alternatives: Array<{ name: string; run: BulkRun }>;
}

async function besideAnother(bench: Bench): Promise<BesideAnother> {
	const sandbox = await bench.sandbox({ seed: 'demo', rateLimit: LIMIT });
	const { linkUrl: baseUrl, linkApiKey: apiKey } = demoAccess(sandbox);
	const n8n = await bench.n8n();
	await n8n.connect(demoAccess(sandbox), LIMIT.requests);
	const measure = async (step: Step): Promise<BulkRun> => {
		const workflow = await n8n.publish([step]);
		await workflow.run(newRows(1));
		const end = startOtherProgram(baseUrl, apiKey, EVERY_MS);
		try {
			return await runBulk(workflow, sandbox);
		} finally {
			end();
		}
	};
	const ours = await measure(OURS);
	const alternatives = [];
	for (const size of [LIMIT.requests, HALF]) {
		alternatives.push({
			name: `HTTP Request, batches of ${size}, beside a program`,
			run: await measure(theirs(baseUrl, size)),
		});
	}
	return { ours, alternatives };
}

async function onTwoWorkers(bench: Bench): Promise<BulkRun> {
	const sandbox = await bench.sandbox({ seed: 'demo', rateLimit: LIMIT });
	const queue = await startQueue(await bench.tarball(), WORKERS);
	try {
		return await runOn(queue, sandbox);
	} finally {
		await queue.stop();
	}
}

async function runOn({ client, workers, begunBy }: Queue, sandbox: Sandbox): Promise<BulkRun> {
	const credentials: CredentialRef[] = [];
	for (const input of sandboxCredentials(demoAccess(sandbox))) {
		credentials.push(await client.saveCredential(input));
	}
	/** Begins all executions at once, and waits for their end. */
	const runAll = async (path: string, batches: JsonRecord[][]) => {
		const workflow = webhookChain(path, path, 'onReceived', [OURS]);
		const id = await client.publish(withCredentials(workflow, credentials));
		for (const rows of batches) await client.callWebhook(path, { rows });
		return await client.allEnded(id, batches.length);
	};
	await runAll(
		'warm-up',
		Array.from({ length: WARM_UPS }, () => newRows(1)),
	);
	const before = sandbox.requests.length;
	const begunBefore = await Promise.all(workers.map(begunBy));
	const batches = Array.from({ length: EXECUTIONS }, () => newRows(ROWS_EACH));
	let failed = 0;
	for (const { id } of await runAll('bulk', batches)) {
		failed += failedIn(await client.finished(id));
	}
	for (const [index, worker] of workers.entries()) {
		const begun = (await begunBy(worker)).length - Number(begunBefore[index]?.length);
		if (begun === 0) throw new Error('A worker got nothing to do');
	}
	return { ...bulkSeen(sandbox.requests, before, batches.flat()), failed };
}

function targetsOf(who: string, use: string, run: BulkRun): Target[] {
	return [
		always(`${who}: failed`, 0, [run.failed]),
		always(`${who}: written twice`, 0, [run.repeated]),
		atLeast(`${who}: ${use}`, LEAST_SHARE, run.shareOfLimit),
	];
}

function figuresOf(run: BulkRun): Array<string | number> {
	return [run.requests, run.refused, run.failed, run.repeated, percent(run.shareOfLimit)];
}
