import type { IncomingMessage } from 'node:http';

import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { serve } from '../../loopback.ts';
import { runNode, testCredential } from '../helpers/engine.ts';
import type { NodeSettings } from '../helpers/support.ts';
import { like, onStage, Stage } from '../helpers/support.ts';
import { triggersOf } from '../helpers/trigger.ts';

/**
 * A store may answer a wrong key like an invalid code, as its document has one message per endpoint. No genuine code becomes
 * invalid by that: not with a refused key, and, where the credential has a known code, not with a key in the wrong place.
 */

const KEY = 'key-of-a-store-0123456789';
const KNOWN = 'known-valid-code';
const VALIDATE = {
	resource: 'purchase',
	operation: 'validate',
	purchaseCode: '={{ $json.code }}',
};

const CONTINUE = { onError: 'continueRegularOutput' } as const;

interface Asked {
	/** The code that was validated; undefined for the account. */
	code: string | undefined;
	/** How many requests came before. */
	count: number;
}

interface Response {
	status?: number;
	body: object;
}

const INVALID: Response = { status: 404, body: { status: 'error', msg: 'Invalid purchase code' } };
const REFUSED: Response = { status: 401, body: { status: 'error', msg: 'Invalid request' } };
const ACCOUNT: Response = { body: { status: 'success', data: { username: 'dana' } } };
const DOWN: Response = { status: 503, body: {} };
const LIMITED: Response = { status: 429, body: { status: 'error', msg: 'Too many requests' } };

const valid = (purchase_code = ''): Response => ({
	body: { status: 'success', data: { purchase: { purchase_code, date: '2030-01-01T00:00:00Z' } } },
});

/** `good…` is a genuine code, `bad…` none. */
const genuine = ({ code }: Asked): Response => {
	if (code === undefined) return ACCOUNT;
	return code.startsWith('bad') ? INVALID : valid(code);
};

/** A key that is refused, in the words that each endpoint has. */
const withoutKey = ({ code }: Asked): Response => (code === undefined ? REFUSED : INVALID);

async function storeThat(answer: (asked: Asked) => Response) {
	const asked: Asked[] = [];
	const server = await serve((request, response) => {
		void bodyOf(request).then((body) => {
			const { purchase_code: code } = JSON.parse(body || '{}') as { purchase_code?: string };
			const each = { code, count: asked.length };
			asked.push(each);
			const { status = 200, body: sent } = answer(each);
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(sent));
		});
	});
	return { ...server, asked, [Symbol.asyncDispose]: async () => await server.stop() };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return text;
}

const credentialFor = (baseUrl: string, changes: IDataObject = {}) =>
	({
		baseUrl,
		apiKey: KEY,
		apiKeyLocation: 'body',
		requestsPerMinute: 0,
		...changes,
	}) as ICredentialDataDecryptedObject;

async function validate(
	answer: (asked: Asked) => Response,
	codes: string[],
	{ settings = CONTINUE, onStart }: NodeSettings = {},
	{ options = {}, credential = {} }: { options?: INodeParameters; credential?: IDataObject } = {},
) {
	await using store = await storeThat(answer);
	const result = await runNode({
		type: 'store',
		parameters: {
			...VALIDATE,
			options,
		},
		rows: codes.map((code) => ({ code })),
		credentials: { storeApi: credentialFor(store.url, credential) },
		settings,
		...(onStart && { onStart }),
	});
	return {
		...result,
		verdicts: result.json.map(({ valid: is, error }) => is ?? error),
		sent: store.asked.length,
		proofs: store.asked.filter(({ code }) => code === undefined || code === KNOWN).length,
	};
}

