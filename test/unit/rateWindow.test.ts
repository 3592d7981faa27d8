import type { RateInfo, SentRequest } from '../../dist/nodes/shared/http/rateWindow.js';
import { RateWindow } from '../../dist/nodes/shared/http/rateWindow.js';

/** What a rate limit allows, to the millisecond. */

const run = { requestsPerMinute: 30, urgent: false };
const person = { requestsPerMinute: 30, urgent: true };

const told = (limit: number, remaining: number, resetInMs?: number): RateInfo => ({
	report: { limit, remaining, resetInMs },
	isRefusal: false,
	waitMs: undefined,
});
const refused = (waitMs?: number): RateInfo => ({ report: undefined, isRefusal: true, waitMs });
const NOTHING: RateInfo = { report: undefined, isRefusal: false, waitMs: undefined };

let window = new RateWindow();
beforeEach(() => (window = new RateWindow()));

/** Sends a request at one moment, and has it answered at another. */
function exchange(sentAt: number, answeredAt: number, answer?: RateInfo, candidate = run): void {
	window.answered(window.sent(sentAt, candidate), answeredAt, answer);
}

/** From when on a request of a run may be sent. */
const opensAt = (now: number, requestsPerMinute = 30): number =>
	window.opensAt(now, { ...run, requestsPerMinute });

test('an unknown window opens with the first answer, or when that is overdue', () => {
	expect(opensAt(5)).toBeLessThanOrEqual(5);
	const first = window.sent(5, run);
	expect([opensAt(6), opensAt(10_004), opensAt(10_005)]).toEqual([10_005, 10_005, 10_005]);
	window.answered(first, 10_500, told(30, 29, 1000));
	expect(opensAt(10_500)).toBe(10_500);
});

test('a window that is used up opens at its end, which is a minute away if it is not told', () => {
	exchange(0, 10, told(30, 0, 5000));
	expect([opensAt(11), opensAt(5009), opensAt(5010)]).toEqual([5010, 5010, 5010]);
	exchange(5010, 5020, told(30, 0));
	expect(opensAt(5020)).toBe(65_020);
});

test('what is under way counts as used, and the first request of the next window goes alone', () => {
	exchange(0, 10, told(30, 2, 5000));
	const [first] = [window.sent(11, run), window.sent(12, run)] as [SentRequest, SentRequest];
	expect(opensAt(13)).toBe(5010);
	// Somebody else has used one.
	window.answered(first, 14, told(30, 1, 4996));
	expect(opensAt(14)).toBe(5010);
	expect(opensAt(5010)).toBe(10_012);
});

test('no more is left than the limit', () => {
	exchange(0, 10, told(1, 31, 5000));
	expect(opensAt(10)).toBe(10);
	window.sent(10, run);
	expect(opensAt(10)).toBe(5010);
});

test('answers may overtake each other', () => {
	const older = window.sent(0, run);
	const newer = window.sent(1, run);
	window.answered(newer, 10, told(30, 0, 5000));
	// Of the same window, told with another rounding.
	window.answered(older, 20, told(30, 1, 5500));
	expect(opensAt(20)).toBe(5010);
	// Of one before it.
	const late = window.sent(2, run);
	exchange(3, 30, told(30, 0, 60_000));
	window.answered(late, 40, told(30, 29, 20));
	expect(opensAt(40)).toBe(60_030);
	// Of the next one.
	exchange(50, 60, told(30, 29, 90_000));
	expect(opensAt(60)).toBe(60);
});

test('of one window the earliest end counts', () => {
	exchange(0, 10, told(30, 29, 5000));
	exchange(20, 30, told(30, 0, 4500));
	exchange(40, 50, told(30, 0, 5200));
	expect(opensAt(60)).toBe(4530);
});

