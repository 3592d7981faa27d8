import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../helpers/store.ts';
import { ACCOUNT, INVALID, storeThat, valid } from '../helpers/store.ts';
import { testOfDurablePolls, triggersOf } from '../helpers/trigger.ts';
import { byId, inContrastingDialects, onStage, Stage } from '../helpers/support.ts';

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
	test('newItem: items that were there are noted, new ones come once', async () => {
		const trigger = triggerOn(stage, { event: 'newItem' });
		await expect(trigger.test()).rejects.toMatchObject({
			message: 'There is nothing to show yet',
			description: 'Create a record first, or publish the workflow and wait',
		});
		const add = (name: string) => stage.sandbox.store.addItem(stage.storeAccount.id, { name });
		const idsOf = (records: IDataObject[]) => records.map(({ id }) => id);
		const old = ['Old', 'Older'].map(add);
		expect(await trigger.activate()).toEqual([]);
		const ids = ['New', 'Newer', 'Newest'].map(add);
		expect(idsOf(await trigger.test())).toEqual(ids.slice(-1));
		expect(idsOf(await trigger.poll())).toEqual(ids);
		const all = triggerOn(stage, { event: 'newItem', options: { emitExisting: true } });
		expect(idsOf(await all.activate())).toEqual([...old, ...ids]);
		stage.sandbox.clearRequests();
		expect(await trigger.poll()).toEqual([]);
		expect(stage.sandbox.requests).toHaveLength(1);
	});

	test('newItem: an item comes once, also if it is listed twice, after one with a higher ID, or is missing meanwhile', async () => {
		const items: IDataObject[] = [{ id: 5 }, { id: 1_000_000_000 }];
		await using store = await storeThat(() => ({ body: { status: 'success', items } }));
		const trigger = triggerOn(store, { event: 'newItem' });
		expect(await trigger.activate()).toEqual([]);
		items.push({ id: 7 }, { id: 7 });
		expect(await trigger.poll()).toEqual([{ id: 7 }]);
		items.splice(0, 2, { id: 6 });
		expect(await trigger.poll()).toEqual([{ id: 6 }]);
		items.push({ id: 5 });
		expect(await trigger.poll()).toEqual([]);
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

test.each(['', 'unlimited'])('balanceChanged: a balance of %j is an error', async (balance) => {
	await using store = await storeThat(() => ({ body: { status: 'success', data: { balance } } }));
	const trigger = triggerOn(store, { event: 'balanceChanged' });
	await expect(trigger.activate()).rejects.toThrow(/^The response has no "balance"/);
});

test.each<[before: IDataObject, now: IDataObject, changed: string[]]>([
	[{ sales: 6 }, { sales: 7 }, []],
	[{ price: { regular: 29, extended: 249 } }, { price: { extended: 249, regular: 29 } }, []],
	[{ price: { regular: '49.00' } }, { price: { regular: 49 } }, []],
	[{ version: null }, {}, []],
	[{ version: '1.1' }, { version: '1.10' }, ['version']],
])('of an item with %j and then %j, these changed: %j', async (before, now, changed) => {
	let item = { id: 7, ...before };
	await using store = await storeThat(() => ({ body: { status: 'success', items: [item] } }));
	const trigger = triggerOn(store, { event: 'itemUpdated' });
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
	const trigger = triggerOn(store, { event: 'itemUpdated' });
	await trigger.activate();
	items = [other];
	expect(await trigger.poll()).toEqual([]);
	items = [{ id: 7, version: '2.0' }, other];
	expect(await trigger.poll()).toMatchObject([{ id: 7, changed: ['version'] }]);
});

test('a balance in another currency is no sale', async () => {
	let data = { balance: 100, currency: 'USD' };
	await using store = await storeThat(() => ({ body: { status: 'success', data } }));
	const trigger = triggerOn(store, { event: 'balanceChanged' });
	await trigger.activate();
	data = { balance: 90, currency: 'EUR' };
	expect(await trigger.poll()).toEqual([]);
	data = { balance: 80, currency: 'EUR' };
	expect(await trigger.poll()).toMatchObject([{ change: -10, currency: 'EUR' }]);
});

describe('Item Updated, where the store lists none', () => {
	const stage = onStage(new Stage());
	const requests = () => stage.sent().map(({ request }) => request);

	test('watches one item that was picked, in one request', async () => {
		const { store, tables } = stage.sandbox;
		const [only, other] = ['Only', 'Other'].map((name) =>
			store.addItem(stage.storeAccount.id, { name }),
		);
		const trigger = triggerOn(stage, { event: 'itemUpdated', itemId: byId(String(only)) });
		expect(await trigger.activate()).toEqual([]);
		tables.items.change(other, { version: '2.0.0' });
		stage.sandbox.clearRequests();
		expect(await trigger.poll()).toEqual([]);
		expect(requests()).toEqual(['GET /api/items/item']);
		tables.items.remove(other);
		tables.items.change(only, { version: '2.0.0' });
		expect(await trigger.poll()).toMatchObject([{ id: only, changed: ['version'] }]);
	});

	test.each([
		[byId(987_654), /^Item não encontrado/],
		[byId('x'), /^'Item' must be a positive whole number, but is "x"/],
	])('fails with %j', async (itemId, message) => {
		const trigger = triggerOn(stage, { event: 'itemUpdated', itemId });
		await expect(trigger.activate()).rejects.toThrow(message);
	});
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

	/** Codes that are not sold yet. */
	const unsold = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

	const sell = (code: string, members = {}): string =>
		stage.sandbox.store.addPurchase(item, { code, ...members });

	test('take their turn, although the first one fails in every poll', async () => {
		const [broken = '', ...others] = unsold(5);
		const trigger = watch([broken, ...others].join('\n'), { checksPerPoll: 2 });
		await trigger.activate();
		sell(broken, { broken: true });
		stage.sandbox.clearRequests();
		for (let poll = 0; poll < 5; poll += 1) await trigger.poll().catch(() => undefined);
		const counts = [broken, ...others].map(
			(code) => checked(stage).filter((each) => each === code).length,
		);
		expect(counts).toEqual([2, 2, 2, 2, 2]);
	});

	test.each<[how: string, answer: (code: string) => Answer, message: RegExp]>([
		[
			'unknown words',
			() => refusal(422, 'Refunded'),
			/^Refunded \(purchase code ".*0001"\)\. If these words .* 'Invalid Code Message'/,
		],
		['a page of 500', () => ({ status: 500, body: '<html>' }), /web page.*0001"/],
		['status 410', () => refusal(410, 'Deleted'), /^Deleted \(purchase code ".*0001"\)/],
		['the purchase of another code', () => valid('other'), /another code \(purchase.*0001"/],
	])('go on if one gets %s for ever, in the first poll, too', async (_how, answer, message) => {
		const [bad = '', ...good] = [1, 2, 3].map((at) => `00000000-0000-4000-8000-00000000000${at}`);
		await using store = await storeThat(({ code = '' }) =>
			code === '' ? ACCOUNT : code === bad ? answer(code) : valid(code),
		);
		const purchaseCodes = [bad, ...good].join('\n');
		const parameters = { event: 'newPurchase', purchaseCodes };
		const emitting = triggerOn(store, { ...parameters, options: { emitExisting: true } });
		expect(codesOf(await emitting.activate())).toEqual(good);
		await expect(emitting.poll()).rejects.toThrow(message);
		const trigger = triggerOn(store, parameters);
		await expect(trigger.activate()).rejects.toThrow(message);
		expect(codesOf(await trigger.test())).toEqual(good.slice(-1));
	});

	testOfDurablePolls('go on if one gets no response for ever', async () => {
		const [bad = '', good = ''] = unsold(2);
		let isSold = false;
		await using store = await storeThat(async ({ code }) => {
			if (code === undefined) return ACCOUNT;
			if (!isSold) return INVALID;
			return code === bad ? await new Promise<never>(() => undefined) : valid(code);
		});
		const parameters = { event: 'newPurchase', purchaseCodes: `${bad}\n${good}` };
		const trigger = triggerOn(store, parameters, { budgetMs: 2000 });
		await trigger.activate();
		isSold = true;
		const first = await trigger.poll().catch(() => []);
		const second = await trigger.poll().catch(() => []);
		expect(codesOf([...first, ...second])).toEqual([good]);
	});

	test.each([0, 1])('are checked one by one with %i checks per poll', async (checksPerPoll) => {
		const codes = unsold(2);
		const trigger = watch(codes.join('\n'), { checksPerPoll });
		await trigger.activate();
		await trigger.poll();
		expect(checked(stage)).toEqual(codes);
	});

	test('count as existing if the first poll does not reach them', async () => {
		const codes = unsold(3);
		for (const code of codes) sell(code);
		const parameters = { event: 'newPurchase', purchaseCodes: codes.join('\n') };
		const trigger = triggerOn(stage, { ...parameters, options: { checksPerPoll: 1 } });
		expect(await trigger.activate()).toEqual([]);
		expect(await trigger.poll()).toEqual([]);
		expect(await trigger.poll()).toEqual([]);
	});

	test.each([
		[' \n, ', "There are no purchase codes to watch. Enter them under 'Purchase Codes'."],
		[Array.from({ length: 1001 }, (_, at) => at).join(), /at most 1000 purchase codes.*1001/],
	])('are at least one and at most 1,000: %#', async (codes, message) => {
		await expect(watch(codes).activate()).rejects.toThrow(message);
		expect(stage.sandbox.requests).toEqual([]);
	});

	test.each([
		['={{ "x" }}', {}, /^'Days Before' must be a whole number of 0 or more, but is "x"/],
		[14, { checksPerPoll: '={{ "many" }}' }, /^'Checks per Poll'/],
	])('are not checked with %j days before the end of support and %j', async (...setting) => {
		const [daysBefore, options, message] = setting;
		const parameters = { event: 'supportEnding', purchaseCodes: 'a', daysBefore, options };
		await expect(triggerOn(stage, parameters).activate()).rejects.toThrow(message);
		expect(checked(stage)).toEqual([]);
	});

	test('a test shows a valid purchase, or a sample of what would start no workflow', async () => {
		const code = stage.sandbox.store.addPurchase(item);
		const [invalid = ''] = unsold(1);
		const trigger = watch(`${invalid},${code}`);
		expect(codesOf(await trigger.test())).toEqual([code]);
		expect(trigger.state).toEqual({});
		const testOf = async (event: string, purchaseCodes: string) =>
			await triggerOn(stage, { event, purchaseCodes, daysBefore: 14 }).test();
		const sample = { is_sample: true, purchase_code: code };
		expect(await testOf('supportEnding', code)).toMatchObject([sample]);
		const invalidSample = { is_sample: true, purchase_code: invalid, valid: false };
		expect(await testOf('purchaseInvalid', invalid)).toMatchObject([invalidSample]);
		await expect(watch(invalid).test()).rejects.toThrow('There is nothing to show yet');
	});
});
