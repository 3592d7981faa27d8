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

/** Sends a request at one time, and has it answered at another. */
function exchange(sentAt: number, answeredAt: number, answer?: RateInfo): void {
	window.finish(window.start(sentAt), answeredAt, answer);
}

/** Sends so many requests, one after the other, in a window that ends at 900,000 ms. */
function use(count: number, limit: number): void {
	for (let at = 1; at <= count; at += 1) exchange(at, at, told(limit, limit - at, 900_000 - at));
}

/** From when on a request of a run may be sent. */
const opensAt = (now: number, requestsPerMinute = 30): number =>
	window.readyAt(now, { ...run, requestsPerMinute });

test('an unknown window opens with the first answer, or when that is overdue', () => {
	expect(opensAt(5)).toBeLessThanOrEqual(5);
	const first = window.start(5);
	expect([opensAt(6), opensAt(10_004), opensAt(10_005)]).toEqual([10_005, 10_005, 10_005]);
	window.finish(first, 10_500, told(9, 29, 1000));
	expect(opensAt(10_500)).toBe(10_500);
});

test('a window that is used up opens at its end, which is a minute away if it is not told', () => {
	exchange(0, 10, told(9, 0, 5000));
	expect([opensAt(11), opensAt(5009), opensAt(5010)]).toEqual([5010, 5010, 5010]);
	exchange(5010, 5020, told(9, 0));
	expect(opensAt(5020)).toBe(65_020);
});

test('what is under way counts as used, and the first request of the next window goes alone', () => {
	exchange(0, 10, told(9, 2, 5000));
	const [first] = [window.start(11), window.start(12)] as [SentRequest, SentRequest];
	expect(opensAt(13)).toBe(5010);
	// Somebody else has used one.
	window.finish(first, 14, told(9, 1, 4996));
	expect(opensAt(14)).toBe(5010);
	expect(opensAt(5010)).toBe(10_012);
});

test('no more is left than the limit', () => {
	exchange(0, 10, told(1, 31, 5000));
	expect(opensAt(10)).toBe(10);
	window.start(10);
	expect(opensAt(10)).toBe(5010);
});

test('answers may overtake each other', () => {
	const older = window.start(0);
	const newer = window.start(1);
	window.finish(newer, 10, told(9, 0, 5000));
	// Of the same window, told with another rounding.
	window.finish(older, 20, told(9, 1, 5500));
	expect(opensAt(20)).toBe(5010);
	// Of one before it.
	const late = window.start(2);
	exchange(3, 30, told(9, 0, 60_000));
	window.finish(late, 40, told(9, 29, 20));
	expect(opensAt(40)).toBe(60_030);
	// Of the next one.
	exchange(50, 60, told(9, 29, 90_000));
	expect(opensAt(60)).toBe(60);
});

test('of one window the earliest end counts', () => {
	exchange(0, 10, told(9, 29, 5000));
	exchange(20, 30, told(9, 0, 4500));
	exchange(40, 50, told(9, 0, 5200));
	expect(opensAt(60)).toBe(4530);
});

test('ends that differ by a second, and the time of the request, may be those of one window', () => {
	exchange(0, 10, told(9, 0, 5000));
	exchange(3900, 4000, told(9, 1, 2109));
	expect(opensAt(4000)).toBe(5010);
	exchange(4000, 4010, told(9, 5, 2010));
	expect(opensAt(4010)).toBe(4010);
});

test('of two requests of one millisecond the later response counts', () => {
	const [first, second] = [window.start(0), window.start(0)];
	window.finish(first, 10, told(9, 0, 5000));
	window.finish(second, 20, told(9, 8, 60_000));
	expect(opensAt(20)).toBe(20);
});

test('a request without a response counts as used', () => {
	exchange(0, 10, told(2, 1, 5000));
	exchange(20, 30, undefined);
	expect(opensAt(30)).toBe(5010);
});

