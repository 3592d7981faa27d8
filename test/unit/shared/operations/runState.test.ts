import type { ApiRequest, ServiceResponse } from '../../../../dist/nodes/shared/http/exchange.js';
import { RunState } from '../../../../dist/nodes/shared/operations/runState.js';
import type { FailureKind } from '../../../../dist/nodes/shared/values/failure.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';

/** Whether a run goes on, and what its items share. */

const READ: ApiRequest = { method: 'GET', path: '/api/urls' };
const ok = { body: {}, answeredAt: 0 } as ServiceResponse;

/** A run whose requests end as told, the last outcome for good. */
function runWith(...outcomes: Array<FailureKind | 'ok'>) {
	const sent: Array<boolean | undefined> = [];
	const run = new RunState(async ({ once }) => {
		const outcome = outcomes[Math.min(sent.length, outcomes.length - 1)] ?? 'ok';
		sent.push(once);
		if (outcome !== 'ok') throw new Failure({ kind: outcome, message: 'Not now', httpCode: 499 });
		return await Promise.resolve(ok);
	});
	const send = async (): Promise<string> =>
		await run.send(READ).then(
			() => 'ok',
			(error: unknown) => (error as Failure).message,
		);
	return { run, send, sent };
}

test.each<[FailureKind, number, string]>([
	['unauthorized', 1, 'Not sent, because the API key was refused (status 499)'],
	['noAccess', 1, 'Not sent, because the account was refused (status 499)'],
	['rateLimited', 1, 'Not sent, because the rate limit is used up (status 499)'],
	['unavailable', 5, 'Not sent, because 5 requests in a row failed (status 499)'],
	['refused', 8, 'Not now'],
	['forbidden', 8, 'Not now'],
])('requests that are %s end the run after %i of 8', async (kind, count, last) => {
	const { send, sent } = runWith(kind);
	const said: string[] = [];
	for (let row = 0; row < 8; row += 1) said.push(await send());
	expect([sent.length, said[0], said.at(-1)]).toEqual([count, 'Not now', last]);
});

test('after a failure, reads are not repeated for a minute each until one succeeds', async () => {
	const { send, sent } = runWith(
		'unavailable',
		'unavailable',
		'ok',
		'ok',
		'unavailable',
		'refused',
		'ok',
	);
	for (let row = 0; row < 7; row += 1) await send();
	expect(sent).toEqual([false, true, true, false, false, true, false]);
});

test('a read that should be sent once is, also one that rows share', async () => {
	const { run, sent } = runWith('ok');
	await run.send({ ...READ, once: true });
	await run.proofReads.within(Infinity, async () => await run.proofReads.send(READ));
	expect(sent).toEqual([true, false]);
});

test('outages that are not in a row end no run', async () => {
	const outcomes: Array<FailureKind | 'ok'> = [
		'unavailable',
		'unavailable',
		'unavailable',
		'unavailable',
		'ok',
	];
	const { send, sent } = runWith(...outcomes, ...outcomes, 'ok');
	for (let row = 0; row < 12; row += 1) await send();
	expect(sent).toHaveLength(12);
});

test('a refused proof of the key ends the run', async () => {
	const { run, send, sent } = runWith('ok');
	const failure = new Failure({ kind: 'unproved', message: 'Wrong code' });
	const doubt = run.keyProof.proved(async () => await Promise.reject(failure));
	await expect(doubt).rejects.toThrow('Wrong code');
	expect([await send(), sent.length]).toEqual([
		'Not sent, because the Known Valid Code of the credential was refused',
		0,
	]);
});

test('ids are read once, and again after an outage, but not after a refusal', async () => {
	const { run } = runWith('ok');
	let reads = 0;
	const ids = async (key: string, outcome: number[] | FailureKind) =>
		await run
			.idsOnce(key, async () => {
				reads += 1;
				if (typeof outcome === 'string') throw new Failure({ kind: outcome, message: 'No' });
				return await Promise.resolve(outcome);
			})
			.catch(() => 'failed');
	expect([await ids('a', [1, 2, 2]), await ids('a', [3]), await ids('b', [3])]).toEqual([
		new Set([1, 2]),
		new Set([1, 2]),
		new Set([3]),
	]);
	expect(reads).toBe(2);
	expect([await ids('c', 'unavailable'), await ids('c', [4])]).toEqual(['failed', new Set([4])]);
	expect([await ids('d', 'refused'), await ids('d', [4])]).toEqual(['failed', 'failed']);
	expect(reads).toBe(5);
});

test('what is known of the limits of a list is kept by its path', () => {
	const { run } = runWith('ok');
	run.acceptedLimit('/a').limit = 50;
	expect([run.acceptedLimit('/a'), run.acceptedLimit('/b')]).toEqual([
		{ limit: 50 },
		{ limit: Infinity },
	]);
});
