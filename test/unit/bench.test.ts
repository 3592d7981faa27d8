import { compare, inTurns, median } from '../bench/compare.ts';
import { differing, withSpread } from '../bench/format.ts';
import { always, atMost, Tally } from '../bench/section.ts';

/** What the benchmarks make of their measurements. */

test('ways are measured in turns, and the first round does not count', async () => {
	const order: string[] = [];
	const way = (name: string, result: number) => async () => {
		order.push(name);
		return await Promise.resolve(result * order.length);
	};
	const results = await inTurns(2, [way('ours', 1), way('theirs', 10)]);
	expect(order).toEqual(['ours', 'theirs', 'theirs', 'ours', 'ours', 'theirs']);
	expect(results).toEqual([
		[4, 5],
		[30, 60],
	]);
});

test('ratios are those of the rounds', () => {
	expect(compare([2, 9, 4], [1, 3, 8])).toEqual({ ratios: [2, 3, 0.5], ours: 4, theirs: 3 });
});

test.each([
	[[7], 7],
	[[9, 1, 5], 5],
	[[8, 2, 6, 4], 5],
])('the median of %j is %d', (values, expected) => {
	expect(median(values)).toBe(expected);
});

test('figures say how far they were apart', () => {
	expect(withSpread([1.5, 1, 1.25])).toBe('1.25 (1.00 to 1.50)');
	expect(differing([1000, 1000])).toBe('1,000');
	expect(differing([30, 64, 30])).toBe('30 to 64');
});

test('a target holds when the median, or every count, is as wanted', () => {
	expect(atMost(1, [0.5, 1, 3])).toEqual({ measured: '1.00 (0.50 to 3.00)', holds: true });
	expect(atMost(0.9, [0.5, 1, 3]).holds).toBe(false);
	expect(always(0, [0, 0])).toEqual({ measured: '0', holds: true });
	expect(always(0, [0, 1])).toEqual({ measured: '0 to 1', holds: false });
	expect(always(0, []).holds).toBe(false);
});

test('a wrong count is told, a right one is not', () => {
	const tally = new Tally();
	tally.expect('links lost', 0);
	tally.expect('items', 2, 2);
	tally.expect('links lost', 3);
	expect(tally.wrong).toEqual(['links lost: 3 instead of 0']);
});
