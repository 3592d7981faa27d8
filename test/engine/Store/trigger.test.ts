import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { clock, pass } from '../helpers/clock.ts';
import type { Answer } from '../helpers/store.ts';
import { ACCOUNT, INVALID, storeThat, valid } from '../helpers/store.ts';
import { testOfDurablePolls, triggersOf } from '../helpers/trigger.ts';
import { byId, idsOf, inContrastingDialects, onStage, Stage } from '../helpers/support.ts';

const triggerOn = triggersOf('storeTrigger');

const refusal = (status: number, msg: string): Answer => ({
	status,
	body: { status: 'error', msg },
});

const codesOf = (records: IDataObject[]): unknown[] =>
	records.map((record) => record.purchase_code);

const checked = (stage: Stage): unknown[] =>
	stage.sandbox.requests
		.filter(({ path }) => path === '/api/purchases/validation')
		.map(({ body }) => (body as { purchase_code?: unknown }).purchase_code);

inContrastingDialects((stage) => {
	/** What a poll returns, which takes one request. */
	const pollOnce = async (trigger: ReturnType<typeof triggerOn>) => {
		stage.sandbox.clearRequests();
		const records = await trigger.poll();
		expect(stage.sandbox.requests).toHaveLength(1);
		return records;
	};

	test('newItem: items that were there are noted, new ones come once', async () => {
		const trigger = triggerOn(stage, { event: 'newItem' });
		await expect(trigger.test()).rejects.toMatchObject({
			message: 'There is nothing to show yet',
			description: 'Create a record first, or publish the workflow and wait',
		});
		const add = (name: string) => stage.sandbox.store.addItem(stage.storeAccount.id, { name });
		const old = ['Old', 'Older'].map(add);
		expect(await trigger.activate()).toEqual([]);
		const ids = ['New', 'Newer', 'Newest'].map(add);
		expect(idsOf(await trigger.test())).toEqual(ids.slice(-1));
		expect(idsOf(await trigger.poll())).toEqual(ids);
		const all = triggerOn(stage, { event: 'newItem', options: { emitExisting: true } });
		expect(idsOf(await all.activate())).toEqual([...old, ...ids]);
		expect(await pollOnce(trigger)).toEqual([]);
	});

	test('itemUpdated: an item comes with what changed, and what it was before', async () => {
		const { store, tables } = stage.sandbox;
		const account = stage.storeAccount.id;
		const price = { regular: 29.5, extended: 249 };
		const [changed, other] = ['Theme', 'Other'].map((name) =>
			store.addItem(account, { name, price }),
		);
		const trigger = triggerOn(stage, { event: 'itemUpdated' });
		expect(await trigger.activate()).toEqual([]);
		store.addItem(account, { name: 'New' });
		expect(await trigger.poll()).toEqual([]);
		tables.items.change(changed, { version: '2.0.0', price: { ...price, regular: 35 } });
		const before = { name: 'Theme', version: '1.0.0', category: 'Themes', price, currency: 'USD' };
		expect(await trigger.poll()).toMatchObject([
			{ id: changed, version: '2.0.0', changed: ['version', 'price'], before },
		]);
		expect(await pollOnce(trigger)).toEqual([]);
		tables.items.change(other, { name: 'Another' });
		expect(await trigger.poll()).toMatchObject([{ id: other, changed: ['name'] }]);
		const { state } = trigger;
		expect(await trigger.test()).toMatchObject([{ name: 'New', is_sample: true }]);
		expect(trigger.state).toEqual(state);
	});

	test('balanceChanged: the difference comes, in one request', async () => {
		const setBalance = (balance: number) =>
			stage.sandbox.tables.storeAccounts.change(stage.storeAccount.id, { balance });
		setBalance(10.1);
		const trigger = triggerOn(stage, { event: 'balanceChanged' });
		expect(await trigger.activate()).toEqual([]);
		expect(await trigger.poll()).toEqual([]);
		setBalance(30.3);
		expect(await trigger.poll()).toEqual([
			{ balance: 30.3, balance_before: 10.1, change: 20.2, currency: 'USD' },
		]);
		setBalance(0);
		expect(await pollOnce(trigger)).toMatchObject([{ balance: 0, change: -30.3 }]);
		expect(await trigger.poll()).toEqual([]);
		expect(await trigger.test()).toEqual([
			{ balance: 0, balance_before: 0, change: 0, currency: 'USD', is_sample: true },
		]);
	});
});

