import { systemClock } from '../../../dist/nodes/shared/http/clock.js';
import { Stage } from '../helpers/support.ts';

const LINKS = { url: 'https://example.com/', customAlias: '={{ $json.alias }}' };
const rows = ['one', 'two', 'three'].map((alias) => ({ alias }));

/** Cancels the execution once so many requests have come. */
const cancelAfter = (stage: Stage, requests: number) => (execution: { cancel(): void }) => {
	const poll = setInterval(() => {
		if (stage.sandbox.requests.length < requests) return;
		clearInterval(poll);
		execution.cancel();
	}, 20);
};

test('canceled with Continue, only the row that was under way may have been carried out', async () => {
	await using stage = await Stage.opened();
	stage.sandbox.faults.add({ kind: 'delay', milliseconds: 800 });
	const { json } = await stage.link('link.create', LINKS, {
		rows: rows.slice(0, 2),
		settings: { onError: 'continueRegularOutput' },
		onStart: cancelAfter(stage, 1),
	});
	expect(stage.sent()).toHaveLength(1);
	expect(json).toEqual([
		{
			...rows[0],
			outcome: 'failed',
			error: expect.stringMatching(
				/^The execution was canceled\. It may still have been .* again\.$/,
			) as unknown,
		},
		{ ...rows[1], outcome: 'failed', error: 'The execution was canceled.' },
	]);
});

test('canceling ends the wait for the rate limit', async () => {
	await using stage = await Stage.opened({}, { rateLimit: { requests: 2, windowSeconds: 3600 } });
	const endless = jest.spyOn(systemClock, 'sleep').mockReturnValue(new Promise(() => undefined));
	const { run, error, requests } = await stage.link('link.create', LINKS, {
		rows,
		credential: { requestsPerMinute: 30 },
		onStart: cancelAfter(stage, 2),
	});
	endless.mockRestore();
	expect(run.status).toBe('canceled');
	expect(error?.message).toBe('The execution was canceled');
	expect(requests).toHaveLength(2);
});
