import type { IDataObject } from 'n8n-workflow';

import type { Answer, Asked } from '../helpers/store.ts';
import { ACCOUNT, INVALID, storeThat, valid } from '../helpers/store.ts';
import { byId, CONTINUE, like, named, onStage, Stage } from '../helpers/support.ts';

/** What is made of the responses of a store: no verdict is guessed, and each row keeps its columns. */

const CODE = '7f3a9c52-1b8e-4d60-9a47-c5e2f0d81b36';
const THEME = { license_type: 'Regular', item: { id: 1001, name: 'Theme' } };
const SPANISH = 'Código de compra inválido';

const stage = onStage(new Stage());

const validate = async (rows: IDataObject[], credential: IDataObject = {}, options: object = {}) =>
	await stage.store(
		'purchase.validate',
		{ purchaseCode: '={{ $json.code }}', simplify: false, options: { ...options } },
		{ rows, settings: CONTINUE, credential },
	);

/** Validates them at a store that answers every code in this way. @param given of the credential */
async function validateAt(
	answer: (code: string) => Answer,
	rows: IDataObject[] = [{ code: CODE }],
	{ options = {}, ...given }: IDataObject & { options?: object } = {},
) {
	await using store = await storeThat(({ code }: Asked) =>
		code === undefined ? ACCOUNT : answer(code),
	);
	const { json } = await validate(rows, { ...store.credential, ...given }, options);
	return { json, sent: store.asked.flatMap(({ code }) => code ?? []) };
}

const says = (status: number, msg: string): Answer => ({ status, body: { status: 'error', msg } });

/** What a row says whose code was not checked. */
const UNKNOWN = { valid: null, reason: null };

test('a pasted code, or the one in a cell, is sent without what came with it', async () => {
	const cells = [`1. ${CODE} (Ann)`, [CODE], { id: 7, value: CODE }, [{ name: CODE }]];
	const rows = cells.map((code) => ({ code }));
	const { sent } = await validateAt(() => INVALID, rows);
	expect(sent).toEqual(cells.map(() => CODE));
});

const OTHER = CODE.replace('7', '8');

test.each(['#N/A', '[object Object]', '1.23457E+19', 1e16, `${CODE} ${OTHER}`, [CODE, OTHER]])(
	'%j is neither sent nor called invalid',
	async (code) => {
		const { json, sent } = await validateAt(() => INVALID, [{ code }, { code: CODE }]);
		expect(json).toMatchObject([{ ...UNKNOWN, error: like(/^'Purchase Code' /), code }, {}]);
		expect(sent).toEqual([CODE]);
	},
);

test.each(['error', 'invalid'])(
	'a row without the column is an error, also with a blank code as %s',
	async (onBlank) => {
		const { json, sent } = await validateAt(() => INVALID, [{ Code: CODE }], {
			options: { onBlank },
		});
		const error = like(/^'Purchase Code' is empty\. Enter a code/);
		expect([json, sent]).toMatchObject([[{ ...UNKNOWN, error }], []]);
	},
);

/** `valid`, or what the error says. */
type Meaning = boolean | RegExp;
const NO_ADVICE = /^(?!.*'Invalid Code Message')/;
const ADVICE = /'Invalid Code Message'/;

