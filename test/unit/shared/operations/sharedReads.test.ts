import type { ApiRequest, TimeLimit } from '../../../../dist/nodes/shared/http/exchange.js';
import type { ServiceResponse } from '../../../../dist/nodes/shared/http/exchange.js';
import { endingAt, SharedReads } from '../../../../dist/nodes/shared/operations/sharedReads.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';

const READ: ApiRequest = { method: 'GET', path: '/api/urls' };
const response: ServiceResponse = { body: { error: 0 }, answeredAt: 0 };
const late = new Failure({ kind: 'outOfTime', message: 'Late' });

/** Reads whose requests end as told, and the limits that they were sent with. */
function reads() {
	const limits: Array<TimeLimit | undefined> = [];
	const pending: Array<(outcome: ServiceResponse | Failure) => void> = [];
	const shared = new SharedReads(async (_request, limit) => {
		limits.push(limit);
		return await new Promise((resolve, reject) => {
			pending.push((outcome) => {
				if (outcome instanceof Failure) reject(outcome);
				else resolve(outcome);
			});
		});
	});
	/** What becomes of a row that waits for work until its limit. */
	const row = (until: number, work: () => Promise<unknown>) => {
		const state: { outcome?: unknown } = {};
		void shared.within(until, work).then(
			(outcome) => (state.outcome = outcome),
			(error: unknown) => (state.outcome = (error as Error).message),
		);
		return state;
	};
	const end = async (outcome: ServiceResponse | Failure) => {
		pending.shift()?.(outcome);
		await settled();
	};
	return { shared, limits, row, end };
}

const settled = async () => await new Promise((resolve) => setImmediate(resolve));

test('a row gets the result of the read, sent within its limit', async () => {
	const { shared, limits, row, end } = reads();
	const waiting = row(100, async () => await shared.send(READ));
	await end(response);
	expect([waiting.outcome, limits]).toEqual([response, [{ until: 100, endsReads: true }]]);
});

test('a read that several rows wait for is sent within the shortest limit, then for the others', async () => {
	const { shared, limits, row, end } = reads();
	const others = [100, 100, 200].map((until) =>
		row(until, async () => await new Promise(() => undefined)),
	);
	const reader = row(300, async () => await shared.send(READ));
	const outcomes = () => [...others, reader].map(({ outcome }) => outcome);
	await end(late);
	expect(outcomes()).toEqual(['Late', 'Late', undefined, undefined]);
	await end(late);
	expect(outcomes()).toEqual(['Late', 'Late', 'Late', undefined]);
	await end(response);
	expect(reader.outcome).toBe(response);
	expect(limits.map((limit) => limit?.until)).toEqual([100, 200, 300]);
});

test('a read for which no row waits any more pauses until the next one does', async () => {
	const { shared, limits, row, end } = reads();
	let list: Promise<unknown> | undefined;
	const read = async () => await (list ??= shared.send(READ));
	const first = row(100, read);
	await end(late);
	expect([first.outcome, limits.length]).toEqual(['Late', 1]);
	const second = row(200, read);
	await settled();
	expect(limits.map((limit) => limit?.until)).toEqual([100, 200]);
	await end(response);
	expect(second.outcome).toBe(response);
});

test('a row that has its result is not waited for', async () => {
	const { shared, limits, row, end } = reads();
	row(100, async () => await Promise.resolve('done'));
	await settled();
	const waiting = row(200, async () => await shared.send(READ));
	await end(response);
	expect([waiting.outcome, limits[0]?.until]).toEqual([response, 200]);
});

test('without limits, nothing pauses', async () => {
	const { shared, limits, row, end } = reads();
	row(Infinity, async () => await Promise.resolve('done'));
	await settled();
	void shared.send(READ);
	await end(response);
	expect(limits).toEqual([{ until: Infinity, endsReads: false }]);
	expect([endingAt(Infinity).endsReads, endingAt(5)]).toEqual([
		false,
		{ until: 5, endsReads: true },
	]);
});

test('any other failure is that of all who read', async () => {
	const { shared, limits, row, end } = reads();
	const waiting = row(100, async () => await shared.send(READ));
	await end(new Failure({ kind: 'refused', message: 'No' }));
	expect([waiting.outcome, limits.length]).toEqual(['No', 1]);
});
