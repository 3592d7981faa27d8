import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Answer } from '../helpers/store.ts';
import { ACCOUNT, INVALID, storeThat, valid } from '../helpers/store.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** What a store says of a code, from poll to poll, and which of the polls start the workflow. */

const CODE = '7f3a9c52-1b8e-4d60-9a47-c5e2f0d81b36';
const DAY_MS = 86_400_000;
const NOW = Date.now();
const THEME = { license_type: 'Regular', item: { id: 7, name: 'Theme' } };

/** A number is a valid code whose support ends in so many days. */
type Said = 'valid' | 'invalid' | number;

function answerOf(said: Said | undefined): Answer {
	if (said === undefined || said === 'invalid') return INVALID;
	if (said === 'valid') return valid(CODE, THEME);
	return valid(CODE, { ...THEME, supported_until: new Date(NOW + said * DAY_MS).toISOString() });
}

/** @returns the places of the polls that start the workflow, the activation being the first, and what they give out */
async function polled(history: readonly Said[], parameters: INodeParameters) {
	let at = 0;
	await using store = await storeThat(({ code }) =>
		code === undefined ? ACCOUNT : answerOf(history[at]),
	);
	const trigger = triggersOf('storeTrigger')(store, { purchaseCodes: CODE, ...parameters });
	const starts: number[] = [];
	const records: IDataObject[] = [];
	for (; at < history.length; at += 1) {
		const given = await (at === 0 ? trigger.activate() : trigger.poll());
		if (given.length > 0) starts.push(at);
		records.push(...given);
	}
	return { starts, records };
}

const EVENTS: Record<string, [INodeParameters, Array<[history: Said[], starts: number[]]>]> = {
	'Purchase Code Became Valid': [
		{ event: 'newPurchase' },
		[
			[['valid', 'invalid', 'valid'], []],
			[['invalid', 'invalid', 'valid', 'valid'], [2]],
		],
	],
	'Purchase Code Became Invalid, twice in a row': [
		{ event: 'purchaseInvalid' },
		[
			[['valid', 'invalid', 'valid', 'invalid', 'valid'], []],
			[['valid', 'invalid', 'invalid', 'invalid'], [2]],
			[['invalid', 'invalid', 'valid', 'invalid', 'invalid'], [4]],
		],
	],
	'Support Ending Soon': [
		{ event: 'supportEnding', daysBefore: 14 },
		[
			[[10, 10], []],
			[[30, 30, 10, 10], [2]],
			[['invalid', -1, 'valid', 'invalid'], []],
			[['invalid', 10, 'invalid', 10], [1]],
			[[5, 10, 10], [1]],
			[[5, 30, 5], []],
		],
	],
	'Support Ending Soon, 0 days before': [
		{ event: 'supportEnding', daysBefore: 0 },
		[[['valid', 0.5, -0.5], [2]]],
	],
	'Support Ended': [
		{ event: 'supportEnded' },
		[
			[[-1, -1], []],
			[[1, 'valid', 'invalid', -1, -1], [3]],
			[[-9, -1], [1]],
		],
	],
};

describe.each(Object.entries(EVENTS))('%s', (_event, [parameters, cases]) => {
	test.each(cases)('%j starts the workflow in the polls %j', async (history, expected) => {
		const { starts, records } = await polled(history, parameters);
		expect(starts).toEqual(expected);
		for (const record of records) expect(record).toMatchObject({ purchase_code: CODE });
	});
});

test('an invalid code comes with the reason, and with what it was for', async () => {
	const { records } = await polled(['valid', 'invalid', 'invalid'], { event: 'purchaseInvalid' });
	const before = {
		item_id: 7,
		item_name: 'Theme',
		license_type: 'Regular',
		date: '2020-01-01T00:00:00Z',
	};
	expect(records).toMatchObject([{ valid: false, reason: 'Invalid purchase code', before }]);
});
