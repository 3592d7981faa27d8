import type { Poll } from '../../../dist/nodes/shared/triggers/poll.js';
import { Failure, toFailure } from '../../../dist/nodes/shared/values/failure.js';
import { connectionWith } from '../../../dist/nodes/shared/http/connection.js';
import { storeService } from '../../../dist/nodes/Store/service.js';
import { checkCodes } from '../../../dist/nodes/Store/trigger/checkCodes.js';
import { newPurchase } from '../../../dist/nodes/Store/trigger/codeEvents.js';

/** What a poll does whose time runs out. */

const credential = { baseUrl: 'https://a.example', apiKey: 'key' };

/** A poll for the codes 1 to 4. @param lasts how many requests it has time for @param genuine the codes that the store knows */
async function pollOf(lasts: number, genuine: string, state?: Poll['state']): Promise<string> {
	let left = lasts;
	const send = async ({ body }: { body?: { purchase_code: string } }) => {
		left -= 1;
		if (left < 0) throw new Failure({ kind: 'outOfTime', message: 'Too late' });
		const code = body?.purchase_code ?? '';
		if (body && !genuine.includes(code))
			throw new Failure({ kind: 'none', httpCode: 404, message: 'Unknown' });
		const data = { purchase: { purchase_code: code, license_type: 'Regular' }, username: 'ann' };
		return await Promise.resolve({ body: { data }, answeredAt: 1 });
	};
	const poll = {
		state,
		isTest: false,
		parameters: { purchaseCodes: '1,2,3,4' },
		emitsExisting: true,
		connection: connectionWith(storeService, credential, async () => await Promise.resolve()),
		send,
	};
	const result = await checkCodes(poll as unknown as Poll, newPurchase).catch(toFailure);
	if (result instanceof Failure) return result.kind;
	const known = (result.state?.codes as Array<{ code: string }>).map(({ code }) => code);
	const started = result.records.map(({ purchase_code: code }) => Number(code));
	return `${known.join('')} of which ${started.join('')}`;
}

const STORED = { codes: [] };

test.each([
	['a first poll without any check is none', 0, '1234', undefined, 'outOfTime'],
	['what was checked, and the code that took the time', 1, '1234', undefined, '12 of which 1'],
	['also in a later poll', 0, '1234', STORED, '1 of which '],
	['codes that are not proved invalid are checked again', 4, '', STORED, ' of which '],
	['those that are, are not', 5, '', STORED, '1234 of which '],
	['a valid one among the others starts the workflow', 4, '2', STORED, '2 of which 2'],
])('%s', async (_what, lasts, genuine, state, outcome) => {
	expect(await pollOf(lasts, genuine, state)).toBe(outcome);
});
