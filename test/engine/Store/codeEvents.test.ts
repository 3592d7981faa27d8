import { randomUUID } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Answer } from '../helpers/store.ts';
import { ACCOUNT, INVALID, storeThat, valid } from '../helpers/store.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** What a trigger knows of a code, what the store says in the next poll, and what comes of both. */

const CODE = randomUUID();
const DAY_MS = 86_400_000;
const NOW = Date.now();

const inDays = (days: number): string => new Date(NOW + days * DAY_MS).toISOString();

const THEME = { license_type: 'Regular', item: { id: 7, name: 'Theme' } };
const VALID = valid(CODE, THEME);
const BEFORE = {
	item_id: 7,
	item_name: 'Theme',
	license_type: 'Regular',
	date: '2020-01-01T00:00:00Z',
};

const supported = (days: number): Answer =>
	valid(CODE, { ...THEME, supported_until: inDays(days) });

/** One poll of a trigger that knows this of the code, at a store that gives this answer. */
async function pollFrom(known: IDataObject, answer: Answer, parameters: INodeParameters) {
	let isPolled = false;
	await using store = await storeThat(({ code }) => {
		if (code === undefined) return ACCOUNT;
		return isPolled ? answer : INVALID;
	});
	const trigger = triggersOf('storeTrigger')(
		{ credentials: { storeApi: store.credential } },
		{ purchaseCodes: CODE, ...parameters },
	);
	await trigger.activate();
	trigger.stored = { ...trigger.state, state: { codes: [{ code: CODE, ...known }] } };
	trigger.change({});
	isPolled = true;
	const records = await trigger.poll();
	const { codes } = trigger.state.state as { codes: IDataObject[] };
	const [{ code: _code, ...next } = {}] = codes;
	return { records, next, requests: store.asked.length };
}

describe('Purchase Code Became Valid', () => {
	test.each<[known: string, answer: Answer, next: string, isStarted: boolean]>([
		['new', VALID, 'valid', false],
		['new', INVALID, 'open', false],
		['open', VALID, 'valid', true],
		['open', INVALID, 'open', false],
		['valid', INVALID, 'valid', false],
	])('%s, %j: %s', async (state, answer, next, isStarted) => {
		const polled = await pollFrom({ state }, answer, { event: 'newPurchase' });
		expect(polled.next).toEqual({ state: next });
		expect(polled.records).toMatchObject(isStarted ? [{ valid: true, item_id: 7 }] : []);
	});
});

describe('Purchase Code Became Invalid', () => {
	test.each<[known: IDataObject, answer: Answer, next: IDataObject]>([
		[{ state: 'new' }, VALID, { state: 'valid', before: BEFORE }],
		[{ state: 'new' }, INVALID, { state: 'open' }],
		[{ state: 'open' }, INVALID, { state: 'open' }],
		[{ state: 'open' }, VALID, { state: 'valid', before: BEFORE }],
		[{ state: 'valid', before: BEFORE }, INVALID, { state: 'suspect', before: BEFORE }],
		[{ state: 'suspect', before: BEFORE }, VALID, { state: 'valid', before: BEFORE }],
	])('%j, %j: %j, nothing starts', async (known, answer, next) => {
		const polled = await pollFrom(known, answer, { event: 'purchaseInvalid' });
		expect(polled).toMatchObject({ next, records: [] });
		expect(polled.next).toEqual(next);
	});

	test('the second invalid check in a row starts the workflow, with what the code was for', async () => {
		const known = { state: 'suspect', before: BEFORE };
		const polled = await pollFrom(known, INVALID, { event: 'purchaseInvalid' });
		expect(polled.next).toEqual({ state: 'open' });
		expect(polled.records).toMatchObject([
			{ valid: false, purchase_code: CODE, reason: 'Invalid purchase code', before: BEFORE },
		]);
	});
});

/** What is known of a code whose end of support was reported. */
const notified = (days: number) => ({ state: 'open', notifiedUntil: inDays(days) });
const NEVER = { state: 'open' };

describe.each<
	[
		event: string,
		parameters: INodeParameters,
		cases: Array<[known: IDataObject, answer: Answer, next: IDataObject, isStarted: boolean]>,
	]
>([
	[
		'Support Ending Soon',
		{ event: 'supportEnding', daysBefore: 14 },
		[
			[{ state: 'new' }, supported(10), notified(10), false],
			[{ state: 'new' }, supported(30), NEVER, false],
			[NEVER, supported(10), notified(10), true],
			[NEVER, supported(30), NEVER, false],
			[NEVER, supported(-1), NEVER, false],
			[NEVER, VALID, NEVER, false],
			[NEVER, INVALID, NEVER, false],
			[notified(10), supported(10), notified(10), false],
			[notified(10), INVALID, notified(10), false],
			[notified(5), supported(10), notified(10), true],
			[notified(5), supported(30), notified(5), false],
		],
	],
	[
		'Support Ending Soon, 0 days before',
		{ event: 'supportEnding', daysBefore: 0 },
		[
			[NEVER, supported(0.5), NEVER, false],
			[NEVER, supported(-0.5), notified(-0.5), true],
		],
	],
	[
		'Support Ended',
		{ event: 'supportEnded' },
		[
			[{ state: 'new' }, supported(-1), notified(-1), false],
			[NEVER, supported(-1), notified(-1), true],
			[NEVER, supported(1), NEVER, false],
			[NEVER, VALID, NEVER, false],
			[NEVER, INVALID, NEVER, false],
			[notified(-1), supported(-1), notified(-1), false],
			[notified(-9), supported(-1), notified(-1), true],
		],
	],
])('%s', (_event, parameters, cases) => {
	test.each(cases)('%j, %j: %j, starts: %s', async (known, answer, next, isStarted) => {
		const polled = await pollFrom(known, answer, parameters);
		expect(polled.next).toEqual(next);
		expect(polled.records).toMatchObject(isStarted ? [{ purchase_code: CODE }] : []);
	});
});

test('what is stored of 1,000 codes is small, and readable', async () => {
	const codes = Array.from({ length: 1000 }, () => randomUUID());
	await using store = await storeThat(({ code }) =>
		code === undefined ? ACCOUNT : valid(code, THEME),
	);
	const trigger = triggersOf('storeTrigger')(
		{ credentials: { storeApi: store.credential } },
		{
			event: 'purchaseInvalid',
			purchaseCodes: codes.join('\n'),
			options: { checksPerPoll: 1000 },
		},
	);
	await trigger.activate();
	const { state } = trigger.state as { state: { codes: IDataObject[] } };
	expect(state.codes[0]).toEqual({ code: codes[0], state: 'valid', before: BEFORE });
	expect(JSON.stringify(state).length).toBeLessThan(250_000);
});
