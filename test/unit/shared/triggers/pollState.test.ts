import type { IDataObject } from 'n8n-workflow';

import type { PollResult } from '../../../../dist/nodes/shared/triggers/pollState.js';
import { pollWithState } from '../../../../dist/nodes/shared/triggers/pollState.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';

/** Which state a poll begins with, and which poll is skipped, whatever n8n has stored meanwhile. */

const DAY_MS = 86_400_000;

let triggers = 0;

/** A trigger of its own. `poll` tells what the poll began with, or that it was skipped. */
function trigger() {
	triggers += 1;
	const name = `trigger ${triggers}`;
	const poll = async (
		passed: IDataObject | undefined,
		result: PollResult | Promise<PollResult>,
		{ source = 'links', now = 0 } = {},
	): Promise<unknown> => {
		let began: unknown = 'skipped';
		await pollWithState(name, source, passed, now, async (state, isRestart) => {
			began = { from: state?.n, isRestart };
			return await result;
		});
		return began;
	};
	return { poll };
}

const left = (n: number, ...records: IDataObject[]): PollResult => ({ records, state: { n } });
const record = { id: 1 };

test('the first poll begins with what n8n has stored, and so does one after n8n has stored its state', async () => {
	const { poll } = trigger();
	expect(await poll(undefined, left(1))).toEqual({ from: undefined, isRestart: true });
	expect(await poll({ n: 1 }, left(2))).toEqual({ from: 1, isRestart: false });
	expect(await poll({ n: 2 }, left(3))).toEqual({ from: 2, isRestart: false });
});

test('if n8n stores nothing without records, the next poll begins with what the last one left', async () => {
	const { poll } = trigger();
	await poll({ n: 1 }, left(2));
	expect(await poll({ n: 1 }, left(3))).toEqual({ from: 2, isRestart: false });
	expect(await poll({ n: 1 }, left(4))).toEqual({ from: 3, isRestart: false });
});

test('if n8n may still be storing records, a poll is skipped once; then they are found again', async () => {
	const { poll } = trigger();
	await poll({ n: 1 }, left(2, record));
	expect(await poll({ n: 1 }, left(3))).toBe('skipped');
	expect(await poll({ n: 1 }, left(2, record))).toEqual({ from: 1, isRestart: false });
	expect(await poll({ n: 1 }, left(2))).toBe('skipped');
	expect(await poll({ n: 2 }, left(3))).toEqual({ from: 2, isRestart: false });
});

test('a poll is skipped while one of the same source runs', async () => {
	const { poll } = trigger();
	let end: (result: PollResult) => void = () => undefined;
	const first = poll({ n: 1 }, new Promise<PollResult>((resolve) => (end = resolve)));
	expect(await poll({ n: 1 }, left(5))).toBe('skipped');
	expect(await poll({ n: 1 }, left(6), { source: 'clicks' })).toEqual({ from: 1, isRestart: true });
	end(left(2));
	expect(await first).toEqual({ from: 1, isRestart: true });
	expect(await poll({ n: 1 }, left(3))).toEqual({ from: 2, isRestart: false });
});

test('another source, or another state, begins with what n8n has stored', async () => {
	const { poll } = trigger();
	await poll({ n: 1 }, left(2));
	expect(await poll({ n: 1 }, left(3), { source: 'clicks' })).toMatchObject({ from: 1 });
	expect(await poll({ n: 7 }, left(8))).toMatchObject({ from: 7 });
});

test('a poll that throws changes nothing, and the next one runs', async () => {
	const { poll } = trigger();
	const broken = Promise.reject<PollResult>(new Error('broken'));
	await expect(poll({ n: 1 }, broken)).rejects.toThrow('broken');
	expect(await poll({ n: 1 }, left(2))).toEqual({ from: 1, isRestart: true });
});

test('a poll with a failure leaves its state, and is no success', async () => {
	const { poll } = trigger();
	const failure = new Failure({ kind: 'unavailable', message: 'Down' });
	await poll({ n: 1 }, { ...left(2), failure });
	expect(await poll({ n: 1 }, left(3))).toEqual({ from: 2, isRestart: true });
	expect(await poll({ n: 1 }, left(4))).toEqual({ from: 3, isRestart: false });
});

test('a trigger that has not polled for more than a month is forgotten', async () => {
	const [idle, other] = [trigger(), trigger()];
	await idle.poll({ n: 1 }, left(2));
	await other.poll({ n: 1 }, left(2), { now: 32 * DAY_MS });
	expect(await idle.poll({ n: 1 }, left(3), { now: 32 * DAY_MS })).toEqual({
		from: 2,
		isRestart: false,
	});
	await other.poll({ n: 1 }, left(2), { now: 64 * DAY_MS + 1 });
	expect(await idle.poll({ n: 1 }, left(3), { now: 64 * DAY_MS + 1 })).toEqual({
		from: 1,
		isRestart: true,
	});
});