/** What a store says from poll to poll, the activation first, and what the polls return. */
const V1 = { id: 7, version: '1.0' };
const OTHER = { id: 8, version: '1.0' };

test.each<[what: string, event: string, said: unknown[], records: IDataObject[][]]>([
	[
		'an item that is listed twice, after one with a higher ID, or not always, comes once',
		'newItem',
		[
			[{ id: 5 }, { id: 1_000_000_000 }],
			[{ id: 5 }, { id: 1_000_000_000 }, { id: 7 }, { id: 7 }],
			[{ id: 6 }, { id: 7 }],
			[{ id: 6 }, { id: 7 }, { id: 5 }],
		],
		[[{ id: 7 }], [{ id: 6 }], []],
	],
	['sales are no update', 'itemUpdated', [[{ id: 7, sales: 6 }], [{ id: 7, sales: 7 }]], [[]]],
	[
		'the order of prices is no update, nor how they are written',
		'itemUpdated',
		[
			[{ id: 7, price: { regular: '49.00', extended: 249 } }],
			[{ id: 7, price: { extended: 249, regular: 49 } }],
		],
		[[]],
	],
	['an empty member is no update', 'itemUpdated', [[{ id: 7, version: null }], [{ id: 7 }]], [[]]],
	[
		'an update is noticed of an item that one poll did not list',
		'itemUpdated',
		[[V1, OTHER], [OTHER], [{ id: 7, version: '1.00' }, OTHER]],
		[[], [{ id: 7, changed: ['version'] }]],
	],
	[
		'a balance in another currency is no sale',
		'balanceChanged',
		[
			{ balance: 100, currency: 'USD' },
			{ balance: 90, currency: 'EUR' },
			{ balance: 80, currency: 'EUR' },
		],
		[[], [{ change: -10, currency: 'EUR' }]],
	],
])('%s', async (_what, event, said, records) => {
	let at = 0;
	await using store = await storeThat(({ path }) => {
		const present = said[at];
		if (!Array.isArray(present)) return { body: { status: 'success', data: present } };
		return path.startsWith('/api/items')
			? { body: { status: 'success', items: present as unknown[] } }
			: ACCOUNT;
	});
	const trigger = triggerOn(store, { event });
	expect(await trigger.activate()).toEqual([]);
	for (const expected of records) {
		at += 1;
		expect(await trigger.poll()).toMatchObject(expected);
	}
});

test.each(['', 'unlimited'])('balanceChanged: a balance of %j is an error', async (balance) => {
	await using store = await storeThat(() => ({ body: { status: 'success', data: { balance } } }));
	const trigger = triggerOn(store, { event: 'balanceChanged' });
	await expect(trigger.activate()).rejects.toThrow(/^The response has no "balance"/);
});

