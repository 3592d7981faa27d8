import type { IDataObject } from 'n8n-workflow';

import type { Answer, Asked } from '../helpers/store.ts';
import { ACCOUNT, storeThat, valid } from '../helpers/store.ts';
import { A_NUMBER, Stage, like, onStage } from '../helpers/support.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** Purchase codes as people paste them, and what is made of the responses of a store. */

const CODE = '7f3a9c52-1b8e-4d60-9a47-c5e2f0d81b36';
const stage = onStage(new Stage());

const validate = async (codes: unknown[], credential: IDataObject = {}) =>
	await stage.store(
		'purchase.validate',
		{ purchaseCode: '={{ $json.code }}' },
		{
			rows: codes.map((code) => ({ code }) as IDataObject),
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

test('a pasted code is sent without what came with it', async () => {
	const { store } = stage.sandbox;
	store.addPurchase(store.addItem(stage.storeAccount.id), { code: CODE });
	const pasted = [
		...[` ${CODE}. `, `"${CODE}"`, `="${CODE}"`, `“${CODE}”`, `\ufeff${CODE}\u200b\n`],
		...[' - ', '-\n', '–', '\u00a0-\u00a0'].map((dash) => CODE.replaceAll('-', dash)),
	];
	const { json, requests } = await validate(pasted);
	expect(json.map(({ valid: is }) => is)).toEqual(pasted.map(() => true));
	expect(requests.map(({ body }) => body)).toEqual(pasted.map(() => ({ purchase_code: CODE })));
});

test('what cannot be a code is neither sent nor called invalid, by the node and by a trigger', async () => {
	const refused: Array<[code: unknown, message: RegExp]> = [
		['#N/A', /error of a formula/],
		[1.23457e19, /spreadsheet has rounded: ".+"\. Format the column as text/],
		['caf\ufffd', /wrong encoding/],
		[`${CODE} ${CODE.replace('7', '8')}`, /has more than one code/],
	];
	const { json, requests } = await validate(refused.map(([code]) => code));
	expect(json).toEqual(refused.map(([code, message]) => ({ error: like(message), code })));
	expect(requests).toEqual([]);
	for (const [code, message] of refused) {
		const purchaseCodes = `={{ ${JSON.stringify([CODE, code])} }}`;
		const parameters = { event: 'purchaseInvalid', purchaseCodes };
		const trigger = triggersOf('storeTrigger')(stage, parameters);
		await expect(trigger.activate()).rejects.toMatchObject({ message: like(message) });
	}
	expect(stage.sent()).toEqual([]);
});

test.each([
	[undefined, false, 0],
	['2000-01-01T00:00:00Z', false, 0],
	['2999-01-01T00:00:00Z', true, A_NUMBER],
	['31/12/2999', null, null],
])('support until %j is active: %j', async (until, isActive, daysLeft) => {
	const { json } = await validateAt((code) => valid(code, { supported_until: until }), [CODE]);
	const support = { support_active: isActive, support_days_left: daysLeft };
	expect(json).toMatchObject([{ valid: true, ...support }]);
});

test.each([
	['as it is stored', 'Ab-7é', 'Ab-7é'],
	['as it was sent', 'aB-7E', undefined],
])('a store that writes the code %s: stored_code', async (_how, written, stored_code) => {
	const { json } = await validateAt(() => valid(written), ['aB-7E']);
	expect(json).toMatchObject([{ valid: true, purchase_code: 'aB-7E' }]);
	expect(json.map((item) => item.stored_code)).toEqual([stored_code]);
});

const SPANISH = 'Código de compra inválido';

test.each([
	[200, 'Invalid purchase code', true],
	[401, 'Invalid purchase code', true],
	[404, ' INVALID PURCHASE CODE. ', true],
	[503, 'Invalid purchase code', false],
	[404, SPANISH, false],
	[404, 'Too many attempts with an invalid purchase code. Wait 10 minutes', false],
	[401, 'Invalid API key', false],
])('%i "%s" means that a code is invalid: %s', async (status, msg, isInvalid) => {
	const { json } = await validateAt(() => ({ status, body: { status: 'error', msg } }), [CODE]);
	const verdict = { valid: false, purchase_code: CODE, reason: msg.trim() };
	expect(json).toMatchObject([isInvalid ? verdict : { error: like(/./) }]);
});

test('Invalid Code Message takes several messages, and the one that came is the reason', async () => {
	const words = 'código de compra inválido\r\nCompra reembolsada!';
	const said = [`${SPANISH}.`, 'Compra reembolsada.', 'Invalid purchase code', 'Algo más.'];
	const { json } = await validateAt(
		(code) => ({ status: 404, body: { status: 'error', msg: said[Number(code)] } }),
		said.map((_, at) => String(at)),
		words,
	);
	expect(json.map(({ valid: is, reason, error }) => [is, reason ?? error])).toEqual([
		[false, said[0]],
		[false, said[1]],
		[false, said[2]],
		[undefined, like(/^Algo más.* enter them as Invalid Code Message/)],
	]);
});

test.each([200, 404])(
	'"No items found" with status %i is an empty list, if the key is right',
	async (status) => {
		const none = { status, body: { status: 'error', msg: 'No items found' } };
		await using store = await storeThat(({ path }) =>
			path.startsWith('/api/items/all') ? none : ACCOUNT,
		);
		const { credential } = store;
		const result = await stage.store('item.getAll', { returnAll: true }, { credential });
		expect([result.error, result.json]).toEqual([undefined, []]);
	},
);

test('after five requests in a row without a usable response, the other codes are not sent', async () => {
	const codes = Array.from({ length: 12 }, (_, row) => `code-${row}`);
	const { json } = await validateAt(() => ({ status: 500, body: '<html>' }), codes);
	expect(json).toHaveLength(12);
	// Five are in flight at once.
	expect(json.slice(9)).toEqual(
		codes
			.slice(9)
			.map((code) => ({
				error: like(/^Not sent: the store gave no usable response 5 times in a row/),
				code,
			})),
	);
});
