import type { IDataObject } from 'n8n-workflow';

import { serve } from '../../loopback.ts';
import { triggersOf } from '../helpers/trigger.ts';
import { A_NUMBER, Stage, like, onStage } from '../helpers/support.ts';

/** Purchase codes as people paste them, and what a sheet has in their place. */

const stage = onStage(new Stage());
const triggerOn = triggersOf('storeTrigger');

const CODE = '7f3a9c52-1b8e-4d60-9a47-c5e2f0d81b36';
const OTHER = '5f1c2a90-7d3e-4b52-8c0f-2e6d9a417b58';

const validate = async (codes: unknown[], credential: IDataObject = {}) =>
	await stage.store(
		'purchase.validate',
		{ purchaseCode: '={{ $json.code }}', options: { onBlank: 'invalid' } },
		{
			rows: codes.map((code) => ({ code }) as IDataObject),
			settings: { onError: 'continueRegularOutput' },
			credential,
		},
	);

test('a pasted code is sent without what came with it', async () => {
	const { store } = stage.sandbox;
	store.addPurchase(store.addItem(stage.storeAccount.id), { code: CODE });
	const pasted = [
		...[CODE, ` ${CODE}. `, `"${CODE}"`, `="${CODE}"`, `“${CODE}”`, `\ufeff${CODE}\u200b\n`],
		...[' - ', '-\n', '–', '\u00a0-\u00a0'].map((dash) => CODE.replaceAll('-', dash)),
	];
	const { json, requests } = await validate(pasted);
	expect(json.map(({ valid }) => valid)).toEqual(pasted.map(() => true));
	expect(requests.map(({ body }) => body)).toEqual(pasted.map(() => ({ purchase_code: CODE })));
});

const REFUSED: Array<[code: unknown, message: RegExp]> = [
	...['#N/A', '#NV', '#BEZUG!'].map((code): [string, RegExp] => [code, /error of a formula/]),
	...[1.23457e19, '1.23457E+19', 12345678901234567000].map((code): [unknown, RegExp] => [
		code,
		/spreadsheet has rounded: ".+"\. Format the column as text/,
	]),
	['caf\ufffd', /wrong encoding/],
	[`${CODE} ${OTHER}`, /has more than one code/],
];

test('what cannot be a code is neither sent nor called invalid', async () => {
	const { json, requests } = await validate(REFUSED.map(([code]) => code));
	expect(json).toMatchObject(REFUSED.map(([, message]) => ({ error: like(message) })));
	for (const item of json) expect(item).not.toHaveProperty('valid');
	expect(requests).toEqual([]);
});

test.each(REFUSED)('the trigger says so, too: %j', async (code, message) => {
	const trigger = triggerOn(stage, {
		event: 'purchaseInvalid',
		purchaseCodes: `={{ ${JSON.stringify([CODE, code])} }}`,
	});
	stage.sandbox.clearRequests();
	await expect(trigger.activate()).rejects.toMatchObject({ message: like(message) });
	expect(stage.sandbox.requests).toEqual([]);
});

test.each([
	[undefined, false, 0],
	[null, false, 0],
	['', false, 0],
	['2000-01-01T00:00:00Z', false, 0],
	['2999-01-01T00:00:00Z', true, A_NUMBER],
	['next year', null, null],
	['31/12/2999', null, null],
])('support until %j is active: %j', async (until, isActive, daysLeft) => {
	const server = await serve((_request, response) => {
		const purchase = { purchase_code: CODE, license_type: 'Regular', supported_until: until };
		response.end(JSON.stringify({ status: 'success', data: { purchase } }));
	});
	const { json } = await validate([CODE], { baseUrl: server.url });
	await server.stop();
	expect(json).toMatchObject([
		{ valid: true, support_active: isActive, support_days_left: daysLeft },
	]);
});
