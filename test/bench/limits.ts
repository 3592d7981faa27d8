import { setTimeout as sleep } from 'node:timers/promises';

import { bulkSeen } from '../e2e/queue.ts';
import type { Step } from '../e2e/workflow.ts';
import { link } from '../e2e/workflow.ts';
import type { Bench } from './bench.ts';
import { httpRequest } from './httpRequest.ts';
import type { Figure } from './report.ts';

/** The documented limit in a shorter window, so that nobody waits for minutes. */
const LIMIT = { requests: 30, windowSeconds: 4 };
const LINKS = 300;
const WINDOWS = LINKS / LIMIT.requests;

const NODE = 'Node';
/** A row that fails must not hide what becomes of the others. */
const GO_ON = { onError: 'continueRegularOutput' } as const;

/** Many links under the rate limit. */
export async function limits(bench: Bench): Promise<Figure[]> {
	const sandbox = await bench.sandbox({ seed: 'demo', rateLimit: LIMIT });
	await bench.connect(sandbox, LIMIT.requests);
	const body = { url: '={{ $json.url }}' };
	const url = `${sandbox.linkUrl}/api/url/add`;
	const seen = async (step: Step) => {
		const run = await bench.publish([{ ...step, ...GO_ON }]);
		const rows = Array.from({ length: LINKS }, (_, row) => ({ url: `https://example.com/${row}` }));
		// A window that is under way is over after its length; the next begins with a whole second.
		await sleep(1000 * LIMIT.windowSeconds);
		await sleep(1000 - (Date.now() % 1000));
		sandbox.clearRequests();
		await run(rows);
		return bulkSeen(sandbox.requests, rows, LIMIT);
	};
	const ours = await seen(link(NODE, 'create', body));
	const theirs = await seen(httpRequest(NODE, { method: 'POST', url, body }));
	const windows = ours.ms / (1000 * LIMIT.windowSeconds);
	return [
		{
			what: `${LINKS} links at ${LIMIT.requests} a window`,
			ours: `${windows.toFixed(1)} windows, ${ours.refused} refused`,
			theirs: `${theirs.refused} refused, ${theirs.missing} missing`,
			wanted: `at most ${WINDOWS} windows, none refused`,
			holds: windows <= WINDOWS && ours.refused + ours.missing + ours.repeated === 0,
		},
	];
}