const codes = (count: number, start = 'bad'): string[] =>
	Array.from({ length: count }, (_, at) => `${start}-${at}`);

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('invalid codes leave the node once the key was proved since', () => {
	test.each([
		['one invalid code', ['bad'], 1],
		['one valid code', ['good'], 0],
		['all invalid', codes(30), 2],
		// A proof has to begin after the code was called invalid, and five checks are under way at a time.
		['a valid code at the end', [...codes(30), 'good'], 2],
		['valid codes at the end', [...codes(30), ...times(6, 'good')], 1],
		['valid codes before and at the end', ['good', ...codes(9), ...times(6, 'good')], 0],
		['a valid code before', ['good', ...codes(9)], 1],
		['a valid code before many', ['good', ...codes(30)], 2],
		['valid codes before and after many', ['good', ...codes(30), ...times(6, 'good')], 1],
		['a valid code in the middle', [...codes(20), 'good', ...codes(20)], 2],
		['blank codes', [' ', ' '], 0],
	])('%s', async (_what, given, proofs) => {
		const options = { onBlank: 'invalid' };
		const result = await validate(genuine, given, {}, { options });
		expect(result.verdicts).toEqual(given.map((code) => code === 'good'));
		expect(result.proofs).toBe(proofs);
	});

	test('with a known code, it is asked instead of the account', async () => {
		const credential = { knownValidCode: ` ${KNOWN} ` };
		const result = await validate(genuine, codes(30), {}, { credential });
		expect(result.verdicts).toEqual(times(30, false));
		expect([result.proofs, result.sent]).toEqual([2, 32]);
	});

	test('a night of many codes, every tenth of them invalid, costs at most two requests more', async () => {
		const given = codes(1000, 'good').map((code, at) => (at % 10 === 5 ? `bad-${at}` : code));
		const result = await validate(genuine, given);
		expect(result.verdicts).toEqual(given.map((code) => code.startsWith('good')));
		expect(result.sent).toBeLessThanOrEqual(1002);
	});

	test.each([401, 403])(
		'status %i for an invalid code ends no run, and costs no further requests',
		async (status) => {
			const answer = (asked: Asked) =>
				asked.code?.startsWith('bad') ? { ...INVALID, status } : genuine(asked);
			const result = await validate(answer, codes(30));
			expect(result.verdicts).toEqual(times(30, false));
			expect(result.sent).toBe(32);
		},
	);

	test('one that fails the row stops the run as before, after one look at the account', async () => {
		const given = ['good', ...codes(30)];
		const stopping = { settings: { onError: 'stopWorkflow' } } as const;
		const result = await validate(genuine, given, stopping, { options: { onInvalid: 'error' } });
		expect(result.error?.message).toMatch(/^Invalid purchase code \(item 2 of 31: /);
		expect(result.proofs).toBe(1);
		expect(result.sent).toBeLessThan(10);
	});

	test('each try of the node proves the key again', async () => {
		let outages = 4;
		const answer = (asked: Asked) => {
			if (asked.code !== 'good' || outages === 0) return genuine(asked);
			outages -= 1;
			return { status: 500, body: { status: 'error', msg: 'No' } };
		};
		const settings = { onError: 'stopWorkflow', retryOnFail: true, waitBetweenTries: 0 } as const;
		outages = 1;
		const result = await validate(answer, ['bad', 'good'], { settings });
		expect(result.verdicts).toEqual([false, true]);
		expect(result.proofs).toBeGreaterThan(1);
	});

	test('rows that wait for the proof hold back no other row', async () => {
		let answerAccount = (): void => undefined;
		const others = new Promise<void>((resolve) => (answerAccount = resolve));
		let seen = 0;
		const server = await serve((request, response) => {
			void bodyOf(request).then(async (body) => {
				const isAccount = body === '';
				seen += isAccount ? 0 : 1;
				if (seen === 30) answerAccount();
				// The account does not respond before the last code was checked.
				if (isAccount) await others;
				const { status = 200, body: sent } = isAccount ? ACCOUNT : INVALID;
				response.writeHead(status, { 'content-type': 'application/json' });
				response.end(JSON.stringify(sent));
			});
		});
		const { json } = await runNode({
			type: 'store',
			parameters: VALIDATE,
			rows: codes(30).map((code) => ({ code })),
			credentials: { storeApi: credentialFor(server.url) },
			settings: CONTINUE,
		});
		await server.stop();
		expect(json.map(({ valid: is }) => is)).toEqual(times(30, false));
	});

	test('two credentials in one run are proved each', async () => {
		await using one = await storeThat(genuine);
		await using other = await storeThat(withoutKey);
		const { json } = await runNode({
			type: 'store',
			parameters: VALIDATE,
			rows: [
				{ code: 'bad-1', url: one.url },
				{ code: 'good-2', url: other.url },
				{ code: 'bad-3', url: one.url },
				{ code: 'good-4', url: other.url },
			],
			credentials: { storeApi: credentialFor('={{ $json.url }}') },
			settings: CONTINUE,
		});
		expect(json.map(({ valid: is, error }) => is ?? typeof error)).toEqual([
			...[false, 'string', false, 'string'],
		]);
	});
});

describe('a refused key makes no genuine code invalid', () => {
	const KEY_ERROR = like(/Invalid request|Not sent, because the API key was refused/);

	test('from the beginning: the run ends', async () => {
		const result = await validate(withoutKey, codes(60, 'good'));
		expect(result.verdicts).toEqual(times(60, KEY_ERROR));
		expect(result.sent).toBeLessThanOrEqual(12);
		expect(result.proofs).toBe(1);
	});

	test.each([
		[1, 0],
		[7, 0],
		[20, 19],
		[59, 58],
		[60, 59],
	])('revoked after %i requests', async (count, least) => {
		const answer = (asked: Asked) => (asked.count < count ? genuine(asked) : withoutKey(asked));
		const result = await validate(answer, codes(60, 'good'));
		const found = result.verdicts.filter((verdict) => verdict === true).length;
		expect(found).toBeGreaterThanOrEqual(least - 5);
		expect(result.verdicts).not.toContain(false);
		expect(result.sent).toBeLessThanOrEqual(62);
	});

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'revoked on the way, with the words of an invalid code and status 403: few requests, also with Retry On Fail and %s',
		async (onError) => {
			const forbidden = (asked: Asked) => ({ ...withoutKey(asked), status: 403 });
			const answer = (asked: Asked) => (asked.count < 20 ? genuine(asked) : forbidden(asked));
			const settings = { onError, retryOnFail: true, maxTries: 5, waitBetweenTries: 0 };
			const result = await validate(answer, codes(200, 'good'), { settings });
			expect(result.verdicts).not.toContain(false);
			expect(result.sent).toBeLessThanOrEqual(20 + 20 + 4 * 12);
		},
	);

	test('revoked while invalid codes came: those since the last proof are the key’s error', async () => {
		const given = [...codes(10), 'good-0', ...codes(10), ...codes(10, 'good')];
		const answer = (asked: Asked) => (asked.count < 22 ? genuine(asked) : withoutKey(asked));
		const { verdicts } = await validate(answer, given);
		expect(verdicts.slice(0, 5)).toEqual(times(5, false));
		expect(verdicts[10]).toBe(true);
		expect(verdicts.slice(21)).not.toContain(false);
	});

	test('without On Error, the error is the key’s, and nobody succeeded', async () => {
		const result = await validate(withoutKey, codes(3, 'good'), {
			settings: { onError: 'stopWorkflow' },
		});
		expect(result.error).toMatchObject({
			message: 'Invalid request (item 1 of 3: 0 succeeded, 0 not sent)',
			description: like(/^Check the API key in the credential/),
		});
	});
});

