import type { Poll } from '../../../../dist/nodes/shared/triggers/poll.js';
import { Failure, toFailure } from '../../../../dist/nodes/shared/values/failure.js';
import { connectionWith } from '../../../../dist/nodes/shared/http/connection.js';
import { storeService } from '../../../../dist/nodes/Store/service.js';
import { checkCodes } from '../../../../dist/nodes/Store/trigger/checkCodes.js';
import { newPurchase } from '../../../../dist/nodes/Store/trigger/codeEvents.js';

/** What a poll does whose time runs out. */

const CODES = ['code-1', 'code-2', 'code-3', 'code-4'];

const credential = { baseUrl: 'https://a.example', apiKey: 'key' };

/** @param lasts how many requests it has time for @param genuine the codes that the store knows */
async function pollOf(lasts: number, genuine: readonly string[], state?: Poll['state']) {
	let left = lasts;
	const send = async ({ body }: { body?: { purchase_code: string } }) => {
		left -= 1;
		if (left < 0) throw new Failure({ kind: 'outOfTime', message: 'Too late' });
		const code = body?.purchase_code ?? '';
		if (body && !genuine.includes(code))
			throw new Failure({ kind: 'missing', httpCode: 404, message: 'Unknown' });
		const data = { purchase: { purchase_code: code, license_type: 'Regular' }, username: 'ann' };
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
	if (result instanceof Failure) return result.kind;
	const known = (result.state?.codes as Array<{ code: string }>).map(({ code }) => code);
	return { known, started: result.records.map(({ purchase_code }) => purchase_code) };
}

const STORED = { codes: [] };

test.each([
	['a first poll without any check is none', 0, CODES, undefined, 'outOfTime'],
	['what was checked, and the code that took the time', 1, CODES, undefined, [2, 1]],
	['also in a later poll', 0, CODES, STORED, [1, 0]],
	['codes that are not proved invalid are checked again', 4, [], STORED, [0, 0]],
	['those that are, are not', 5, [], STORED, [4, 0]],
])('%s', async (_what, lasts, genuine, state, counts) => {
	const expected =
		typeof counts === 'string'
			? counts
			: { known: CODES.slice(0, Number(counts[0])), started: CODES.slice(0, Number(counts[1])) };
	expect(await pollOf(lasts, genuine, state)).toEqual(expected);
});

test('a valid code among those that are not proved invalid starts the workflow', async () => {
	const only = ['code-2'];
	expect(await pollOf(4, only, STORED)).toEqual({ known: only, started: only });
});
