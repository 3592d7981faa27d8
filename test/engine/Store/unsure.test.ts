import { clock, pass } from '../helpers/clock.ts';
import { testCredential } from '../helpers/engine.ts';
import { ACCOUNT, INVALID, storeThat, valid } from '../helpers/store.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** What a store does not say for certain: no verdict is guessed, and no trigger is silent. */

const CODE = '7f3a9c52-1b8e-4d60-9a47-c5e2f0d81b36';
const codeOf = (n: number): string => `7f3a9c52-1b8e-4d60-9a47-${String(n).padStart(12, '0')}`;

type Store = Awaited<ReturnType<typeof storeThat>>;

test('an account that repeats the key proves nothing', async () => {
	await using store = await storeThat(() => ({
		body: { status: 'success', data: { api_key: 'k' } },
	}));
	const { status } = await testCredential('store', 'storeApi', store.credential);
	expect(status).toBe('Error');
});

test('two codes as Known Valid Code are not repeated', async () => {
	await using store = await storeThat(({ code }) => (code === undefined ? ACCOUNT : INVALID));
	const knownValidCode = `${CODE} ${codeOf(2)}`;
	const given = { ...store.credential, knownValidCode, moreSettings: true };
	const { message } = await testCredential('store', 'storeApi', given);
	expect(message).toBe("'Known Valid Code' must be one purchase code.");
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
