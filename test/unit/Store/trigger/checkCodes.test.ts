import type { Poll } from '../../../../dist/nodes/shared/triggers/poll.js';
import { Failure, toFailure } from '../../../../dist/nodes/shared/values/failure.js';
import { connectionWith } from '../../../../dist/nodes/shared/http/connection.js';
import { storeService } from '../../../../dist/nodes/Store/service.js';
import { checkCodes } from '../../../../dist/nodes/Store/trigger/checkCodes.js';
import { newPurchase } from '../../../../dist/nodes/Store/trigger/codeEvents.js';

/** What a poll does whose time runs out. */

const CODES = ['code-1', 'code-2', 'code-3', 'code-4'];

const credential = { baseUrl: 'https://a.example', apiKey: 'key' };

/** @param lasts how many requests it has time for @param isValid whether the store knows the codes, or the one that it knows @param broken one that it cannot show */
async function pollOf(
	lasts: number,
	isValid: boolean | string,
	state?: Poll['state'],
	broken?: string,
) {
	const asked: unknown[] = [];
	const send = async ({ body }: { body?: { purchase_code?: string } }) => {
		if (asked.length >= lasts) throw new Failure({ kind: 'outOfTime', message: 'Too late' });
		asked.push(body?.purchase_code ?? 'account');
		if (body && body.purchase_code === broken)
			throw new Failure({ kind: 'serverError', message: 'Failed' });
		const purchase = { purchase_code: body?.purchase_code, license_type: 'Regular' };
		const isKnown = typeof isValid === 'boolean' ? isValid : body?.purchase_code === isValid;
		const isRefused = body !== undefined && !isKnown;
		if (isRefused) throw new Failure({ kind: 'missing', httpCode: 404, message: 'Unknown' });
		const data = body ? { purchase } : { username: 'ann' };
		return await Promise.resolve({ body: { data }, answeredAt: 1 });
	};
	const poll = {
		state,
		isTest: false,
		parameters: { purchaseCodes: CODES.join('\n'), options: { emitExisting: true } },
		connection: connectionWith(storeService, credential, async () => await Promise.resolve()),
		send,
	};
	const result = await checkCodes(poll as unknown as Poll, newPurchase).catch(toFailure);
	if (result instanceof Failure) return { asked, failure: result.kind };
	const codes = result.state?.codes as Array<{ code: string; state: string }>;
	const started = result.records.map(({ purchase_code }) => purchase_code);
	return { asked, known: codes.map(({ code }) => code), started };
}

const STORED = { codes: [] };

test.each([
	['a first poll without any check is none', 0, true, undefined, { failure: 'outOfTime' }],
	[
		'the next poll begins behind what was checked, and the code that took the time',
		1,
		true,
		undefined,
		{ known: CODES.slice(0, 2) },
	],
	['also in a later poll', 0, true, STORED, { known: CODES.slice(0, 1) }],
	['codes that are not proved invalid are checked again', 4, false, STORED, { known: [] }],
	[
		'a valid code among them starts the workflow',
		4,
		'code-2',
		STORED,
		{ known: ['code-2'], started: ['code-2'] },
	],
	['those that are, are not', 5, false, STORED, { known: CODES }],
])('%s', async (_what, lasts, isValid, state, expected) => {
	expect(await pollOf(lasts, isValid, state)).toMatchObject(expected);
});
