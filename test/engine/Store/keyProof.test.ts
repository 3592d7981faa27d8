import type { IncomingMessage } from 'node:http';

import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { serve } from '../../loopback.ts';
import { runNode, testCredential } from '../helpers/engine.ts';
import { like, type NodeSettings, onStage, Stage } from '../helpers/support.ts';
import { triggersOf } from '../helpers/trigger.ts';

/**
 * A store may answer a wrong key like an invalid code: its document has one message per endpoint. No genuine code becomes
 * invalid by that, and the proof of the key costs at most two requests a run.
 */

const KEY = 'key-of-a-store-0123456789';
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
const FAILING: Response = { status: 500, body: { status: 'error', msg: 'No' } };
const LIMITED: Response = { status: 429, body: { status: 'error', msg: 'Too many requests' } };

const valid = (purchase_code: string): Response => ({
	body: { status: 'success', data: { purchase: { purchase_code, date: '2030-01-01T00:00:00Z' } } },
});

/** `good…` is a genuine code, `bad…` none. */
const genuine = ({ code }: Asked): Response => {
	if (code === undefined) return ACCOUNT;
	return code.startsWith('bad') ? INVALID : valid(code);
};

/** A key that is refused, in the words that each endpoint has. */
const withoutKey = ({ code }: Asked): Response => (code === undefined ? REFUSED : INVALID);

async function bodyOf(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return text;
}

async function storeThat(answer: (asked: Asked) => Response | Promise<Response>) {
	const asked: Asked[] = [];
	const server = await serve((request, response) => {
		void bodyOf(request).then(async (body) => {
			const { purchase_code: code } = JSON.parse(body || '{}') as { purchase_code?: string };
			const each = { code, count: asked.length };
			asked.push(each);
			const { status = 200, body: sent } = await answer(each);
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(sent));
		});
	});
	return { ...server, asked, [Symbol.asyncDispose]: async () => await server.stop() };
}

const credentialFor = (baseUrl: string) => ({
	baseUrl,
	apiKey: KEY,
	apiKeyLocation: 'body',
	requestsPerMinute: 0,
});

async function validate(
	answer: (asked: Asked) => Response | Promise<Response>,
	codes: string[],
	{ settings = CONTINUE, onStart }: NodeSettings = {},
	options: INodeParameters = {},
) {
	await using store = await storeThat(answer);
	const result = await runNode({
		type: 'store',
		parameters: {
			resource: 'purchase',
			operation: 'validate',
			purchaseCode: '={{ $json.code }}',
			options,
		},
		rows: codes.map((code) => ({ code })),
		credentials: { storeApi: credentialFor(store.url) },
		settings,
		...(onStart && { onStart }),
	});
	return {
		...result,
		verdicts: result.json.map(({ valid: is, error }) => is ?? error),
		sent: store.asked.length,
		proofs: store.asked.filter(({ code }) => code === undefined).length,
	};
}

