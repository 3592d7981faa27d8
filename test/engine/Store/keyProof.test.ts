import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../helpers/engine.ts';
import type { Answer, Asked } from '../helpers/store.ts';
import { ACCOUNT, INVALID, storeThat, valid } from '../helpers/store.ts';
import { CONTINUE, like } from '../helpers/support.ts';

/**
 * A store may answer a wrong key like an invalid code: its document has one message per endpoint. No genuine code becomes
 * invalid by that, and the proof of the key costs at most two requests a run.
 */

/** `good…` is a genuine code, `bad…` none. */
const genuine = ({ code }: Asked): Answer => {
	if (code === undefined) return ACCOUNT;
	return code.startsWith('bad') ? INVALID : valid(code);
};

/** A key that is refused, in the words that each endpoint has. */
const withoutKey =
	(status = 401) =>
	({ code }: Asked): Answer =>
		code === undefined ? { status, body: { status: 'error', msg: 'Invalid request' } } : INVALID;

const verdictsOf = async (rows: IDataObject[], storeApi: IDataObject): Promise<unknown[]> => {
	const { json } = await runNode({
		type: 'store',
		parameters: {
			resource: 'purchase',
			operation: 'validate',
			purchaseCode: '={{ $json.code }}',
		},
		rows,
		credentials: { storeApi: storeApi as Awaited<ReturnType<typeof storeThat>>['credential'] },
		settings: CONTINUE,
	});
	return json.map(({ valid: is, error }) => is ?? error);
};

async function validate(answer: (asked: Asked) => Answer | Promise<Answer>, codes: string[]) {
	await using store = await storeThat(answer);
	return {
		verdicts: await verdictsOf(
			codes.map((code) => ({ code })),
			store.credential,
		),
		sent: store.asked.length,
		proofs: store.asked.filter(({ code }) => code === undefined).length,
	};
}

const codes = (count: number, start = 'bad'): string[] =>
	Array.from({ length: count }, (_, at) => `${start}-${at}`);

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

const KEY_ERROR = like(/^The store refused the API key \(Invalid request\)|^Not sent: /);

const inBlocks = codes(200, 'good').map((code, at) =>
	Math.floor(at / 20) % 2 === 0 ? `bad-${at}` : code,
);

test.each<[what: string, given: string[], proofs: number]>([
	['one alone', codes(1), 1],
	['a valid code before many', ['good', ...codes(30)], 2],
	['valid codes behind many', [...codes(30), ...codes(6, 'good')], 1],
	['they come in blocks', inBlocks, 1],
])('an invalid code leaves the node once the key was proved since: %s', async (...each) => {
	const [, given, proofs] = each;
	const result = await validate(genuine, given);
	expect(result.verdicts).toEqual(given.map((code) => code.startsWith('good')));
	expect(result.proofs).toBe(proofs);
});

test('status 403 for an invalid code ends no run', async () => {
	const answer = (asked: Asked) =>
		asked.code === undefined ? ACCOUNT : { ...INVALID, status: 403 };
	const { verdicts, sent } = await validate(answer, codes(30));
	expect([verdicts, sent]).toEqual([times(30, false), 32]);
});

test('two credentials in one run are proved each', async () => {
	await using one = await storeThat(genuine);
	await using other = await storeThat(withoutKey());
	const rows = [one, other, one, other].map(({ credential: { baseUrl } }) => ({
		code: 'bad',
		baseUrl,
	}));
	const credential = { ...one.credential, baseUrl: '={{ $json.baseUrl }}' };
	expect(await verdictsOf(rows, credential)).toEqual([false, KEY_ERROR, false, KEY_ERROR]);
});

describe('a refused key makes no genuine code invalid', () => {
	test.each([401, 200])('from the beginning, with status %i: the run ends', async (status) => {
		const result = await validate(withoutKey(status), codes(60, 'good'));
		expect(result.verdicts).toEqual(times(60, KEY_ERROR));
		expect(result.sent).toBeLessThanOrEqual(12);
		expect(result.proofs).toBe(1);
	});

	test('every row that was asked says why, also one that is answered later', async () => {
		const answer = async (asked: Asked): Promise<Answer> => {
			if (!['bad-0', undefined].includes(asked.code)) await sleep(200);
			return withoutKey()(asked);
		};
		const { verdicts } = await validate(answer, codes(3));
		expect(verdicts).toEqual(times(3, like(/^The store refused the API key \(Invalid request\)/)));
	});

	test.each([1, 59])('revoked after %i requests', async (count) => {
		const answer = (asked: Asked) => (asked.count < count ? genuine(asked) : withoutKey()(asked));
		const { verdicts, sent } = await validate(answer, codes(60, 'good'));
		expect(verdicts).not.toContain(false);
		expect(verdicts.filter((verdict) => verdict === true).length).toBeGreaterThanOrEqual(count - 6);
		expect(sent).toBeLessThanOrEqual(62);
	});

	test('also where a valid code was asked before the key was revoked, and is answered later', async () => {
		let isRevoked = false;
		const answer = async (asked: Asked): Promise<Answer> => {
			if (asked.code === 'good-slow') await sleep(400);
			if (asked.code === 'good-late') await sleep(150);
			isRevoked ||= asked.code === 'good-late';
			return isRevoked && asked.code !== 'good-slow' ? withoutKey()(asked) : genuine(asked);
		};
		const { verdicts, proofs } = await validate(answer, ['bad', 'good-slow', 'good-late']);
		expect([verdicts, proofs]).toEqual([[KEY_ERROR, true, KEY_ERROR], 2]);
	});
});

test.each<[what: string, answer: Answer, message: RegExp]>([
	// Codes that waited until the run ended say that.
	['is down', { status: 503, body: {} }, /not available|did not respond for a minute/],
	['is something else', { body: { hello: 1 } }, /unexpected JSON/],
	['is nobody', { body: { status: 'success', data: { username: null } } }, /no "data"/],
	['repeats the key', { body: { status: 'success', data: { api_key: 'k' } } }, /no "data"/],
])('an account that %s proves no key, so no code is invalid', async (_what, answer, message) => {
	const { verdicts } = await validate(
		(asked) => (asked.code === undefined ? answer : genuine(asked)),
		codes(3),
	);
	expect(verdicts).toEqual(times(3, like(message)));
});
