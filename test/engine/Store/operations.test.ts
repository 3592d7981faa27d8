import type { IDataObject } from 'n8n-workflow';

import type { Answer, Asked } from '../helpers/store.ts';
import { ACCOUNT, INVALID, storeThat, valid } from '../helpers/store.ts';
import { CONTINUE, Stage, like, onStage } from '../helpers/support.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** Purchase codes as people paste them, and what is made of the responses of a store. */

const CODE = '7f3a9c52-1b8e-4d60-9a47-c5e2f0d81b36';
const SPANISH = 'Código de compra inválido';

const stage = onStage(new Stage());

const validate = async (
	codes: unknown[],
	credential: IDataObject = {},
	rows = codes.map((code) => ({ code }) as IDataObject),
) =>
	await stage.store(
		'purchase.validate',
		{ purchaseCode: '={{ $json.code }}', simplify: false },
		{
			rows,
			settings: { onError: 'continueRegularOutput' },
			credential,
		},
	);

/** Validates them at a store that answers every code in this way. */
async function validateAt(answer: (code: string) => Answer, codes: string[], words = '') {
	await using store = await storeThat(({ code }: Asked) =>
		code === undefined ? ACCOUNT : answer(code),
	);
	return await validate(codes, { ...store.credential, invalidCodeMessage: words });
}

/** What a row says whose code was not checked. */
const UNKNOWN = { valid: null, reason: null };

test('a pasted code is sent without what came with it', async () => {
	const { store } = stage.sandbox;
	store.addPurchase(store.addItem(stage.storeAccount.id), { code: CODE });
	const { json, requests } = await validate([`1. ${CODE} (Ann)`]);
	expect(json).toMatchObject([{ valid: true }]);
	expect(requests).toMatchObject([{ body: { purchase_code: CODE } }]);
});

test.each([['#N/A', /error of a formula/]])(
	'%j is neither sent nor called invalid among codes, by the node and by a trigger',
	async (code, message) => {
		const { json, requests } = await validate([code, CODE]);
		expect(json[0]).toEqual({ ...UNKNOWN, error: like(message), code });
		expect(requests.map(({ body }) => body)).not.toContainEqual({ purchase_code: code });
		stage.sandbox.clearRequests();
		const parameters = {
			event: 'purchaseInvalid',
			purchaseCodes: `={{ ${JSON.stringify([CODE, code])} }}`,
		};
		const trigger = triggersOf('storeTrigger')(stage, parameters);
		await expect(trigger.activate()).rejects.toMatchObject({ message: like(message) });
		await expect(trigger.test()).rejects.toThrow(/^'Purchase Codes' /);
		expect(stage.sent()).toEqual([]);
	},
);

test.each([
	[false, false, 0],
	['31/12/2999', null, null],
	['12/31/2999', null, null],
])('support until %j is active: %j', async (until, isActive, daysLeft) => {
	const { json } = await validateAt((code) => valid(code, { supported_until: until }), [CODE]);
	const support = { support_active: isActive, support_days_left: daysLeft };
	expect(json).toMatchObject([{ valid: true, ...support }]);
});

test('the code is output as the store spells it', async () => {
	const { json } = await validateAt(() => valid('Ab7e'), ['aB-7E']);
	const noItem = { item_id: null, item_name: null, item: null };
	expect(json).toMatchObject([{ valid: true, purchase_code: 'Ab7e', ...noItem }]);
});

const BARE_CODE = CODE.replaceAll('-', '');

test.each([
	['with its dashes', CODE, CODE, [BARE_CODE, CODE]],
	['without dashes', BARE_CODE, BARE_CODE, [BARE_CODE]],
	['not at all', '', BARE_CODE, [BARE_CODE, CODE]],
])('a code without dashes, which the store has %s', async (_how, stored, purchase_code, sent) => {
	await using store = await storeThat(({ code }: Asked) => {
		if (code === undefined) return ACCOUNT;
		return code === stored ? valid(stored) : INVALID;
	});
	const { json } = await validate([BARE_CODE], store.credential);
	expect(json).toMatchObject([{ valid: stored !== '', purchase_code }]);
	const asked = store.asked.map(({ code }) => code).filter((code) => code !== undefined);
	expect(asked).toEqual(sent);
});

test('a run that stops at rows without a code names them all, and has asked nothing', async () => {
	const rows = ['#N/A', CODE, '', '#REF!'].map((code) => ({ code }));
	const parameters = { purchaseCode: '={{ $json.code }}' };
	const { error, requests } = await stage.store('purchase.validate', parameters, { rows });
	expect(error?.message).toMatch(
		/ \[item 1\] \(nothing was sent; 3 items have errors: 1, 3, 4; 'On Error: Continue' shows all\)$/,
	);
	expect(requests).toEqual([]);
});