describe('on a stage', () => {
	const stage = onStage(new Stage());
	let item: number;

	beforeEach(() => {
		item = stage.sandbox.store.addItem(stage.storeAccount.id);
		stage.sandbox.clearRequests();
	});

	/** Watches codes for new purchases. */
	const watch = (codes: string[], options = {}) =>
		triggerOn(stage, { event: 'newPurchase', purchaseCodes: codes.join('\n'), options });

	/** Codes that are not sold yet. */
	const unsold = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

	const sell = (code: string, members = {}): string =>
		stage.sandbox.store.addPurchase(item, { code, ...members });

	test('Item Updated watches one item that was picked, in one request', async () => {
		const { store, tables } = stage.sandbox;
		const other = store.addItem(stage.storeAccount.id);
		const trigger = triggerOn(stage, { event: 'itemUpdated', itemId: byId(String(item)) });
		expect(await trigger.activate()).toEqual([]);
		tables.items.change(other, { version: '2.0.0' });
		stage.sandbox.clearRequests();
		expect(await trigger.poll()).toEqual([]);
		expect(stage.sent().map(({ request }) => request)).toEqual(['GET /api/items/item']);
		tables.items.remove(other);
		tables.items.change(item, { version: '2.0.0' });
		expect(await trigger.poll()).toMatchObject([{ id: item, changed: ['version'] }]);
	});

	test('codes take their turn, although the first one fails in every poll', async () => {
		const codes = unsold(5);
		const trigger = watch(codes, { checksPerPoll: 2 });
		await trigger.activate();
		sell(codes[0] ?? '', { broken: true });
		stage.sandbox.clearRequests();
		for (let poll = 0; poll < 5; poll += 1) await trigger.poll().catch(() => undefined);
		const counts = codes.map((code) => checked(stage).filter((each) => each === code).length);
		expect(counts).toEqual([2, 2, 2, 2, 2]);
	});

	test.each([0, 1])(
		'codes are checked one by one with %i checks per poll',
		async (checksPerPoll) => {
			const codes = unsold(2);
			const trigger = watch(codes, { checksPerPoll });
			await trigger.activate();
			await trigger.poll();
			expect(checked(stage)).toEqual(codes);
		},
	);

	test('codes count as existing if the first poll does not reach them', async () => {
		const trigger = watch(
			unsold(3).map((code) => sell(code)),
			{ checksPerPoll: 1 },
		);
		expect(await trigger.activate()).toEqual([]);
		expect([await trigger.poll(), await trigger.poll()]).toEqual([[], []]);
	});

	test.each<[parameters: object, message: RegExp | string, requests?: number]>([
		[
			{ purchaseCodes: ' \n, ' },
			"There are no purchase codes to watch. Enter them under 'Purchase Codes'.",
		],
		[
			{ purchaseCodes: Array.from({ length: 1001 }, (_, at) => at).join() },
			/at most 1000 purchase codes.*1001/,
		],
		[
			{ event: 'supportEnding', purchaseCodes: 'a', daysBefore: '={{ "x" }}' },
			/^'Days Before' must be a whole number of 0 or more, but is "x"/,
		],
		[{ purchaseCodes: 'a', options: { checksPerPoll: '={{ "many" }}' } }, /^'Checks per Poll'/],
		[
			{ event: 'itemUpdated', itemId: byId('x') },
			/^'Item' must be a positive whole number, but is "x"/,
		],
		[{ event: 'itemUpdated', itemId: byId(987_654) }, /^Item não encontrado/, 2],
	])('an activation with %j fails', async (parameters, message, requests = 0) => {
		const trigger = triggerOn(stage, { event: 'newPurchase', ...parameters });
		await expect(trigger.activate()).rejects.toThrow(message);
		expect(stage.sandbox.requests).toHaveLength(requests);
	});

	test('a test shows a valid purchase, or a sample of what would start no workflow', async () => {
		const code = stage.sandbox.store.addPurchase(item);
		const [invalid = ''] = unsold(1);
		const trigger = watch([invalid, code]);
		expect(codesOf(await trigger.test())).toEqual([code]);
		expect(trigger.state).toEqual({});
		const testOf = async (event: string, purchaseCodes: string) =>
			await triggerOn(stage, { event, purchaseCodes, daysBefore: 14 }).test();
		const sample = { is_sample: true, purchase_code: code };
		expect(await testOf('supportEnding', code)).toMatchObject([sample]);
		const supported_until = new Date(Date.now() + 5 * 86_400_000).toISOString();
		const due = sell(randomUUID(), { supported_until });
		expect(codesOf(await testOf('supportEnding', `${due}\n${code}`))).toEqual([due]);
		const invalidSample = { is_sample: true, purchase_code: invalid, valid: false };
		expect(await testOf('purchaseInvalid', invalid)).toMatchObject([invalidSample]);
		await expect(watch([invalid]).test()).rejects.toThrow('There is nothing to show yet');
	});
});