describe('a proof that is not finished makes no code invalid', () => {
	const onProof = (answer: Response) => (asked: Asked) =>
		asked.code === undefined || asked.code === KNOWN ? answer : genuine(asked);

	test.each([
		['the account is down', DOWN, /not available/],
		['the account has a failure', { status: 500, body: {} }, /./],
		['the rate limit is used up', LIMITED, /Too many requests|rate limit/],
		['the account is something else', { body: { hello: 1 } }, /unexpected JSON/],
	])('%s', async (_what, answer, message) => {
		const { verdicts } = await validate(onProof(answer), codes(3));
		expect(verdicts).toEqual(times(3, like(message)));
	});

	test('one row asks once, and a valid code proves what asking could not', async () => {
		const alone = await validate(onProof({ status: 500, body: {} }), ['bad']);
		expect([alone.sent, alone.proofs]).toEqual([2, 1]);
		const given = [...codes(10), ...times(6, 'good')];
		const { verdicts } = await validate(onProof({ status: 500, body: {} }), given);
		expect(verdicts).toEqual([...times(10, false), ...times(6, true)]);
	});

	test('cancelled meanwhile', async () => {
		let cancel = (): void => undefined;
		const answer = (asked: Asked) => {
			if (asked.code === undefined) cancel();
			return genuine(asked);
		};
		const { run } = await validate(answer, ['bad'], {
			onStart: (execution) => (cancel = () => execution.cancel()),
		});
		expect(JSON.stringify(run.data.resultData.runData.Node ?? [])).not.toContain('"valid":false');
	});
});

describe('a known code', () => {
	const credential = { knownValidCode: KNOWN };

	test('that the store calls invalid, while the account works, is an error that says so', async () => {
		const answer = (asked: Asked) => (asked.code === KNOWN ? INVALID : genuine(asked));
		const result = await validate(answer, [...codes(20), KNOWN], {}, { credential });
		expect(result.verdicts.slice(0, 1)).toEqual([
			like(/refuses the Known Valid Code of the credential \(Invalid purchase code\)\. Test the/),
		]);
		expect(result.verdicts).not.toContain(false);
		expect(JSON.stringify(result.json.slice(0, 20))).not.toContain(KNOWN);
	});

	test('that was refunded in other words, too, without repeating it', async () => {
		const words = { status: 422, body: { status: 'error', msg: `Refunded: ${KNOWN}` } };
		const answer = (asked: Asked) => (asked.code === KNOWN ? words : genuine(asked));
		const { verdicts } = await validate(answer, ['bad'], {}, { credential });
		expect(verdicts).toEqual([like(/\(Refunded: \*\*\*\)/)]);
	});

	test('that is a code of the run is a code like others', async () => {
		const { verdicts } = await validate(genuine, ['bad', KNOWN], {}, { credential });
		expect(verdicts).toEqual([false, true]);
	});
});