test.each<[rows: IDataObject[], onBlank: string, message: RegExp]>([
	[[{ Code: CODE }], 'error', /^'Purchase Code' is empty\. Enter a code, or check the expression/],
	[[{ '\ufeffTicket': 7, code: '' }], 'error', /^'Purchase Code' is empty\. Enter a code/],
	[[{ Code: CODE }, { Code: CODE }], 'invalid', /^'Purchase Code' is empty\. .*check the expr/],
	[[{ Code: CODE }], 'invalid', /^'Purchase Code' is empty\. .*check the expr/],
])(
	'codes in another column than the expression says are not invalid: %j, %s',
	async (rows, onBlank, message) => {
		const parameters = { purchaseCode: '={{ $json.code }}', options: { onBlank } };
		const given = { rows, settings: CONTINUE };
		const { json, requests } = await stage.store('purchase.validate', parameters, given);
		expect(json).toMatchObject(rows.map(() => ({ ...UNKNOWN, error: like(message) })));
		expect(requests).toEqual([]);
	},
);

test.each<[rows: IDataObject[]]>([
	[[{ code: '' }, { code: '' }]],
	[[{ code: null }, { code: 'ABCD-1234' }]],
])('with Treat as Invalid, a row without a code is invalid: %j', async (rows) => {
	await using store = await storeThat(({ code }: Asked) => (code ? valid(code) : ACCOUNT));
	const parameters = { purchaseCode: '={{ $json.code }}', options: { onBlank: 'invalid' } };
	const { json } = await stage.store('purchase.validate', parameters, { ...store, rows });
	const reason = 'The purchase code is blank';
	expect(json[0]).toMatchObject({ valid: false, reason });
});

test('a bot check in front of the store has no words for an invalid code', async () => {
	const { json } = await validateAt(() => ({ status: 403, body: '<html>' }), [CODE]);
	expect(json[0]?.error).toMatch(/got a web page \(status 403\)\. .*'Extra Header Name'/);
	expect(json[0]?.error).not.toContain('Invalid Code Message');
});

test('a simplified purchase has at most ten columns', async () => {
	await using store = await storeThat(({ code }: Asked) =>
		code === undefined ? ACCOUNT : valid(CODE),
	);
	const parameters = {
		purchaseCode: BARE_CODE,
		options: { expectedItems: { item: [{ itemId: 3 }] } },
	};
	const { json } = await stage.store('purchase.validate', parameters, store);
	expect(Object.keys(json[0] ?? {})).toHaveLength(10);
	expect(json[0]).toMatchObject({ valid: true, item_matches: null });
});

test.each([
	[400, false],
	[403, true],
])('a refusal with %i may be a verdict in other words: %j', async (status, mayBe) => {
	const { json } = await validateAt(
		() => ({ status, body: { status: 'erro', msg: SPANISH } }),
		[CODE],
	);
	const advice = mayBe ? /'Invalid Code Message'/ : /^(?!.*'Invalid Code Message')/;
	expect(json).toMatchObject([{ error: like(advice) }]);
});

test('a refund empties no column of the row', async () => {
	await using store = await storeThat(({ code }: Asked) =>
		code === undefined ? ACCOUNT : INVALID,
	);
	const row = {
		item_name: 'Theme',
		supported_until: '2030-01-01',
		support_active: true,
		valid: true,
	};
	const { json } = await validate([], store.credential, [{ code: CODE, ...row }]);
	expect(json).toMatchObject([{ valid: false, item_name: 'Theme', supported_until: null }]);
});

test.each([
	[200, 'Invalid purchase code', true],
	[401, 'Invalid purchase code', true],
	[400, 'Invalid purchase code.', true],
	[404, ' INVALID PURCHASE CODE. ', true],
	[503, 'Invalid purchase code', false],
	[404, 'コードが無効です', true],
	[200, SPANISH, false],
	[400, SPANISH, false],
	[403, SPANISH, false],
	[500, SPANISH, false],
	[401, 'Invalid API key', false],
])('%i "%s" means that a code is invalid: %s', async (status, msg, isInvalid) => {
	const { json } = await validateAt(() => ({ status, body: { status: 'error', msg } }), [CODE]);
	const verdict = { valid: false, purchase_code: CODE, reason: msg.trim() };
	expect(json).toMatchObject([isInvalid ? verdict : { error: like(/./) }]);
});