const codes = (count: number, start = 'bad'): string[] =>
	Array.from({ length: count }, (_, at) => `${start}-${at}`);

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('an invalid code leaves the node once the key was proved since', () => {
	const night = (isInvalid: (at: number) => boolean): string[] =>
		codes(200, 'good').map((code, at) => (isInvalid(at) ? `bad-${at}` : code));

	test.each<[what: string, given: string[], proofs: number]>([
		['one invalid code', ['bad'], 1],
		['one valid code', ['good'], 0],
		['all invalid', codes(200), 2],
		['blank codes', [' ', ' '], 0],
		['a valid code before many', ['good', ...codes(30)], 1],
		['valid codes behind many', ['good', ...codes(30), ...codes(6, 'good')], 0],
		['the first is invalid', night((at) => at === 0), 1],
		['the last is invalid', night((at) => at === 199), 1],
		['they come in blocks', night((at) => Math.floor(at / 20) % 2 === 0), 1],
	])('%s', async (_what, given, proofs) => {
		const result = await validate(genuine, given, {}, { onBlank: 'invalid' });
		expect(result.verdicts).toEqual(given.map((code) => code.startsWith('good')));
		expect(result.proofs).toBe(proofs);
	});

	test('every tenth of a night is invalid', async () => {
		const result = await validate(
			genuine,
			night((at) => at % 10 === 5),
		);
		expect(result.verdicts.filter((verdict) => verdict === false)).toHaveLength(20);
		expect(result.proofs).toBeLessThanOrEqual(2);
	});

	test.each([401, 403])('status %i for an invalid code ends no run', async (status) => {
		const answer = (asked: Asked) =>
			asked.code?.startsWith('bad') === true ? { ...INVALID, status } : genuine(asked);
		const result = await validate(answer, codes(30));
		expect(result.verdicts).toEqual(times(30, false));
		expect(result.sent).toBe(32);
	});

	test('one that fails the row stops the run', async () => {
		const given = ['good', ...codes(30)];
		const stopping = { settings: { onError: 'stopWorkflow' } } as const;
		const result = await validate(genuine, given, stopping, { onInvalid: 'error' });
		expect(result.error?.message).toMatch(/^Invalid purchase code \(item 2 of 31/);
		expect(result.proofs).toBeLessThanOrEqual(2);
		expect(result.sent).toBeLessThan(12);
	});

	test('ones that fail rows cost at most two requests more, with Continue', async () => {
		const result = await validate(genuine, codes(30), {}, { onInvalid: 'error' });
		expect(result.verdicts).toEqual(times(30, like(/^Invalid purchase code/)));
		expect(result.sent).toBeLessThanOrEqual(32);
	});

	test('each try of the node proves the key again', async () => {
		let outages = 1;
		const answer = (asked: Asked) => {
			if (asked.code !== 'good' || outages === 0) return genuine(asked);
			outages -= 1;
			return FAILING;
		};
		const settings = { onError: 'stopWorkflow', retryOnFail: true, waitBetweenTries: 0 } as const;
		const result = await validate(answer, ['bad', 'good'], { settings });
		expect(result.verdicts).toEqual([false, true]);
		expect(result.proofs).toBeGreaterThan(1);
	});

	test('rows that wait for the proof hold back no other row', async () => {
		let seen = 0;
		let answerAccount = (): void => undefined;
		const others = new Promise<void>((resolve) => (answerAccount = resolve));
		const { verdicts } = await validate(async (asked) => {
			// The account does not respond before the last code was checked.
			if (asked.code === undefined) await others;
			else seen += 1;
			if (seen === 30) answerAccount();
			return genuine(asked);
		}, codes(30));
		expect(verdicts).toEqual(times(30, false));
	});

	test('two credentials in one run are proved each', async () => {
		await using one = await storeThat(genuine);
		await using other = await storeThat(withoutKey);
		const urls = [one.url, other.url, one.url, other.url];
		const { json } = await runNode({
			type: 'store',
			parameters: { resource: 'purchase', operation: 'validate', purchaseCode: 'bad' },
			rows: urls.map((url) => ({ url })),
			credentials: { storeApi: credentialFor('={{ $json.url }}') },
			settings: CONTINUE,
		});
		const verdicts = json.map(({ valid: is, error }) => is ?? typeof error);
		expect(verdicts).toEqual([false, 'string', false, 'string']);
	});
});

describe('a refused key makes no genuine code invalid', () => {
	const KEY_ERROR = like(
		/^Invalid request\. Check the API key|^Not sent, because the service refus/,
	);

	test('from the beginning: the run ends', async () => {
		const result = await validate(withoutKey, codes(60, 'good'));
		expect(result.verdicts).toEqual(times(60, KEY_ERROR));
		expect(result.sent).toBeLessThanOrEqual(12);
		expect(result.proofs).toBe(1);
	});

	test.each([1, 7, 20, 59, 60])('revoked after %i requests', async (count) => {
		const answer = (asked: Asked) => (asked.count < count ? genuine(asked) : withoutKey(asked));
		const { verdicts, sent } = await validate(answer, codes(60, 'good'));
		expect(verdicts).not.toContain(false);
		expect(verdicts.filter((verdict) => verdict === true).length).toBeGreaterThanOrEqual(count - 6);
		expect(sent).toBeLessThanOrEqual(62);
	});

	test('without On Error, the error is the key’s', async () => {
		const settings = { onError: 'stopWorkflow' } as const;
		const result = await validate(withoutKey, codes(3, 'good'), { settings });
		expect(result.error).toMatchObject({
			message: 'Invalid request (item 1 of 3)',
			description: like(/^Check the API key in the credential/),
		});
	});
});

describe('a proof without an answer makes no code invalid', () => {
	const onProof = (answer: Response) => (asked: Asked) =>
		asked.code === undefined ? answer : genuine(asked);

	test.each([
		['the account is down', DOWN, /not available/],
		['the account has a failure', FAILING, /./],
		['the rate limit is used up', LIMITED, /Too many requests|rate limit/],
		['the account is something else', { body: { hello: 1 } }, /unexpected JSON/],
	])('%s', async (_what, answer, message) => {
		const { verdicts } = await validate(onProof(answer), codes(3));
		expect(verdicts).toEqual(times(3, like(message)));
	});

	test('but a later valid code proves what the account could not', async () => {
		const given = [...codes(10), ...codes(6, 'good')];
		const { verdicts } = await validate(onProof(FAILING), given);
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

/** Whatever a store says of a refused key and of an invalid code. */
const STORES = (['own', 'endpoint'] as const).flatMap((storeKeyWords) =>
	(['http4xx', 'http200'] as const).map((failureStatus) => ({ storeKeyWords, failureStatus })),
);

const sell = ({ sandbox, storeAccount }: Stage): string =>
	sandbox.store.addPurchase(sandbox.store.addItem(storeAccount.id));

describe.each(STORES)('where a store has %j', (dialect) => {
	const stage = onStage(new Stage(dialect));
	const purchaseCode = '={{ $json.code }}';

	test('the node tells codes apart, and calls none invalid with a wrong key', async () => {
		const rows = [sell(stage), 'never', sell(stage)].map((code) => ({ code }));
		const right = await stage.store('purchase.validate', { purchaseCode }, { rows });
		expect(right.json.map(({ valid: is }) => is)).toEqual([true, false, true]);
		const credential = { apiKey: 'wrong-key' };
		const wrong = { rows, credential, settings: CONTINUE };
		const { json } = await stage.store('purchase.validate', { purchaseCode }, wrong);
		expect(json.map(({ error }) => typeof error)).toEqual(times(3, 'string'));
	});

	test.each(['purchaseInvalid', 'supportEnding'])(
		'the trigger %s says nothing once the key is revoked',
		async (event) => {
			const purchaseCodes = [sell(stage), sell(stage)].join('\n');
			const trigger = triggersOf('storeTrigger')(stage, { event, purchaseCodes });
			await trigger.activate();
			stage.sandbox.rotateKey('store', stage.storeAccount.id);
			for (let poll = 0; poll < 3; poll += 1) await expect(trigger.poll()).rejects.toThrow();
		},
	);

	test('a refund is told from it', async () => {
		const [code, other] = [sell(stage), sell(stage)];
		const entered = { event: 'purchaseInvalid', purchaseCodes: `${code}\n${other}` };
		const trigger = triggersOf('storeTrigger')(stage, entered);
		await trigger.activate();
		stage.sandbox.store.removePurchase(code);
		expect(await trigger.poll()).toEqual([]);
		expect(await trigger.poll()).toMatchObject([{ valid: false, purchase_code: code }]);
		expect(await trigger.poll()).toEqual([]);
	});
});

describe('Invalid Code Message', () => {
	const stage = onStage(new Stage());

	test('takes several messages, and the one that came is the reason', async () => {
		const path = '/api/purchases/validation';
		const words = ['Código desconocido', 'Compra reembolsada', 'Algo más'];
		const rows = words.map((code) => ({ code }));
		for (const msg of words) {
			const body = { status: 'error', msg: `${msg}.` };
			stage.sandbox.faults.add({ kind: 'respond', path, status: 404, body });
		}
		const invalidCodeMessage = 'código desconocido\r\nCompra reembolsada!';
		const { json } = await stage.store(
			'purchase.validate',
			{ purchaseCode: '={{ $json.code }}' },
			// One at a time, so that each gets its words.
			{ rows, credential: { invalidCodeMessage }, settings: CONTINUE },
		);
		const said = json.map(({ valid: is, reason, error }) => [is, reason ?? error]);
		expect(said).toEqual([
			[false, 'Código desconocido.'],
			[false, 'Compra reembolsada.'],
			[undefined, like(/^Algo más.* enter them as Invalid Code Message/)],
		]);
	});
});

const PLACES: Record<string, string> = {
	body: 'Body',
	form: 'Body (Form)',
	header: 'Header',
	query: 'Query',
};

const testOf = async (stage: Stage, changes: IDataObject) => {
	const data = { ...stage.credentials.storeApi, ...changes } as ICredentialDataDecryptedObject;
	return await testCredential('store', 'storeApi', data);
};

describe.each(Object.keys(PLACES))('a store that takes the key of a POST from: %s', (place) => {
	const dialect = { storeKeyPlace: place as 'body', storeKeyWords: 'endpoint' } as const;
	const stage = onStage(new Stage(dialect));
	// A body is a body here: as JSON, and as a form.
	const isSame = (other: string) => other === place || (place === 'body' && other === 'form');
	const others = Object.keys(PLACES).filter((other) => !isSame(other));

	test.each(others)('with the key in: %s, the credential test says the place', async (other) => {
		const tested = await testOf(stage, { apiKeyLocation: other, knownValidCode: sell(stage) });
		expect(tested.status).toBe('Error');
		expect(tested.message).toContain(`Set Send API Key In to ${PLACES[place]}.`);
	});

	test('with the key there, the credential passes', async () => {
		const tested = await testOf(stage, { knownValidCode: sell(stage) });
		expect(tested).toEqual({ status: 'OK', message: 'Connection successful!' });
	});

	test('without a known code, the key goes nowhere else', async () => {
		for (const apiKeyLocation of Object.keys(PLACES)) {
			stage.sandbox.clearRequests();
			expect((await testOf(stage, { apiKeyLocation, apiKey: 'wrong' })).status).toBe('Error');
			expect(stage.sandbox.requests).toHaveLength(1);
		}
	});
});

describe('a known code', () => {
	const stage = onStage(new Stage());

	test('that was refunded is named as the reason, without repeating it', async () => {
		const { message } = await testOf(stage, { knownValidCode: 'refunded-code' });
		expect(message).toMatch(/It may have been refunded, .*; enter another one\.$/);
		expect(message).not.toContain('refunded-code');
	});

	test('is asked by the credential test alone', async () => {
		const credential = { knownValidCode: sell(stage) };
		const { requests } = await stage.store(
			'purchase.validate',
			{ purchaseCode: 'never' },
			{ credential },
		);
		expect(requests.map(({ request }) => request)).toEqual([
			'POST /api/purchases/validation',
			'GET /api/account/details',
		]);
	});
});

describe('items', () => {
	const stage = onStage(new Stage({ storeKeyWords: 'endpoint' }));
	const credential = { apiKey: 'wrong-key' };

	test('Get Many asks the account before it believes that there is nothing', async () => {
		const [name, parameters] = ['item.getAll', { returnAll: true }] as const;
		const right = await stage.store(name, parameters, { settings: CONTINUE });
		expect(right.requests.map(({ request }) => request)).toContain('GET /api/account/details');
		const wrong = await stage.store(name, parameters, { settings: CONTINUE, credential });
		expect(wrong.json).toEqual([{ error: like(/^Invalid request\. Check the API key/) }]);
	});

	test('a trigger and a dropdown do, too', async () => {
		const storeApi = { ...stage.credentials.storeApi, ...credential };
		const trigger = triggersOf('storeTrigger')({ credentials: { storeApi } }, { event: 'newItem' });
		await expect(trigger.activate()).rejects.toThrow(/Check the API key/);
		await expect(stage.search('searchItems', { credential })).rejects.toThrow(/Invalid request/);
	});
});
