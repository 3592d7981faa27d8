import { setTimeout as sleep } from 'node:timers/promises';

import type { RecordedRequest, Sandbox } from '../../sandbox/sandbox.ts';
import { link } from '../e2e/workflow.ts';
import type { Step } from '../e2e/workflow.ts';
import type { ExecutionResult } from '../n8n-host/client.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record } from '../n8n-host/json.ts';
import type { Published } from './bench.ts';
import { batches, httpRequest } from './httpRequest.ts';
import { PLAIN_AGENT } from './plainClient.ts';

/** Many links made against a limit, and what the service saw of it. */

/** The documented limit in a shorter window, so that nobody waits for minutes. */
export const LIMIT = { requests: 30, windowSeconds: 2 };
const WINDOW_MS = LIMIT.windowSeconds * 1000;

export const LINKS = 300;

/** The least that the limit allows: the last window has to begin, and its requests come at once. */
export const LEAST_MS = (Math.ceil(LINKS / LIMIT.requests) - 1) * WINDOW_MS;

const NODE = 'Node';

/** A row that fails must not hide what becomes of the others. */
const GO_ON = { onError: 'continueRegularOutput' } as const;

export const OURS: Step = { ...link(NODE, 'create', { url: '={{ $json.url }}' }), ...GO_ON };

/** @param batchSize with so many items per window; undefined: as the node comes */
export function theirs(baseUrl: string, batchSize?: number): Step {
	return {
		...httpRequest(NODE, {
			method: 'POST',
			url: `${baseUrl}/api/url/add`,
			body: { url: '={{ $json.url }}' },
			options: batchSize === undefined ? {} : batches(batchSize, WINDOW_MS),
		}),
		...GO_ON,
	};
}

let rounds = 0;

/** Rows that no run has had before. */
export function newRows(count = LINKS): JsonRecord[] {
	rounds += 1;
	const round = rounds;
	return Array.from({ length: count }, (_, row) => ({
		url: `https://example.com/${round}/${row}`,
	}));
}

/** What the service saw of some rows, and what the node said of them. */
export interface BulkRun {
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
	/** Of all that the limit lets through between the first and the last of these links, what was used, by whomever */
	shareOfLimit: number;
}

/** Runs a workflow that makes a link of each row, from the beginning of a window on. */
export async function runBulk(workflow: Published, sandbox: Sandbox): Promise<BulkRun> {
	const rows = newRows();
	await beginningOfWindow();
	sandbox.clearRequests();
	const result = await workflow.run(rows);
	return { ...bulkSeen(sandbox.requests, rows), failed: failedIn(result) };
}

/** A window that is under way is over after its length; the next begins with a whole second. */
async function beginningOfWindow(): Promise<void> {
	await sleep(WINDOW_MS);
	await sleep(1000 - (Date.now() % 1000));
}

export function failedIn(result: ExecutionResult): number {
	return result.items(NODE).filter(({ json }) => Boolean(json.error)).length;
}

/** @param all requests since the run began */
export function bulkSeen(all: RecordedRequest[], rows: JsonRecord[]): Omit<BulkRun, 'failed'> {
	const ours = all.filter(({ headers }) => headers['user-agent'] !== PLAIN_AGENT);
	const written = ours.filter(({ status }) => status === 200);
	const different = new Set(written.map(({ body }) => record(body).url)).size;
	const [first, last] = [written[0]?.at ?? 0, written.at(-1)?.at ?? 0];
	const usedMeanwhile = all.filter(
		({ status, at }) => status === 200 && at >= first && at <= last,
	).length;
	// What came last has used up its window, too.
	const windows = (last - first + WINDOW_MS) / WINDOW_MS;
	return {
		requests: ours.length,
		refused: ours.filter(({ status }) => status === 429).length,
		missing: rows.length - different,
		repeated: written.length - different,
		timesLeast: (last - Math.floor(first / 1000) * 1000) / LEAST_MS,
		shareOfLimit: usedMeanwhile / (windows * LIMIT.requests),
	};
}