describe('a refusal', () => {
	test.each([
		['for as long as it says', 7000, 7010],
		['for a while if it says less', 1, 210],
		['for a minute if it says nothing', undefined, 60_010],
	])('closes the window %s', (_, waitMs, opens) => {
		exchange(0, 10, refused(waitMs));
		expect([opensAt(10), opensAt(opens)]).toEqual([opens, opens]);
		expect(window.opensAt(20, person)).toBe(opens);
	});

	test.each([
		['to its end', 2000, 5010],
		['for a moment, if it has just ended', 6009, 6209],
		['for a minute, if it has ended long ago', 6010, 66_010],
	])('that does not say how long closes a known window %s', (_, at, opens) => {
		exchange(0, 10, told(30, 29, 5000));
		const request = window.sent(11, run);
		window.answered(request, at, refused());
		expect(opensAt(at)).toBe(opens);
		window.sent(opens, run);
		expect(opensAt(opens)).toBe(opens + 10_000);
	});

	test('that follows another doubles the wait up to a minute, until an answer comes', () => {
		const waits: number[] = [];
		let now = 0;
		for (let count = 0; count < 11; count += 1) {
			const parallel = window.sent(now, run);
			exchange(now, now, refused(0));
			window.answered(parallel, now, refused(0));
			waits.push(opensAt(now) - now);
			now = opensAt(now);
		}
		expect(waits.slice(0, 4)).toEqual([200, 400, 800, 1600]);
		expect(waits.slice(-3)).toEqual([51_200, 60_000, 60_000]);
		exchange(now, now, NOTHING);
		exchange(now, now, refused(0));
		expect(opensAt(now)).toBe(now + 200);
	});

	test('counts more than the end of the window that was told', () => {
		exchange(0, 10, told(1, 0, 50_000));
		exchange(10, 20, refused(700));
		expect(opensAt(20, 1)).toBe(720);
	});

	test('never shortens the wait of another', () => {
		const [first, second] = [window.sent(0, run), window.sent(0, run)] as const;
		window.answered(first, 10, refused(9000));
		window.answered(second, 20, refused(500));
		expect(opensAt(20)).toBe(9010);
	});
});

describe('what a credential allows', () => {
	const allow = (count: number) => ({ ...run, requestsPerMinute: count });

	test('counts in any minute where the service tells no limit', () => {
		exchange(0, 100, NOTHING, allow(2));
		expect(opensAt(150, 2)).toBe(150);
		exchange(150, 200, NOTHING, allow(2));
		expect([opensAt(200, 2), opensAt(60_099, 2), opensAt(60_100, 2)]).toEqual([
			...[60_100, 60_100, 60_100],
		]);
		const silent = window.sent(60_100, allow(2));
		expect(opensAt(60_150, 2)).toBe(60_200);
		const next = window.sent(60_200, allow(2));
		expect(opensAt(60_300, 2)).toBe(70_100);
		expect(opensAt(70_100, 2)).toBe(130_100);
		window.answered(next, 70_150, undefined);
		window.answered(silent, 80_000, undefined);
		expect(opensAt(80_000, 2)).toBe(130_100);
	});

	test('counts what is under way, until that is overdue', () => {
		exchange(0, 10, NOTHING, allow(3));
		window.sent(100, allow(3));
		expect(opensAt(110, 3)).toBe(110);
		window.sent(110, allow(3));
		window.sent(120, allow(3));
		expect(opensAt(130, 3)).toBe(10_100);
	});

	test.each([
		[1, 5010],
		[2, 5010],
		[3, 60_020],
	])('counts where the service tells a higher limit: %i, not 2', (limit, opens) => {
		for (const at of [0, 10]) exchange(at, at + 10, told(limit, limit - 1, 5000 - at), allow(2));
		exchange(20, 30, told(limit, 0, 4980), allow(2));
		expect(opensAt(5010, 2)).toBe(opens);
	});

	test('is as much as the service does, with 0: even where that is used up', () => {
		exchange(0, 10, told(30, 0, 5000), allow(0));
		expect(opensAt(10, 0)).toBeLessThanOrEqual(10);
		exchange(10, 20, refused(700), allow(0));
		expect(opensAt(20, 0)).toBe(720);
	});

	test('counts for others with the same key for two minutes', () => {
		exchange(0, 10, NOTHING, allow(1));
		exchange(0, 10, NOTHING, allow(5));
		expect([opensAt(20, 5), opensAt(20, 0)]).toEqual([60_010, 60_010]);
		for (const at of [60_000, 119_999]) exchange(at, at, NOTHING, allow(5));
		expect([opensAt(119_999, 5), opensAt(120_000, 5)]).toEqual([179_999, 120_000]);
	});
});

describe('two requests of each window', () => {
	test('stay free for people for ten minutes after one came', () => {
		expect(window.opensAt(0, person)).toBeLessThanOrEqual(0);
		exchange(0, 10, told(10, 2, 900_000));
		expect([opensAt(20), window.opensAt(20, person)]).toEqual([900_010, 20]);
		expect([opensAt(600_019), opensAt(600_020)]).toEqual([900_010, 600_020]);
	});

	test('do not stay free if nobody came, nor of a small limit', () => {
		exchange(0, 10, told(10, 1, 5000));
		expect(opensAt(10)).toBe(10);
		window = new RateWindow();
		window.opensAt(0, person);
		exchange(0, 10, told(9, 1, 5000));
		expect(opensAt(10)).toBe(10);
	});

	test('stay free of what the credential allows', () => {
		window.opensAt(0, person);
		for (let count = 0; count < 8; count += 1) exchange(count, count, NOTHING);
		expect([opensAt(9, 10), window.opensAt(9, { ...person, requestsPerMinute: 10 })]).toEqual([
			...[60_000, 9],
		]);
	});
});