const codeOf = (n: number): string => `7f3a9c52-1b8e-4d60-9a47-${String(n).padStart(12, '0')}`;

describe('codes go on', () => {
	test.each<[how: string, answer: (code: string) => Answer, message: RegExp]>([
		[
			'unknown words',
			() => refusal(422, 'Refunded'),
			/^Refunded \(purchase code ".*0001"\)\. If these words .* 'Invalid Code Message'/,
		],
		['a page of 500', () => ({ status: 500, body: '<html>' }), /web page.*0001"/],
		['status 410', () => refusal(410, 'Deleted'), /^Deleted \(purchase code ".*0001"\)/],
		['the purchase of another code', () => valid('other'), /another code \(purchase.*0001"/],
	])('if one gets %s for ever, in the first poll, too', async (_how, answer, message) => {
		const [bad = '', ...good] = [1, 2, 3].map(codeOf);
		await using store = await storeThat(({ code = '' }) =>
			code === '' ? ACCOUNT : code === bad ? answer(code) : valid(code),
		);
		const parameters = { event: 'newPurchase', purchaseCodes: [bad, ...good].join('\n') };
		const emitting = triggerOn(store, { ...parameters, options: { emitExisting: true } });
		expect(codesOf(await emitting.activate())).toEqual(good);
		await expect(emitting.poll()).rejects.toThrow(message);
		const trigger = triggerOn(store, parameters);
		await expect(trigger.activate()).rejects.toThrow(message);
		expect(codesOf(await trigger.test())).toEqual(good.slice(-1));
	});

	testOfDurablePolls('if one gets no response for ever', async () => {
		let isSold = false;
		await using store = await storeThat(async ({ code }) => {
			if (code === undefined) return ACCOUNT;
			if (!isSold) return INVALID;
			return code === codeOf(1) ? await new Promise<never>(() => undefined) : valid(code);
		});
		const parameters = { event: 'newPurchase', purchaseCodes: `${codeOf(1)}\n${codeOf(2)}` };
		const trigger = triggerOn(store, parameters, { budgetMs: 2000 });
		await trigger.activate();
		isSold = true;
		const first = await trigger.poll().catch(() => []);
		const second = await trigger.poll().catch(() => []);
		expect(codesOf([...first, ...second])).toEqual([codeOf(2)]);
	});

	test('although other programs leave few requests in each minute, from the first poll on', async () => {
		let left = 10;
		let bought = new Set<string>();
		await using store = await storeThat(({ code }) => {
			left -= 1;
			if (left < 0) return refusal(429, 'Too many requests');
			if (code === undefined) return ACCOUNT;
			return bought.has(code) ? valid(code) : INVALID;
		});
		const purchaseCodes = Array.from({ length: 22 }, (_, n) => codeOf(n)).join('\n');
		const trigger = triggerOn(store, { event: 'newPurchase', purchaseCodes });
		const from = clock();
		await trigger.activate();
		expect(clock() - from).toBeLessThan(60_000);
		const found: unknown[] = [];
		for (let poll = 0; poll < 20; poll += 1) {
			pass(60_000);
			left = 10;
			found.push(...codesOf(await trigger.poll().catch(() => [])));
			if (poll === 9) bought = new Set([codeOf(2), codeOf(10)]);
		}
		expect(found.sort()).toEqual([...bought]);
	});
});

test('a code is known in another case', async () => {
	await using store = await storeThat(({ code }) => (code === undefined ? ACCOUNT : valid(code)));
	const code = codeOf(1);
	const trigger = triggerOn(store, { event: 'newPurchase', purchaseCodes: code });
	await trigger.activate();
	trigger.change({ parameters: { event: 'newPurchase', purchaseCodes: code.toUpperCase() } });
	expect(await trigger.poll()).toEqual([]);
});