test('404 without the words of a store is no verdict', async () => {
	const { json } = await validateAt(() => ({ status: 404, body: '<html>' }), [CODE]);
	expect(json).toMatchObject([{ valid: null, error: like(/may have switched its API off/) }]);
});

test('Invalid Code Message takes several messages, and the one that came is the reason', async () => {
	const words = 'código de compra inválido\r\nCompra reembolsada!';
	const said = [`${SPANISH}.`, 'Compra reembolsada.', 'Invalid purchase code', 'Algo más.'];
	const { json } = await validateAt(
		(code) => ({ status: 422, body: { status: 'error', msg: said[Number(code)] } }),
		said.map((_, at) => String(at)),
		words,
	);
	expect(json.map(({ valid: is, reason, error }) => [is, reason ?? error])).toEqual([
		[false, said[0]],
		[false, said[1]],
		[false, said[2]],
		[null, like(/^Algo más.* enter them as 'Invalid Code Message'/)],
	]);
});

test.each([
	[401, /^Refunded.+ 'Invalid Code Message'/],
	[429, /^(?!.*'Invalid Code Message')/],
	[500, /^(?!.*'Invalid Code Message')/],
])(
	'%i in unknown words is no verdict, and names the credential’s field where it helps',
	async (status, error) => {
		const { json } = await validateAt(
			() => ({ status, body: { status: 'error', msg: 'Refunded' } }),
			[CODE],
		);
		expect(json).toMatchObject([{ valid: null, error: like(error) }]);
	},
);

test.each<[written: unknown, read: unknown]>([
	['1,234.50', 1234.5],
	['1,234', 1234],
	['-0.05', -0.05],
	['12 EUR', '12 EUR'],
])('a balance of %j is %j', async (balance, read) => {
	await using store = await storeThat(() => ({ body: { status: 'ok', data: { balance } } }));
	const { json } = await stage.store('account.get', {}, { credential: store.credential });
	expect(json).toEqual([{ balance: read }]);
});

test('"No items found" with status 200 is an empty list, if the key is right', async () => {
	const none = { body: { status: 'error', msg: 'No items found' } };
	await using store = await storeThat(({ path }) =>
		path.startsWith('/api/items/all') ? none : ACCOUNT,
	);
	const { credential } = store;
	const result = await stage.store('item.getAll', { returnAll: true }, { credential });
	expect([result.error, result.json]).toEqual([undefined, []]);
});

test('a sheet of codes keeps its columns, behind the verdict, and the next run replaces what this one wrote', async () => {
	const { store } = stage.sandbox;
	const code = store.addPurchase(store.addItem(stage.storeAccount.id));
	const sheet = { customer: 'Ann', code, item_name: 'own', valid: 'soon' };
	const [own = {}] = (await validate([code], {}, [sheet])).json;
	expect(own).toMatchObject({
		...sheet,
		valid: true,
		input_valid: 'soon',
		result_item_name: like(/./),
	});
	const rows = ['Ann', 'Ben'].map((customer, at) => ({
		customer,
		code: at ? CODE.replace('7', '8') : code,
	}));
	const first = (await validate([], {}, rows)).json;
	expect(first).toMatchObject([
		{ ...rows[0], valid: true },
		{ ...rows[1], valid: false },
	]);
	expect(Object.keys(first[0] ?? {}).slice(0, 4)).toEqual(['valid', 'reason', 'customer', 'code']);
	expect((await validate([], {}, first)).json).toEqual(first);
	const swapped = first.map((row, at) => ({ ...row, code: rows[1 - at]?.code ?? '' }));
	const second = (await validate([], {}, swapped)).json;
	expect(second.map(({ valid: is }) => is)).toEqual([false, true]);
	const [failed = {}] = (await validate([], {}, [{ ...first[0], code: '#REF!' }])).json;
	expect(Object.keys(failed).slice(0, 4)).toEqual(['valid', 'reason', 'error', 'customer']);
	expect(failed).toMatchObject({ valid: null, reason: null, error: like(/formula/) });
	// A table that takes of the verdict only what its owner chose.
	const chosen = { code: CODE.replace('7', '8'), valid: true, reason: '' };
	expect((await validate([], {}, [chosen])).json).toMatchObject([
		{ valid: false, reason: like(/./) },
	]);
	const [repaired = {}] = (await validate([], {}, [{ ...failed, code }])).json;
	expect(repaired).toMatchObject({ valid: true, customer: 'Ann' });
	expect(Object.keys(repaired).filter((name) => /^(?:result|input)_/.test(name))).toEqual([]);
});