const PLACES = ['body', 'form', 'header', 'query'];
const NAMES: Record<string, string> = {
	body: 'Body',
	form: 'Body (Form)',
	header: 'Header',
	query: 'Query',
};

describe.each(PLACES)('a store that takes the key of a POST only from: %s', (place) => {
	const stage = onStage(
		new Stage({
			storeKeyPlace: place as 'body',
			storeKeyWords: 'endpoint',
		}),
	);
	const sell = () =>
		stage.sandbox.store.addPurchase(stage.sandbox.store.addItem(stage.storeAccount.id));
	// A body is a body here: as JSON, and as a form.
	const others = PLACES.filter((each) => each !== place && !(place === 'body' && each === 'form'));

	test.each(others)('with the key in: %s, no genuine code is invalid', async (apiKeyLocation) => {
		const [code, knownValidCode] = [sell(), sell()];
		const credential = { apiKeyLocation, knownValidCode };
		const parameters = { purchaseCode: code };
		const settings = { settings: CONTINUE, credential };
		const { json } = await stage.store('purchase.validate', parameters, settings);
		expect(json).toEqual([{ error: like(/Known Valid Code|Invalid request/) }]);

		const data = { ...stage.credentials.storeApi, ...credential } as ICredentialDataDecryptedObject;
		const tested = await testCredential('store', 'storeApi', data);
		const found = like(
			new RegExp(`Set Send API Key In to ${NAMES[place]?.replace(/[()]/g, '\\$&')}\\.$`),
		);
		expect(tested).toEqual({ status: 'Error', message: found });
	});

	test('with the key there, codes are told apart, and the credential passes', async () => {
		const [code, knownValidCode] = [sell(), sell()];
		const { json } = await stage.store(
			'purchase.validate',
			{ purchaseCode: '={{ $json.code }}' },
			{ rows: [{ code }, { code: 'never' }], credential: { knownValidCode } },
		);
		expect(json.map(({ valid: is }) => is)).toEqual([true, false]);
		const data = { ...stage.credentials.storeApi, knownValidCode };
		const tested = await testCredential('store', 'storeApi', data);
		expect(tested).toEqual({ status: 'OK', message: 'Connection successful!' });
	});

	test('without a known code, the key goes nowhere else', async () => {
		for (const apiKeyLocation of PLACES) {
			stage.sandbox.clearRequests();
			const data = { ...stage.credentials.storeApi, apiKeyLocation, apiKey: 'wrong' };
			const { status } = await testCredential('store', 'storeApi', data);
			expect(status).toBe('Error');
			expect(stage.sandbox.requests).toHaveLength(1);
		}
	});
});

describe('a known code in the credential test', () => {
	const stage = onStage(new Stage());

	test('that was refunded is named as the reason', async () => {
		const data = { ...stage.credentials.storeApi, knownValidCode: 'refunded-code' };
		const { status, message } = await testCredential('store', 'storeApi', data);
		expect(status).toBe('Error');
		expect(message).toMatch(/It may have been refunded, .*; enter another one\.$/);
		expect(message).not.toContain('refunded-code');
	});
});

describe('items', () => {
	const stage = onStage(new Stage({ storeKeyWords: 'endpoint', noItems: 'error' }));

	test.each([
		['item.getAll', { returnAll: true }],
		['item.get', { itemId: { __rl: true, mode: 'id', value: 1 } }],
	])('%s asks the account before it believes that there is nothing', async (name, parameters) => {
		const right = await stage.store(name, parameters, { settings: CONTINUE });
		expect(right.requests.map(({ request }) => request)).toContain('GET /api/account/details');
		const credential = { apiKey: 'wrong-key' };
		const wrong = await stage.store(name, parameters, { settings: CONTINUE, credential });
		expect(wrong.json).toEqual([{ error: like(/^Invalid request\. Check the API key/) }]);
	});

	test('a trigger and a dropdown do, too', async () => {
		const { storeApi } = stage.credentials;
		const credentials = { storeApi: { ...storeApi, apiKey: 'wrong-key' } };
		const trigger = triggersOf('storeTrigger')({ credentials }, { event: 'newItem' });
		await expect(trigger.activate()).rejects.toThrow(/Check the API key/);
		const opened = stage.search('searchItems', { credential: { apiKey: 'wrong-key' } });
		await expect(opened).rejects.toThrow(/Invalid request/);
	});
});
