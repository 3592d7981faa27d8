import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { checkCode } from '../../../../dist/nodes/Store/purchase.js';
import {
	isAboutCode,
	isInvalidCode,
	namingCodes,
	purchaseCode,
} from '../../../../dist/nodes/Store/purchaseCode.js';
import { itemRecord, readItems } from '../../../../dist/nodes/Store/records.js';
import { storeService } from '../../../../dist/nodes/Store/service.js';
import {
	becameInvalid,
	newPurchase,
	supportEnding,
} from '../../../../dist/nodes/Store/trigger/codeEvents.js';
import { CodeStates, OPEN, WAITING } from '../../../../dist/nodes/Store/trigger/codeStates.js';
import { purchaseCodes } from '../../../../dist/nodes/Store/trigger/purchaseCodes.js';
import type { Connection } from '../../../../dist/nodes/shared/http/connection.js';
import type { ServiceResponse } from '../../../../dist/nodes/shared/http/exchange.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';

const NOW = Date.UTC(2030, 0, 15);
const DAY_MS = 86_400_000;
const days = (count: number): string => new Date(NOW + count * DAY_MS).toISOString();
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);

test.each<[entered: unknown, codes: string[]]>([
	[' a \n\nb,c , ,\r\na', ['a', 'b', 'c']],
	[
		['a', 'b,c', 42, null, ['a', 'd']],
		['a', 'b', 'c', '42', 'd'],
	],
	[undefined, []],
	// As they are pasted from PDFs and chats.
	[
		'\u200b7f\u20119c\u00ad\u00a0\n\ufb00\u2013\uff11\u2028 \u2060 ,a\tb',
		['7f-9c', 'ff-1', 'a', 'b'],
	],
	[['\ufb00', 'ff'], ['ff']],
	[numbered(10_000), numbered(10_000)],
])(
	'codes are read from lines, commas and arrays, without blanks and repeats: %#',
	(entered, codes) => {
		expect(purchaseCodes(entered)).toEqual(codes);
	},
);

test.each([
	[
		[{ code: 'a' }],
		'Purchase Codes must be text or an array of texts, but is "{"code":"a"}"',
		'Enter one code per line, or give an array of the codes alone',
	],
	[
		numbered(10_001),
		'A trigger watches at most 10000 purchase codes, but there are 10001',
		'Use several triggers',
	],
	['half \ud83d', /^Purchase Codes has a broken character/, /^Check the expression/],
])('codes are refused: %#', async (entered, message, advice) => {
	const refused = Promise.resolve(entered).then(purchaseCodes);
	const like = (text: string | RegExp): unknown => expect.stringMatching(text);
	await expect(refused).rejects.toMatchObject({ message: like(message), advice: like(advice) });
});

test.each([
	[' 7f\u20139c\u200b ', '7f-9c'],
	[42, '42'],
	[null, ''],
	['\u00a0', ''],
])('the purchase code %j is sent as %j', (entered, sent) => {
	expect(purchaseCode('Purchase Code', entered)).toBe(sent);
});

const response = (body: IDataObject) => async () =>
	await Promise.resolve({ body, answeredAt: NOW } as Partial<ServiceResponse> as ServiceResponse);

test.each([
	['refused', 'No items found.', []],
	['unauthorized', 'No items found', []],
	['forbidden', 'No items found', []],
	['refused', 'No such account', 'No such account'],
	['unavailable', 'No items found', 'No items found'],
] as const)('items that are %s with "%s" are %j', async (kind, message, expected) => {
	const items = readItems(async ({ path }) => {
		if (path === '/api/items/all') throw new Failure({ kind, message });
		return await response({ data: { username: 'ada' } })();
	});
	if (typeof expected === 'string') await expect(items).rejects.toThrow(expected);
	else expect(await items).toEqual(expected);
});

test.each([
	[days(2), true, 2],
	[days(0), false, 0],
	[days(-1), false, 0],
	[2_000_000_000_000, false, 0],
	[undefined, false, 0],
])('support until %j is active: %j, for %i days', async (until, isActive, left) => {
	const found = { purchase_code: 'x', ...(until === undefined ? {} : { supported_until: until }) };
	const checked = await checkCode('a', response({ data: { purchase: found } }), {} as Connection);
	expect(checked).toMatchObject({
		reason: '',
		at: NOW,
		purchase: { purchase_code: 'a', support_active: isActive, support_days_left: left },
	});
});

