import type { IDataObject } from 'n8n-workflow';

import { clock, pass } from '../helpers/clock.ts';
import { runNode, testCredential } from '../helpers/engine.ts';
import { ACCOUNT, INVALID, storeThat, valid } from '../helpers/store.ts';
import type { Answer, Asked } from '../helpers/store.ts';
import { byId, CONTINUE, named } from '../helpers/support.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** What a store does not say for certain: no verdict is guessed, and no trigger is silent. */

const CODE = '7f3a9c52-1b8e-4d60-9a47-c5e2f0d81b36';
const codeOf = (n: number): string => `7f3a9c52-1b8e-4d60-9a47-${String(n).padStart(12, '0')}`;
const THEME = { license_type: 'Regular', item: { id: 1001, name: 'Theme' } };

type Store = Awaited<ReturnType<typeof storeThat>>;

async function validate(store: Store, rows: IDataObject[], options: object = {}) {
	const operation = { resource: 'purchase', operation: 'validate' };
	const parameters = { ...operation, purchaseCode: '={{ $json.code }}', options: { ...options } };
	const { credentials } = store;
	return await runNode({ type: 'store', parameters, credentials, rows, settings: CONTINUE });
}

/** The account, and for each code what the test says. */
const storeOf = async (answer: (asked: Asked) => Answer) =>
	await storeThat((asked) => (asked.path.includes('account') ? ACCOUNT : answer(asked)));

test.each([
	{ status: 'error', message: 'Route not found' },
	{ msg: 'Nothing here' },
	{ message: 'Not found' },
])('404 with %j is no verdict', async (body) => {
	await using store = await storeOf(() => ({ status: 404, body }));
	const { json } = await validate(store, [{ code: CODE }]);
	expect(json[0]).toMatchObject({ valid: null });
});

test('words for nothing are no code', async () => {
	await using store = await storeOf(() => INVALID);
	const { json } = await validate(store, [{ code: '[object Object]' }]);
	expect(json[0]).toMatchObject({ valid: null });
	expect(store.asked).toEqual([]);
});

test('an account that repeats the key proves nothing', async () => {
	await using store = await storeThat(() => ({
		body: { status: 'success', data: { api_key: 'k' } },
	}));
	const { status } = await testCredential('store', 'storeApi', store.credential);
	expect(status).toBe('Error');
});

test('two codes as Known Valid Code are not repeated', async () => {
	await using store = await storeOf(() => INVALID);
	const knownValidCode = `${CODE} ${codeOf(2)}`;
	const given = { ...store.credential, knownValidCode, moreSettings: true };
	const { message } = await testCredential('store', 'storeApi', given);
	expect(message).toBe("'Known Valid Code' must be one purchase code. Enter only the code.");
});

const itemIs = (itemId: object) => ({ expectedItems: { item: [{ itemId }] } });

test.each([
	[{ item_id: 1001 }, byId(1001), true],
	[{ license_type: 'Regular' }, byId(1001), null],
	[THEME, named('name', 'theme'), true],
	[THEME, named('name', 'Plugin'), false],
])('a purchase with %j matches %j: %j', async (members, itemId, matches) => {
	const NO_ITEMS = { status: 404, body: { status: 'error', msg: 'No items found' } };
	await using store = await storeOf(({ code }) => (code ? valid(code, members) : NO_ITEMS));
	const { json } = await validate(store, [{ code: CODE }], itemIs(itemId));
	expect(json[0]).toMatchObject({ valid: true, item_matches: matches });
});

test('an expected item that is not the one that the store lists is an error', async () => {
	const items = { body: { status: 'success', items: [{ id: 7, name: 'Theme' }] } };
	await using store = await storeOf(({ code }) => (code ? valid(code, THEME) : items));
	const { json } = await validate(store, [{ code: CODE }], itemIs(named('name', 'Plugin')));
	expect(json[0]?.error).toMatch(/^There is no item "Plugin"/);
});

test('a sheet has the new verdict after a night that failed, and in words of its own', async () => {
	let answer: (code: string) => Answer = (code) => valid(code, { supported_until: '2099-01-01' });
	await using store = await storeOf(({ code = '' }) => answer(code));
	const [first = {}] = (await validate(store, [{ code: CODE }])).json;
	answer = () => ({ status: 500, body: { status: 'error', msg: 'x' } });
	const [failed = {}] = (await validate(store, [first])).json;
	answer = (code) => valid(code, { supported_until: '2020-01-01' });
	for (const verdict of [failed.valid, 'WAHR', 1]) {
		const [row] = (await validate(store, [{ ...failed, valid: verdict }])).json;
		expect(row).toMatchObject({ valid: true, support_active: false });
		expect(row).not.toHaveProperty('result_valid');
		expect(row).not.toHaveProperty('result_support_active');
	}
});

describe('a trigger', () => {
	/** Requests that the store still takes in the minute. */
	let left = 0;
	let bought = new Set<string>();
	const LIMITED = { status: 429, body: { status: 'error', msg: 'Too many requests' } };

	async function limitedStore(): Promise<Store> {
		return await storeThat(({ path, code = '' }) => {
			left -= 1;
			if (left < 0) return LIMITED;
			if (path.includes('account')) return ACCOUNT;
			return bought.has(code) ? valid(code) : INVALID;
		});
	}

	const watch = (store: Store, codes: string[]) =>
		triggersOf('storeTrigger')(store, { event: 'newPurchase', purchaseCodes: codes.join('\n') });

	beforeEach(() => {
		left = Infinity;
		bought = new Set();
	});

	test('finds a new purchase although other programs leave few requests', async () => {
		await using store = await limitedStore();
		const codes = Array.from({ length: 22 }, (_, n) => codeOf(n));
		const trigger = watch(store, codes);
		await trigger.activate();
		bought = new Set([codeOf(2), codeOf(10)]);
		const found: unknown[] = [];
		for (let poll = 0; poll < 10; poll += 1) {
			pass(60_000);
			left = 10;
			const records = await trigger.poll().catch(() => []);
			found.push(...records.map(({ purchase_code }) => purchase_code));
		}
		expect(found.sort()).toEqual([...bought]);
	});

	test('can be published although its first poll has too few requests', async () => {
		await using store = await limitedStore();
		left = 10;
		const from = clock();
		await watch(
			store,
			Array.from({ length: 25 }, (_, n) => codeOf(n)),
		).activate();
		expect(clock() - from).toBeLessThan(60_000);
	});

	test('knows a code in another case', async () => {
		await using store = await limitedStore();
		bought = new Set([CODE, CODE.toUpperCase()]);
		const trigger = watch(store, [CODE]);
		await trigger.activate();
		trigger.change({ parameters: { event: 'newPurchase', purchaseCodes: CODE.toUpperCase() } });
		expect(await trigger.poll()).toEqual([]);
	});
});
