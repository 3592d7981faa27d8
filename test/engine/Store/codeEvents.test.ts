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

/** What the store says: a number is a valid code whose support ends in so many days. */
type Said = 'valid' | 'invalid' | number;

function answerOf(said: Said): Answer {
	if (said === 'invalid') return INVALID;
	return valid(CODE, said === 'valid' ? THEME : { ...THEME, supported_until: inDays(said) });
}

const BEFORE = {
	item_id: 7,
	item_name: 'Theme',
	license_type: 'Regular',
	date: '2020-01-01T00:00:00Z',
};

/** One poll of a trigger that knows this of the code, at a store that says this of it. */
async function pollFrom(known: IDataObject, said: Said, parameters: INodeParameters) {
	let isPolled = false;
	await using store = await storeThat(({ code }) => {
		if (code === undefined) return ACCOUNT;
		return isPolled ? answerOf(said) : INVALID;
	});
	const trigger = triggersOf('storeTrigger')(store, { purchaseCodes: CODE, ...parameters });
	await trigger.activate();
	trigger.stored = { ...trigger.state, state: { codes: [{ code: CODE, ...known }] } };
	trigger.change({});
	isPolled = true;
	const records = await trigger.poll();
	const { codes } = trigger.state.state as { codes: IDataObject[] };
	const [{ code: _code, ...next } = {}] = codes;
	return { records, next };
}

/** What is known of a code whose end of support was reported. */
const notified = (days: number) => ({ state: 'open', notifiedUntil: inDays(days) });
const NEVER = { state: 'open' };
const VALID = { state: 'valid' };
const KNOWN = { state: 'valid', before: BEFORE };
const SUSPECT = { state: 'suspect', before: BEFORE };

describe.each<
	[
		event: string,
		parameters: INodeParameters,
		cases: Array<[known: IDataObject, said: Said, next: IDataObject, isStarted: boolean]>,
	]
>([
	[
		'Purchase Code Became Valid',
		{ event: 'newPurchase' },
		[
			[{ state: 'new' }, 'valid', VALID, false],
			[{ state: 'new' }, 'invalid', NEVER, false],
			[NEVER, 'valid', VALID, true],
			[NEVER, 'invalid', NEVER, false],
			[VALID, 'invalid', VALID, false],
		],
	],
	[
		'Purchase Code Became Invalid',
		{ event: 'purchaseInvalid' },
		[
			[{ state: 'new' }, 'valid', KNOWN, false],
			[{ state: 'new' }, 'invalid', NEVER, false],
			[NEVER, 'invalid', NEVER, false],
			[NEVER, 'valid', KNOWN, false],
			[KNOWN, 'invalid', SUSPECT, false],
			[SUSPECT, 'valid', KNOWN, false],
		],
	],
	[
		'Support Ending Soon',
		{ event: 'supportEnding', daysBefore: 14 },
		[
			[{ state: 'new' }, 10, notified(10), false],
			[{ state: 'new' }, 30, NEVER, false],
			[NEVER, 10, notified(10), true],
			[NEVER, 30, NEVER, false],
			[NEVER, -1, NEVER, false],
			[NEVER, 'valid', NEVER, false],
			[NEVER, 'invalid', NEVER, false],
			[notified(10), 10, notified(10), false],
			[notified(10), 'invalid', notified(10), false],
			[notified(5), 10, notified(10), true],
			[notified(5), 30, notified(5), false],
		],
	],
	[
		'Support Ending Soon, 0 days before',
		{ event: 'supportEnding', daysBefore: 0 },
		[
			[NEVER, 0.5, NEVER, false],
			[NEVER, -0.5, notified(-0.5), true],
		],
	],
	[
		'Support Ended',
		{ event: 'supportEnded' },
		[
			[{ state: 'new' }, -1, notified(-1), false],
			[NEVER, -1, notified(-1), true],
			[NEVER, 1, NEVER, false],
			[NEVER, 'valid', NEVER, false],
			[NEVER, 'invalid', NEVER, false],
			[notified(-1), -1, notified(-1), false],
			[notified(-9), -1, notified(-1), true],
		],
	],
])('%s', (_event, parameters, cases) => {
	test.each(cases)('%j, %j: %j, starts: %s', async (known, said, next, isStarted) => {
		const polled = await pollFrom(known, said, parameters);
		expect(polled.next).toEqual(next);
		expect(polled.records).toMatchObject(isStarted ? [{ purchase_code: CODE }] : []);
	});
});

test('the second invalid check in a row starts the workflow, with what the code was for', async () => {
	const polled = await pollFrom(SUSPECT, 'invalid', { event: 'purchaseInvalid' });
	expect(polled.next).toEqual(NEVER);
	expect(polled.records).toMatchObject([
		{ valid: false, purchase_code: CODE, reason: 'Invalid purchase code', before: BEFORE },
	]);
});