test.each<[answer: Answer, meaning: Meaning]>([
	[says(200, 'Invalid purchase code'), false],
	[says(401, 'Invalid purchase code'), false],
	[says(400, 'Invalid purchase code.'), false],
	[says(404, ' INVALID PURCHASE CODE. '), false],
	[says(404, 'コードが無効です'), false],
	// The account may accept a key that this request has in the wrong place.
	[says(404, 'Invalid API key'), /^Invalid API key\./],
	[says(404, 'Invalid license key'), false],
	[says(404, 'No such code for this API key'), false],
	[says(422, 'código de compra inválido.'), false],
	[says(422, 'Compra reembolsada'), false],
	[says(503, 'Invalid purchase code'), NO_ADVICE],
	[says(200, 'Refunded'), ADVICE],
	[says(401, 'Refunded'), /^Refunded\. .* 'Invalid Code Message'/],
	[says(403, 'Refunded'), ADVICE],
	[says(400, 'Refunded'), NO_ADVICE],
	[says(429, 'Refunded'), NO_ADVICE],
	[says(500, SPANISH), NO_ADVICE],
	[{ status: 403, body: '<html>' }, /^(?!.*'Invalid Code).*web page.*'Extra Header Name'/],
	[{ status: 404, body: '<html>' }, /may have switched its API off/],
	[{ status: 404, body: { status: 'error', message: 'Route not found' } }, /./],
	[{ status: 404, body: { msg: 'Nothing here' } }, /./],
	[{ body: { status: 'success', data: { purchase: { ...THEME, is_valid: false } } } }, /no "purch/],
	[{ body: { status: 'success', success: 0, data: { purchase: THEME } } }, /no "purchase"/],
	[{ body: { status: 'success', data: { valid: 'false', purchase: THEME } } }, /no "purchase"/],
	[valid(CODE.toUpperCase(), THEME), true],
	[valid(CODE.replaceAll('-', '')), true],
])('%j means: %s', async (answer, meaning) => {
	const invalidCodeMessage = `${SPANISH}\r\nCompra reembolsada!\r\nNo such code for this API key`;
	const [row = {}] = (await validateAt(() => answer, undefined, { invalidCodeMessage })).json;
	if (typeof meaning === 'boolean') expect(row.valid).toBe(meaning);
	else expect(row).toMatchObject({ valid: null, error: like(meaning) });
});

test('the code is output as the store spells it, and the reason in its words', async () => {
	const answer = (code: string) => (code === 'bad' ? says(404, SPANISH) : valid('Ab7e'));
	const { json } = await validateAt(answer, [{ code: 'aB-7E' }, { code: 'bad' }]);
	const noItem = { item_id: null, item_name: null, item: null };
	expect(json).toMatchObject([
		{ valid: true, reason: null, purchase_code: 'Ab7e', ...noItem },
		{ valid: false, reason: SPANISH, purchase_code: 'bad', ...noItem },
	]);
});

test.each([
	['31/12/2999', null, null],
	['2999-12-31', true, expect.any(Number) as unknown],
])('support until %j is active: %j', async (supported_until, support_active, support_days_left) => {
	const { json } = await validateAt((code) => valid(code, { supported_until }));
	expect(json).toMatchObject([{ valid: true, support_active, support_days_left }]);
});

test.each([
	[{ item_id: 1001 }, byId(1001), true],
	[{ item_id: 1001 }, byId(1002), false],
	[{ item_id: 1001 }, named('name', 'Theme'), null],
	[{ license_type: 'Regular' }, byId(1001), null],
	[THEME, named('name', ' theme'), true],
	[THEME, named('name', 'Plugin'), false],
])('a purchase with %j matches %j: %j', async (members, itemId, item_matches) => {
	const options = { expectedItems: { item: [{ itemId }] } };
	const { json } = await validateAt((code) => valid(code, members), undefined, { options });
	expect(json).toMatchObject([{ valid: true, item_matches }]);
});

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
	const none = says(200, 'No items found');
	await using store = await storeThat(({ path }) => (path.includes('all') ? none : ACCOUNT));
	const { credential } = store;
	const result = await stage.store('item.getAll', { returnAll: true }, { credential });
	expect([result.error, result.json]).toEqual([undefined, []]);
});

/** Rows as sheets have them, written back or not, and what becomes of their columns. */
const VALID_ROW = { customer: 'Ann', valid: true, reason: null, license_type: 'Regular' };

test.each<[what: string, answer: Answer, row: IDataObject, result: object]>([
	['stays beside the verdict', valid(CODE, THEME), { customer: 'Ann' }, VALID_ROW],
	[
		'makes way for a result of its name',
		valid(CODE, THEME),
		{ valid: 'soon', item_name: 'own', item_id: 1001 },
		{ valid: true, input_valid: 'soon', item_name: 'Theme', input_item_name: 'own', item_id: 1001 },
	],
	[
		'stays beside an error',
		says(500, 'x'),
		VALID_ROW,
		{ ...UNKNOWN, error: like(/./), license_type: 'Regular' },
	],
	['of a failed run is replaced', valid(CODE, THEME), { ...UNKNOWN, error: 'x' }, { valid: true }],
])('a column %s', async (_what, answer, row, result) => {
	const given = { code: CODE, ...row };
	const { json } = await validateAt(() => answer, [given]);
	expect(json).toMatchObject([{ code: CODE, ...result }]);
	const [first, second] = Object.keys(json[0] ?? {});
	expect([first, second]).toEqual(['valid', 'reason']);
	expect('error' in (json[0] ?? {})).toBe('error' in result);
});