describe('a refusal', () => {
	test.each([
		['for as long as it says', 7000, 7010],
		['for a while if it says less', 1, 210],
		['for a minute if it says nothing', undefined, 60_010],
	])('closes the window %s', (_, waitMs, opens) => {
		exchange(0, 10, refused(waitMs));
		expect([opensAt(10), opensAt(opens)]).toEqual([opens, opens]);
		expect(window.readyAt(20, person)).toBe(opens);
	});

	test.each([
		['to its end', 2000, 5010],
		['for a moment, if it has just ended', 6009, 6209],
		['for a minute, if it has ended long ago', 6010, 66_010],
	])('that does not say how long closes a known window %s', (_, at, opens) => {
		exchange(0, 10, told(9, 29, 5000));
		const request = window.start(11);
		window.finish(request, at, refused());
		expect(opensAt(at)).toBe(opens);
		window.start(opens);
		expect(opensAt(opens)).toBe(opens + 10_000);
	});

	test('that follows another doubles the wait up to a minute, until an answer comes', () => {
		const waits: number[] = [];
		let now = 0;
		for (let count = 0; count < 11; count += 1) {
			const parallel = window.start(now);
			exchange(now, now, refused(0));
			window.finish(parallel, now, refused(0));
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
		const [first, second] = [window.start(0), window.start(0)] as const;
		window.finish(first, 10, refused(9000));
		window.finish(second, 20, refused(500));
		expect(opensAt(20)).toBe(9010);
	});
});

describe('what a credential allows', () => {
	test('counts in any minute where the service tells no limit', () => {
		exchange(0, 100, NOTHING);
		expect(opensAt(150, 2)).toBe(150);
		exchange(150, 200, NOTHING);
		expect([opensAt(200, 2), opensAt(60_099, 2), opensAt(60_100, 2)]).toEqual([
			...[60_100, 60_100, 60_100],
		]);
		const silent = window.start(60_100);
		expect(opensAt(60_150, 2)).toBe(60_200);
		const next = window.start(60_200);
		expect(opensAt(60_300, 2)).toBe(70_100);
		expect(opensAt(70_100, 2)).toBe(130_100);
		window.finish(next, 70_150, undefined);
		window.finish(silent, 80_000, undefined);
		expect(opensAt(80_000, 2)).toBe(130_100);
	});

	test('counts what is under way, until that is overdue', () => {
		exchange(0, 10, NOTHING);
		window.start(100);
		expect(opensAt(110, 3)).toBe(110);
		window.start(110);
		window.start(120);
		expect(opensAt(130, 3)).toBe(10_100);
	});

	test.each([
		[1, 5010],
		[2, 5010],
		[3, 60_020],
	])('counts where the service tells a higher limit: %i, not 2', (limit, opens) => {
		for (const at of [0, 10]) exchange(at, at + 10, told(limit, limit - 1, 5000 - at));
		exchange(20, 30, told(limit, 0, 4980));
		expect(opensAt(5010, 2)).toBe(opens);
	});

	test('is as much as the service does, with 0: even where that is used up', () => {
		exchange(0, 10, told(9, 0, 5000));
		expect(opensAt(10, 0)).toBeLessThanOrEqual(10);
		exchange(10, 20, refused(700));
		expect(opensAt(20, 0)).toBe(720);
	});
});

describe('two requests of each window', () => {
	test('stay free for people for ten minutes after one came', () => {
		expect(window.readyAt(0, person)).toBeLessThanOrEqual(0);
		use(8, 10);
		expect([opensAt(1001), window.readyAt(1001, person)]).toEqual([900_000, 1001]);
		expect([opensAt(601_000), opensAt(601_001)]).toEqual([900_000, 601_001]);
	});

	test('do not stay free if nobody came, nor of a small limit', () => {
		use(9, 10);
		expect(opensAt(1001)).toBe(1001);
		window = new RateWindow();
		window.readyAt(0, person);
		use(8, 9);
		expect(opensAt(10)).toBe(10);
	});

	test('stay free of what the credential allows', () => {
		window.readyAt(0, person);
		for (let count = 0; count < 8; count += 1) exchange(count, count, NOTHING);
		expect([opensAt(9, 10), window.readyAt(9, { ...person, requestsPerMinute: 10 })]).toEqual([
			...[60_000, 9],
		]);
	});
});

describe('other processes with the same key', () => {
	test('find four requests left in the first second of a window, because their clocks are not exact', () => {
		use(25, 30);
		expect([opensAt(26), window.readyAt(26, person)]).toEqual([26, 26]);
		exchange(26, 26, told(30, 4, 899_974));
		expect([opensAt(27), opensAt(1000), opensAt(1001)]).toEqual([1001, 1001, 1001]);
		expect(window.readyAt(27, person)).toBe(27);
		window.start(1001);
		expect(opensAt(1001)).toBe(1001);
		window = new RateWindow();
		exchange(0, 0, told(10, 4, 500));
		expect(opensAt(0)).toBe(500);
	});

	test('get room for as many requests as they sent for each of ours', () => {
		use(1, 100);
		// Two of ours, and two of others.
		exchange(2000, 2010, told(100, 96, 897_990));
		const [first] = [window.start(2011), window.start(2011), window.start(2011)];
		// Four are not answered at most for two that are.
		expect([opensAt(2012), window.start(2012), opensAt(2013)]).toEqual([
			2012,
			{ sentAt: 2012 },
			12_011,
		]);
		window.finish(first, 2020, told(100, 92, 897_980));
		expect(opensAt(2020)).toBe(2020);
	});

	test.each([
		[3, 3000],
		[2, 3000],
		[1, 900_000],
	])(
		'get the last of a window if they use half of it: of %i, ours may be sent at %i',
		(left, opens) => {
			use(1, 40);
			exchange(2000, 2010, told(40, 36, 897_990));
			for (let at = 2; at < (40 - left) / 2; at += 1)
				exchange(2011, 2011, told(40, 40 - 2 * at - 2, 897_989));
			exchange(2012, 2012, told(40, left, 897_988));
			expect(opensAt(3000)).toBe(opens);
		},
	);

	test.each([
		[9, 2],
		[8, 10_002],
	])(
		'get room for those not seen yet: of %i with one in flight, ours may be sent at %i',
		(limit, opens) => {
			exchange(0, 0, told(limit, limit - 1, 900_000));
			exchange(1, 1, told(limit, limit - 4, 899_999));
			// Of two that they may have sent for our first two one may be ours; and two for our next two.
			window.start(2);
			expect(opensAt(2)).toBe(opens);
		},
	);

	test('get the whole last request of a window, but not beyond its first second', () => {
		use(29, 30);
		expect(opensAt(30)).toBe(1001);
	});

	test('count in the next window as they did in the last, and as four at most', () => {
		use(1, 30);
		exchange(2000, 2000, told(30, 0, 1000));
		exchange(3000, 3000, told(30, 29, 60_000));
		expect(opensAt(4000)).toBe(4000);
		exchange(4000, 4000, told(30, 5, 59_000));
		expect(opensAt(4000)).toBe(4000);
		exchange(4001, 4001, told(30, 4, 58_999));
		expect([opensAt(4001), window.readyAt(4001, person)]).toEqual([63_000, 4001]);
	});
});