test('the store is asked about codes, and says what it means', () => {
	expect(isAboutCode(new Failure({ kind: 'forbidden', message: 'No' }))).toBe(true);
	expect(isAboutCode(new Failure({ kind: 'unavailable', message: 'Down' }))).toBe(false);
	const named = namingCodes(new Failure({ kind: 'refused', message: 'No' }), numbered(10));
	expect(named.message).toMatch(/^No \(purchase codes "c0", .*, "c9"\)$/);
	const paths = ['/api/items/all', '/api/item/details'];
	expect(paths.map((path) => storeService.isList({ method: 'GET', path }))).toEqual([true, false]);
	const said = [{ status: 'success' }, { status: 'error', msg: 'No' }, { msg: 'Hm' }];
	expect(said.map((body) => storeService.envelopeOf(body).outcome)).toEqual([
		...['success', 'failure', 'unknown'],
	]);
	expect(itemRecord({ id: '7', name: 'x' })).toEqual({ id: 7, name: 'x' });
});

test.each([
	['refused', true],
	['missing', true],
	['unauthorized', true],
	['forbidden', true],
	['rateLimited', false],
	['serverError', false],
	['unavailable', false],
	['misrouted', false],
] as const)('the words for an invalid code count if the request was %s: %s', (kind, is) => {
	const isInvalid = (message: string) => isInvalidCode({ kind, message }, {});
	expect(['INVALID purchase code !', '…'].map(isInvalid)).toEqual([is, false]);
});

describe('the states of codes', () => {
	const watched = (code: string) => ({ code, key: code.padStart(8, '0') });
	const [a, b, c] = [watched('a'), watched('b'), watched('c')];

	test('hand out codes that were never checked first, then the longest unchecked', () => {
		const codes = CodeStates.begin([a, b, c], NOW);
		const next = (count: number, of = [a, b, c]): string[] =>
			codes
				.next(of, { isDone: (state) => state === '!', isUrgent: (state) => state === '~' })
				.slice(0, count)
				.map(({ code }) => code);
		expect(next(2)).toEqual(['a', 'b']);
		for (const entry of [a, b]) codes.set(entry, OPEN);
		expect(next(3)).toEqual(['c', 'a', 'b']);
		codes.set(c, '!');
		expect(next(3)).toEqual(['a', 'b']);
		expect(next(2, [watched('new'), a, b])).toEqual(['new', 'a']);
		codes.set(b, '~');
		expect(next(3, [watched('new'), a, b])).toEqual(['b', 'new', 'a']);
	});

	test('survive being stored', () => {
		const key = fc.stringMatching(/^[\w-]{8}$/);
		const state = fc.constantFrom(OPEN, WAITING, '!', '.sx1k2c');
		const entries = fc.dictionary(key, state, { minKeys: 1, maxKeys: 20 });
		fc.assert(
			fc.property(entries, (all) => {
				const codes = CodeStates.begin([], NOW);
				for (const [code, found] of Object.entries(all)) codes.set({ code, key: code }, found);
				const stored = JSON.parse(JSON.stringify(codes.stored())) as IDataObject;
				expect(CodeStates.parse(stored)?.stored()).toEqual(codes.stored());
			}),
		);
		expect(CodeStates.parse(undefined)).toBeUndefined();
	});

	test('are kept while they are away for once, and are at most 10,000', () => {
		const codes = CodeStates.begin([a], NOW);
		codes.trim([]);
		expect(codes.get(a)).toBe(WAITING);
		const others = numbered(10_000).map(watched);
		for (const entry of others) codes.set(entry, OPEN);
		codes.trim(others);
		expect(codes.stored().codes).toMatch(/^([^ ]+ ){9999}[^ ]+$/);
	});
});

const VALID = '!';
/** In 10, and in 12 days, in seconds and in base 36. */
const [IN_10, IN_12] = ['.vcjs00', '.vcnhc0'];
const check = { since: NOW, at: NOW, daysBefore: 14 };

