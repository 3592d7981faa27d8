import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { isInvalidCode } from '../../dist/nodes/Store/purchaseCode.js';
import { newPurchase, supportEnding } from '../../dist/nodes/Store/trigger/codeEvents.js';
import type { Watched } from '../../dist/nodes/Store/trigger/knownCodes.js';
import { KnownCodes, OPEN, WAITING } from '../../dist/nodes/Store/trigger/knownCodes.js';
import { purchaseCodes } from '../../dist/nodes/Store/trigger/purchaseCodes.js';

const NOW = Date.UTC(2030, 0, 15);
const DAY_MS = 86_400_000;
const days = (count: number): string => new Date(NOW + count * DAY_MS).toISOString();

test('codes are read from lines, commas and arrays, without blanks and repeats', () => {
	expect(purchaseCodes(' a \n\nb,c , ,\r\na')).toEqual(['a', 'b', 'c']);
	expect(purchaseCodes(['a', 'b,c', 42, null, ['a', 'd']])).toEqual(['a', 'b', 'c', '42', 'd']);
	expect(purchaseCodes(undefined)).toEqual([]);
	expect(() => purchaseCodes([{ code: 'a' }])).toThrow('must be text or an array of texts');
});

const watchedOf = (...names: string[]): Watched[] =>
	names.map((code) => ({ code, key: code.padStart(8, '0') }));

test('codes are read as they were pasted', () => {
	const pasted = '\u200b7f\u20119c\u00ad\u00a0\n\ufb00\u2013\uff11\u2028 \u2060 ,a\tb';
	expect(purchaseCodes(pasted)).toEqual(['7f-9c', 'ff-1', 'a', 'b']);
	expect(purchaseCodes(['\ufb00', 'ff'])).toEqual(['ff']);
});

test.each([
	['refused', 200, true],
	['refused', 404, true],
	['unauthorized', 401, true],
	['rateLimited', 429, false],
	['rateLimited', 200, false],
	['refused', 500, false],
	['unavailable', 503, false],
	['unreadable', 302, false],
] as const)(
	'the words for an invalid code count if the request was %s with %i: %s',
	(kind, httpCode, is) => {
		expect(isInvalidCode({ kind, httpCode, message: 'Invalid purchase code.' }, {})).toBe(is);
	},
);

describe('the known codes', () => {
	test('hands out codes that were never checked first, then the longest unchecked', () => {
		const watched = watchedOf('a', 'b', 'c');
		const codes = KnownCodes.begin(watched, NOW);
		const next = (count: number, of = watched): string[] =>
			codes.next(of, count, (known) => known === '!').map(({ code }) => code);
		expect(next(2)).toEqual(['a', 'b']);
		for (const entry of watchedOf('a', 'b')) codes.note(entry, OPEN);
		expect(next(3)).toEqual(['c', 'a', 'b']);
		codes.note(watched[2] ?? { code: '', key: '' }, '!');
		expect(next(3)).toEqual(['a', 'b']);
		expect(next(2, watchedOf('new', 'a', 'b'))).toEqual(['new', 'a']);
	});

	test('survives being stored', () => {
		fc.assert(
			fc.property(
				fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9_-]{8}$/), { minLength: 1, maxLength: 20 }),
				fc.array(fc.constantFrom(OPEN, WAITING, '!', '.sx1k2c'), { minLength: 20, maxLength: 20 }),
				(keys, states) => {
					const codes = KnownCodes.begin([], NOW);
					keys.forEach((key, index) => codes.note({ code: key, key }, states[index] ?? OPEN));
					const state = JSON.parse(JSON.stringify(codes.state())) as IDataObject;
					expect(KnownCodes.read(state)?.state()).toEqual(codes.state());
				},
			),
		);
		expect(KnownCodes.read(undefined)).toBeUndefined();
	});

	test('keeps codes that are away for once, and at most 10,000 in all', () => {
		const codes = KnownCodes.begin(watchedOf('kept'), NOW);
		codes.trim([]);
		expect(codes.known(watchedOf('kept')[0] ?? { code: '', key: '' })).toBe(WAITING);
		const others = watchedOf(...Array.from({ length: 10_000 }, (_, index) => `c${index}`));
		for (const entry of others) codes.note(entry, OPEN);
		codes.trim(others);
		expect(codes.state().codes).toMatch(/^([^ ]+ ){9999}[^ ]+$/);
	});
});

describe('a check for a new purchase', () => {
	const finding = (known: string | undefined, purchase?: { date: string }) =>
		newPurchase.finding({ purchase, known, since: NOW, at: NOW, daysBefore: 14 });

	test('is news when a code turned valid, or was added and is valid', () => {
		expect(finding(OPEN, { date: days(-9) })).toEqual({ known: '!', isNew: true });
		expect(finding(undefined, { date: days(-9) })).toEqual({ known: '!', isNew: true });
	});

	test('of a code from before the activation is news only if it was bought since', () => {
		expect(finding(WAITING, { date: days(-1) }).isNew).toBe(false);
		expect(finding(WAITING, { date: days(1) }).isNew).toBe(true);
		expect(finding(WAITING, { date: 'unreadable' }).isNew).toBe(false);
	});

	test('of an invalid code leaves it open', () => {
		expect(finding(WAITING)).toEqual({ known: OPEN, isNew: false });
	});
});

describe('a check for ending support', () => {
	const finding = (known: string | undefined, supported_until?: string, since = NOW) =>
		supportEnding.finding({
			purchase: supported_until === undefined ? {} : { supported_until },
			known,
			since,
			at: NOW,
			daysBefore: 14,
		});

	test('is news once per period', () => {
		const { known, isNew } = finding(OPEN, days(10));
		expect(isNew).toBe(true);
		expect(finding(known, days(10))).toEqual({ known, isNew: false });
		expect(finding(known, days(12)).isNew).toBe(true);
	});

	test('is none before its time, after the end, or without support', () => {
		for (const until of [days(15), days(-1), undefined]) {
			expect(finding(OPEN, until)).toEqual({ known: OPEN, isNew: false });
		}
	});

	test('is none if it was ending at the activation', () => {
		expect(finding(WAITING, days(10)).isNew).toBe(false);
		expect(finding(WAITING, days(10), NOW - 5 * DAY_MS).isNew).toBe(true);
	});

	test('forgets no period while a code is invalid for a time', () => {
		const { known } = finding(OPEN, days(10));
		const away = supportEnding.finding({
			purchase: undefined,
			known,
			since: NOW,
			at: NOW,
			daysBefore: 14,
		});
		expect(finding(away.known, days(10)).isNew).toBe(false);
	});
});
