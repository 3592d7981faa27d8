import { setTimeout as sleep } from 'node:timers/promises';

import type { RecordedRequest, Sandbox } from '../../sandbox/sandbox.ts';
import { link } from '../e2e/workflow.ts';
import type { Step } from '../e2e/workflow.ts';
import type { ExecutionResult } from '../n8n-host/client.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record } from '../n8n-host/json.ts';
import type { Published } from './bench.ts';
import { batches, httpRequest } from './httpRequest.ts';
import { OTHER_PROGRAM } from './otherProgram.ts';

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
	/** Of all that the limit lets through from the first to the last of these links, what was used, by whomever */
	shareOfLimit: number;
}

/** Runs a workflow that makes a link of each row, from the beginning of a window on. */
export async function runBulk(workflow: Published, sandbox: Sandbox): Promise<BulkRun> {
	const rows = newRows();
	await beginningOfWindow();
	const before = sandbox.requests.length;
	const result = await workflow.run(rows);
	return { ...bulkSeen(sandbox.requests, before, rows), failed: failedIn(result) };
}

/** A window that is under way is over after its length; the next begins with a whole second. */
async function beginningOfWindow(): Promise<void> {
	await sleep(WINDOW_MS);
	await sleep(1000 - (Date.now() % 1000));
}

export function failedIn(result: ExecutionResult): number {
	return result.items(NODE).filter(({ json }) => Boolean(json.error)).length;
}

/**
 * @param all every request to the service, so that its windows are known
 * @param before how many of them came before the run
 */
export function bulkSeen(
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

function isAccepted({ status }: RecordedRequest): boolean {
	return status === 200;
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
