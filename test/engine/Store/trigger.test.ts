import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { clock, pass } from '../helpers/clock.ts';
import { ACCOUNT, storeThat } from '../helpers/store.ts';
import { triggersOf } from '../helpers/trigger.ts';
import { inContrastingDialects, onStage, Stage } from '../helpers/support.ts';

const DAY_MS = 86_400_000;

const triggerOn = triggersOf('storeTrigger');

const triggerAt = (
	{ credential }: Awaited<ReturnType<typeof storeThat>>,
	parameters: INodeParameters,
) => triggerOn({ credentials: { storeApi: credential } }, parameters);

const codesOf = (records: IDataObject[]): unknown[] =>
	records.map((record) => record.purchase_code);

/** A moment as the store writes it. */
const inDays = (days: number): string =>
	`${new Date(clock() + days * DAY_MS).toISOString().slice(0, 19)}Z`;

const checked = (stage: Stage): unknown[] =>
	stage.sandbox.requests
		.filter(({ path }) => path === '/api/purchases/validation')
		.map(({ body }) => (body as { purchase_code?: unknown }).purchase_code);

inContrastingDialects((stage) => {
	test('newItem: items that were there are noted, new ones come once', async () => {
		const trigger = triggerOn(stage, { event: 'newItem' });
		await expect(trigger.test()).rejects.toMatchObject({
			message: 'There is nothing to show yet',
			description: 'Create a record first, or publish the workflow and wait',
		});
		const add = (name: string) => stage.sandbox.store.addItem(stage.storeAccount.id, { name });
		const idsOf = (records: IDataObject[]) => records.map(({ id }) => id);
		const old = add('Old');
		expect(await trigger.activate()).toEqual([]);
		const ids = ['New', 'Newer', 'Newest'].map(add);
		expect(idsOf(await trigger.test())).toEqual(ids.slice(-1));
		expect(idsOf(await trigger.poll())).toEqual(ids);
		const all = triggerOn(stage, { event: 'newItem', options: { emitExisting: true } });
		expect(idsOf(await all.activate())).toEqual([old, ...ids]);
		stage.sandbox.clearRequests();
		expect(await trigger.poll()).toEqual([]);
		expect(stage.sandbox.requests).toHaveLength(1);
	});

	test('newItem: an item comes once, also if it is listed twice, after one with a higher ID, or is missing meanwhile', async () => {
		const items: IDataObject[] = [{ id: 5 }, { id: 1_000_000_000 }];
		await using store = await storeThat(() => ({ body: { status: 'success', items } }));
		const trigger = triggerAt(store, { event: 'newItem' });
		expect(await trigger.activate()).toEqual([]);
		items.push({ id: 7 }, { id: 7 });
		expect(await trigger.poll()).toEqual([{ id: 7 }]);
		items.splice(0, 2, { id: 6 });
		expect(await trigger.poll()).toEqual([{ id: 6 }]);
		items.push({ id: 5 });
		expect(await trigger.poll()).toEqual([]);
	});

	test('newPurchase: a code comes once, when it is valid for the first time', async () => {
		const item = stage.sandbox.store.addItem(stage.storeAccount.id);
		const old = stage.sandbox.store.addPurchase(item, { date: inDays(-3) });
		const codes = [old, stage.unique('later'), stage.unique('never')];
		const trigger = triggerOn(stage, { event: 'newPurchase', purchaseCodes: codes.join('\n') });
		expect(await trigger.activate()).toEqual([]);
		expect(await trigger.poll()).toEqual([]);
		stage.sandbox.store.addPurchase(item, { code: String(codes[1]), supported_until: inDays(30) });
		const records = await trigger.poll();
		expect(records).toMatchObject([
			{ valid: true, purchase_code: codes[1], support_active: true, item: { id: item } },
		]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('supportEnding: a purchase comes once for each period of support', async () => {
		const item = stage.sandbox.store.addItem(stage.storeAccount.id);
		const sell = (days: number | null, code?: string): string =>
			stage.sandbox.store.addPurchase(item, {
				supported_until: days === null ? null : inDays(days),
				...(code === undefined ? {} : { code }),
			});
		const ending = sell(10);
		const [later, ended, without] = [sell(20), sell(-1), sell(null)];
		const purchaseCodes = [ending, later, ended, without].join(', ');
		const trigger = triggerOn(stage, {
			event: 'supportEnding',
			purchaseCodes,
			options: { emitExisting: '={{ "true" }}' },
		});
		expect(codesOf(await trigger.activate())).toEqual([ending]);
		expect(await trigger.poll()).toEqual([]);
		stage.sandbox.store.removePurchase(later);
		sell(13, later);
		expect(codesOf(await trigger.poll())).toEqual([later]);
		stage.sandbox.store.removePurchase(ending);
		expect(await trigger.poll()).toEqual([]);
		sell(12, ending);
		expect(codesOf(await trigger.poll())).toEqual([ending]);
		expect(await trigger.poll()).toEqual([]);
		// A test shows one that would start the workflow.
		expect([ending, later]).toContain(codesOf(await trigger.test())[0]);
	});

	test('purchaseInvalid: a code that was valid comes once, after two checks in a row', async () => {
		const item = stage.sandbox.store.addItem(stage.storeAccount.id);
		const codes = Array.from({ length: 4 }, () => stage.sandbox.store.addPurchase(item));
		const [refunded = ''] = codes;
		const purchaseCodes = ['never', ...codes].join('\n');
		const trigger = triggerOn(stage, { event: 'purchaseInvalid', purchaseCodes });
		expect(await trigger.activate()).toEqual([]);
		expect(await trigger.poll()).toEqual([]);
		stage.sandbox.store.removePurchase(refunded);
		expect(await trigger.poll()).toEqual([]);
		expect(await trigger.poll()).toMatchObject([
			{ valid: false, purchase_code: refunded, reason: 'Invalid purchase code', item: null },
		]);
		expect(await trigger.poll()).toEqual([]);
		// It is watched again once it is valid again.
		stage.sandbox.store.addPurchase(item, { code: refunded });
		expect(await trigger.poll()).toEqual([]);
		stage.sandbox.store.removePurchase(refunded);
		expect(await trigger.poll()).toEqual([]);
		expect(codesOf(await trigger.poll())).toEqual([refunded]);
		expect(await trigger.test()).toMatchObject([{ is_sample: true }]);
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
		tables.items.change(changed, {
			version: '2.0.0',
			price: { regular: 35, extended: 249 },
		});
		const before = { name: 'Theme', version: '1.0.0', category: 'Themes', price, currency: 'USD' };
		expect(await trigger.poll()).toMatchObject([
			{ id: changed, version: '2.0.0', changed: ['version', 'price'], before },
		]);
		stage.sandbox.clearRequests();
		expect(await trigger.poll()).toEqual([]);
		expect(stage.sandbox.requests).toHaveLength(1);
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
		stage.sandbox.clearRequests();
		expect(await trigger.poll()).toMatchObject([{ balance: 0, change: -30.3 }]);
		expect(stage.sandbox.requests).toHaveLength(1);
		expect(await trigger.poll()).toEqual([]);
		expect(await trigger.test()).toEqual([
			{ balance: 0, balance_before: 0, change: 0, currency: 'USD', is_sample: true },
		]);
	});
});

test.each<[before: IDataObject, now: IDataObject, changed: string[]]>([
	[{ sales: 6 }, { sales: 7 }, []],
	[{ price: { regular: '49.00' } }, { price: { regular: 49 } }, []],
	[{ version: null }, {}, []],
	[{ version: '1.1' }, { version: '1.10' }, ['version']],
])('of an item with %j and then %j, these changed: %j', async (before, now, changed) => {
	let item = { id: 7, ...before };
	await using store = await storeThat(() => ({ body: { status: 'success', items: [item] } }));
	const trigger = triggerAt(store, { event: 'itemUpdated' });
	await trigger.activate();
	item = { id: 7, ...now };
	const records = await trigger.poll();
	expect(records.map((record) => record.changed)).toEqual(changed.length > 0 ? [changed] : []);
});

test('an update is noticed of an item that one poll did not list', async () => {
	const other = { id: 8, version: '1.0' };
	let items = [{ id: 7, version: '1.0' }, other];
	await using store = await storeThat(({ path }) =>
		path.startsWith('/api/items/all') ? { body: { status: 'success', items } } : ACCOUNT,
	);
	const trigger = triggerAt(store, { event: 'itemUpdated' });
	await trigger.activate();
	items = [other];
	expect(await trigger.poll()).toEqual([]);
	items = [{ id: 7, version: '2.0' }, other];
	expect(await trigger.poll()).toMatchObject([{ id: 7, changed: ['version'] }]);
});

test('a balance in another currency is no sale', async () => {
	let data = { balance: 100, currency: 'USD' };
	await using store = await storeThat(() => ({ body: { status: 'success', data } }));
	const trigger = triggerAt(store, { event: 'balanceChanged' });
	await trigger.activate();
	data = { balance: 90, currency: 'EUR' };
	expect(await trigger.poll()).toEqual([]);
	data = { balance: 80, currency: 'EUR' };
	expect(await trigger.poll()).toMatchObject([{ change: -10, currency: 'EUR' }]);
});

describe('purchase codes', () => {
	const stage = onStage(new Stage());
	let item: number;

	beforeEach(() => {
		item = stage.sandbox.store.addItem(stage.storeAccount.id);
		stage.sandbox.clearRequests();
	});

	/** Watches codes for new purchases. */
	const watch = (purchaseCodes: string, options = {}) =>
		triggerOn(stage, { event: 'newPurchase', purchaseCodes, options });

	test('whose check fails end the poll, which names the code and changes no state', async () => {
		const codes = [stage.unique('a'), stage.unique('b')];
		const trigger = watch(codes.join('\n'));
		await trigger.activate();
		const { state } = trigger;
		for (const code of codes) stage.sandbox.store.addPurchase(item, { code });
		stage.sandbox.faults.add({ kind: 'http-500' });
		await expect(trigger.poll()).rejects.toThrow(`(purchase code "${codes[0]}")`);
		expect(trigger.state).toEqual(state);
		expect(codesOf(await trigger.poll())).toEqual(codes);
		expect(await trigger.poll()).toEqual([]);
	});

	test('whose support ended later than the first poll asked for come when it ends soon', async () => {
		const code = stage.sandbox.store.addPurchase(item, { supported_until: inDays(30) });
		const trigger = triggerOn(stage, { event: 'supportEnding', purchaseCodes: code });
		expect(await trigger.activate()).toEqual([]);
		pass(20 * DAY_MS);
		expect(codesOf(await trigger.poll())).toEqual([code]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('take their turn', async () => {
		const codes = Array.from({ length: 5 }, (_, at) => stage.unique(`code-${at}`));
		const trigger = watch(codes.join('\n'), { checksPerPoll: 2 });
		await trigger.activate();
		for (let poll = 0; poll < 4; poll += 1) await trigger.poll();
		expect(checked(stage).sort()).toEqual([...codes, ...codes].sort());
	});

	test('stay as they were if the key is refused in the words for an invalid code', async () => {
		await using other = await Stage.opened({ storeKeyWords: 'endpoint' });
		const { store } = other.sandbox;
		const code = store.addPurchase(store.addItem(other.storeAccount.id));
		const parameters = { event: 'newPurchase', purchaseCodes: `never-1, never-2, ${code}` };
		const trigger = triggerOn(other, parameters);
		await trigger.activate();
		other.sandbox.clearRequests();
		await trigger.poll();
		expect(other.sent().map(({ request }) => request)).toEqual([
			'POST /api/purchases/validation',
			'POST /api/purchases/validation',
			'GET /api/account/details',
		]);
		const { state } = trigger;
		other.sandbox.rotateKey('store', other.storeAccount.id);
		await expect(trigger.poll()).rejects.toThrow(/Invalid request/);
		await expect(trigger.test()).rejects.toThrow(/Invalid request/);
		expect(trigger.state).toEqual(state);
		await expect(triggerOn(other, parameters).activate()).rejects.toThrow(/Invalid request/);
	});

	test('that the store refuses in other words fail a poll and a test, with what to do', async () => {
		const path = '/api/purchases/validation';
		const body = { status: 'error', msg: 'This purchase was refunded' };
		stage.sandbox.faults.add({ kind: 'respond', path, status: 422, body, times: 2 });
		const trigger = watch('bad', { emitExisting: true });
		const message =
			'This purchase was refunded (purchase code "bad"). If these words mean that the code is invalid, enter them as Invalid Code Message in the credential.';
		await expect(trigger.activate()).rejects.toThrow(message);
		await expect(trigger.test()).rejects.toThrow(/^This purchase was refunded/);
		expect(trigger.state).toEqual({});
	});

	test('may come from an expression, as an array', async () => {
		const valid = stage.sandbox.store.addPurchase(item, { date: inDays(-2) });
		const trigger = watch(`={{ ['listed', '${valid}', '', 'listed'] }}`);
		expect(await trigger.activate()).toEqual([]);
		expect(checked(stage)).toEqual(['listed', valid]);
		stage.sandbox.store.addPurchase(item, { code: 'listed' });
		expect(codesOf(await trigger.poll())).toEqual(['listed']);
	});

	test.each([
		[' \n, ', 'There are no purchase codes to watch. Enter them under Purchase Codes.'],
		[Array.from({ length: 1001 }, (_, at) => at).join(), /at most 1000 purchase codes.*1001/],
	])('are at least one and at most 1,000: %#', async (codes, message) => {
		await expect(watch(codes).activate()).rejects.toThrow(message);
		expect(stage.sandbox.requests).toEqual([]);
	});

	test.each([
		['={{ "x" }}', {}, /^Days Before must be a whole number of 0 or more, but is "x"/],
		[14, { checksPerPoll: '={{ "many" }}' }, /^Checks per Poll/],
	])('are not checked with %j days before the end of support and %j', async (...setting) => {
		const [daysBefore, options, message] = setting;
		const parameters = { event: 'supportEnding', purchaseCodes: 'a', daysBefore, options };
		await expect(triggerOn(stage, parameters).activate()).rejects.toThrow(message);
		expect(checked(stage)).toEqual([]);
	});

	test('a test shows a valid purchase, and changes nothing', async () => {
		const newest = stage.sandbox.store.addPurchase(item, { date: inDays(-1) });
		const older = stage.sandbox.store.addPurchase(item, { date: inDays(-9) });
		const trigger = watch([older, 'invalid', newest].join(','));
		const records = await trigger.test();
		expect([newest, older]).toContain(codesOf(records)[0]);
		expect(records[0]).not.toHaveProperty('is_sample');
		expect(trigger.state).toEqual({});
	});
});