test.each<[before: string | undefined, date: string | undefined, becomes: string, isNew: boolean]>([
	[OPEN, days(-9), VALID, true],
	[undefined, days(-9), VALID, true],
	// Of a code from before the activation only what was bought since.
	[WAITING, days(-1), VALID, false],
	[WAITING, days(0), VALID, false],
	[WAITING, days(1), VALID, true],
	[WAITING, 'unreadable', VALID, false],
	[WAITING, undefined, OPEN, false],
])('a purchase of the code %j from %j becomes %j, and is new: %j', (before, date, ...found) => {
	const purchase = date === undefined ? undefined : { date };
	const finding = newPurchase.finding({ ...check, purchase, before });
	expect([finding.state, finding.isNew]).toEqual(found);
	expect(newPurchase.isDone(finding.state)).toBe(date !== undefined);
});

test.each<[before: string | undefined, until: string | undefined, becomes: string, isNew: boolean]>(
	[
		[OPEN, days(10), IN_10, true],
		[undefined, days(10), IN_10, true],
		// Once per period, also if the code was invalid for a time.
		[IN_10, days(10), IN_10, false],
		[IN_10, undefined, IN_10, false],
		[IN_10, days(12), IN_12, true],
		// Neither before its time nor after the end.
		[OPEN, days(14), '.vcr6o0', true],
		[OPEN, days(15), OPEN, false],
		[OPEN, days(0), OPEN, false],
		[WAITING, undefined, OPEN, false],
		// Not if it was ending at the activation.
		[WAITING, days(10), IN_10, false],
	],
)('support of the code %j until %j becomes %j, and is new: %j', (before, until, ...found) => {
	const purchase = until === undefined ? undefined : { supported_until: until };
	const finding = supportEnding.finding({ ...check, purchase, before });
	expect([finding.state, finding.isNew]).toEqual(found);
	expect(supportEnding.isDone(finding.state)).toBe(false);
});

test.each([
	[14, false],
	[15, true],
])('support that was to end %i days after the activation is new: %j', (until, isNew) => {
	const purchase = { supported_until: days(until) };
	const at = NOW + 5 * DAY_MS;
	expect(supportEnding.finding({ ...check, at, purchase, before: WAITING })).toMatchObject({
		isNew,
	});
});

test.each<[before: string | undefined, isValid: boolean, becomes: string, isNew: boolean]>([
	[OPEN, true, VALID, false],
	[WAITING, true, VALID, false],
	[VALID, true, VALID, false],
	// Twice in a row, once.
	[VALID, false, '~', false],
	['~', false, OPEN, true],
	[OPEN, false, OPEN, false],
	// Valid in between: from the beginning.
	['~', true, VALID, false],
	// Never valid, as far as is known.
	[WAITING, false, OPEN, false],
	[undefined, false, OPEN, false],
])('a code in the state %j that is valid: %j becomes %j, and is news: %j', (...row) => {
	const [before, isValid, ...found] = row;
	const purchase = isValid ? {} : undefined;
	const finding = becameInvalid.finding({ ...check, purchase, before });
	expect([finding.state, finding.isNew]).toEqual(found);
	expect([becameInvalid.isDone(finding.state), becameInvalid.isUrgent(finding.state)]).toEqual([
		...[false, finding.state === '~'],
	]);
});

test('a test shows the newest purchase, the support that ends next, or an invalid code', () => {
	const sold = (record: IDataObject) => ({ record, isValid: true, at: NOW });
	const invalid = { record: { valid: false }, isValid: false, at: 0 };
	const older = sold({ date: days(1) });
	const newer = sold({ date: days(2) });
	expect(newPurchase.sample([sold({}), older, newer, invalid])).toEqual([newer.record]);
	expect(newPurchase.sample([invalid])).toEqual([]);
	const ended = sold({ supported_until: days(0) });
	const later = sold({ supported_until: days(2) });
	const next = sold({ supported_until: days(1) });
	expect(supportEnding.sample([invalid, ended, later, next])).toEqual([next.record]);
	expect(becameInvalid.sample([ended, invalid])).toEqual([{ valid: false, is_sample: true }]);
	expect(becameInvalid.sample([ended])).toEqual([{ ...ended.record, is_sample: true }]);
});
