import type { IDataObject } from 'n8n-workflow';

import { serve } from '../../loopback.ts';
import { clock } from '../helpers/clock.ts';
import { triggersOf } from '../helpers/trigger.ts';
import { inContrastingDialects, onStage, Stage } from '../helpers/support.ts';

const DAY_MS = 86_400_000;

const triggerOn = triggersOf('storeTrigger');

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
		const server = await serve((_request, response) => {
			response.end(JSON.stringify({ status: 'success', items }));
		});
		const storeApi = { baseUrl: server.url, apiKey: 'key', requestsPerMinute: 0 };
		const trigger = triggersOf('storeTrigger')({ credentials: { storeApi } }, { event: 'newItem' });
		expect(await trigger.activate()).toEqual([]);
		items.push({ id: 7 }, { id: 7 });
		expect(await trigger.poll()).toEqual([{ id: 7 }]);
		items.splice(0, 2, { id: 6 });
		expect(await trigger.poll()).toEqual([{ id: 6 }]);
		items.push({ id: 5 });
		expect(await trigger.poll()).toEqual([]);
		await server.stop();
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
});

inContrastingDialects((stage) => {
	test('purchaseInvalid: a code that was valid comes once, after two checks in a row', async () => {
		const item = stage.sandbox.store.addItem(stage.storeAccount.id);
		const codes = Array.from({ length: 4 }, () => stage.sandbox.store.addPurchase(item));
		const [refunded = ''] = codes;
		const purchaseCodes = ['never', ...codes].join('\n');
		const trigger = triggerOn(stage, {
			event: 'purchaseInvalid',
			purchaseCodes,
			options: { checksPerPoll: 5 },
		});
		expect(await trigger.activate()).toEqual([]);
		expect(await trigger.poll()).toEqual([]);
		stage.sandbox.store.removePurchase(refunded);
		trigger.change({
			parameters: { event: 'purchaseInvalid', purchaseCodes, options: { checksPerPoll: 1 } },
		});
		const found: IDataObject[] = [];
		let checks = 0;
		while (found.length === 0 && checks < 2) {
			stage.sandbox.clearRequests();
			found.push(...(await trigger.poll()));
			if (checked(stage).includes(refunded)) checks += 1;
		}
		expect(checks).toBe(2);
		expect(found).toMatchObject([
			{ valid: false, purchase_code: refunded, reason: 'Invalid purchase code', item: null },
		]);
		for (let poll = 0; poll < 6; poll += 1) expect(await trigger.poll()).toEqual([]);
		// It is watched again once it is valid again.
		stage.sandbox.store.addPurchase(item, { code: refunded });
		for (let poll = 0; poll < 6; poll += 1) expect(await trigger.poll()).toEqual([]);
		stage.sandbox.store.removePurchase(refunded);
		const later = [];
		for (let poll = 0; poll < 12; poll += 1) later.push(...(await trigger.poll()));
		expect(codesOf(later)).toEqual([refunded]);
		expect(await trigger.test()).toMatchObject([{ valid: false, is_sample: true }]);
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
			tags: ['theme'],
		});
		const before = { name: 'Theme', version: '1.0.0', category: 'Themes', price, currency: 'USD' };
		expect(await trigger.poll()).toMatchObject([
			{ id: changed, version: '2.0.0', changed: ['version', 'price', 'tags'], before },
		]);
		stage.sandbox.clearRequests();
		expect(await trigger.poll()).toEqual([]);
		expect(stage.sandbox.requests).toHaveLength(1);
		tables.items.change(other, { description: 'Another text' });
		expect(await trigger.poll()).toMatchObject([{ id: other, changed: ['description'] }]);
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

describe('items that are watched for updates', () => {
	const stage = onStage(new Stage());

	/** A store with one item, which a test changes. */
	async function watched(first: IDataObject) {
		let item = first;
		const server = await serve((_request, response) => {
			response.end(JSON.stringify({ status: 'success', items: [item] }));
		});
		const storeApi = { baseUrl: server.url, apiKey: 'key', requestsPerMinute: 0 };
		const trigger = triggerOn({ credentials: { storeApi } }, { event: 'itemUpdated' });
		await trigger.activate();
		const change = (next: IDataObject) => {
			item = next;
		};
		return { trigger, change, [Symbol.asyncDispose]: async () => await server.stop() };
	}

	test.each<[before: IDataObject, now: IDataObject]>([
		[{ sales: 6 }, { sales: 7 }],
		[
			{ media: { thumbnail: 'https://m.example/a?sig=1' } },
			{ media: { thumbnail: 'https://m.example/a?sig=2' } },
		],
		[{ description: null }, {}],
	])('%j and then %j do not start the workflow', async (before, now) => {
		await using store = await watched({ id: 7, ...before });
		const { state } = store.trigger;
		store.change({ id: 7, ...now });
		expect(await store.trigger.poll()).toEqual([]);
		expect(store.trigger.state).toEqual(state);
	});

	test.each<[name: string, before: IDataObject[string], now: IDataObject[string]]>([
		['version', '1.1', '1.10'],
		['version', '1.0.0', null],
		['price', { regular: 49 }, { regular: 49.01 }],
		['tags', ['a', 'b'], ['a']],
		['name', 'Theme', 'theme'],
		['media', { thumbnail: 'https://a.example/1' }, { thumbnail: 'https://a.example/2' }],
		['published_at', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'],
	])('%s: %j and then %j does', async (name, before, now) => {
		await using store = await watched({ id: 7, [name]: before });
		store.change({ id: 7, [name]: now });
		expect((await store.trigger.poll()).map(({ changed }) => changed)).toEqual([[name]]);
	});

	test('are known when they are listed again, and take less than 300 bytes of state each', async () => {
		const { store, tables } = stage.sandbox;
		for (let at = 0; at < 199; at += 1) store.addItem(stage.storeAccount.id);
		const away = store.addItem(stage.storeAccount.id, { name: 'Away' });
		const trigger = triggerOn(stage, { event: 'itemUpdated' });
		await trigger.activate();
		expect(JSON.stringify(trigger.state).length / 200).toBeLessThan(300);
		tables.items.move(away, 0);
		expect(await trigger.poll()).toEqual([]);
		tables.items.move(away, stage.storeAccount.id);
		tables.items.change(away, { version: '3.0.0' });
		expect(await trigger.poll()).toMatchObject([{ id: away, changed: ['version'] }]);
	});
});

describe('a balance', () => {
	const balanceTriggerOf = (baseUrl: string) => {
		const storeApi = { baseUrl, apiKey: 'key', requestsPerMinute: 0 };
		return triggersOf('storeTrigger')({ credentials: { storeApi } }, { event: 'balanceChanged' });
	};

	test.each<[what: string, account: IDataObject, message: RegExp]>([
		['missing', { currency: 'USD' }, /has no "balance"/],
		['no number', { balance: 'much', currency: 'USD' }, /has no "balance"/],
	])('that is %s fails the poll', async (_what, data, message) => {
		const server = await serve((_request, response) => {
			response.end(JSON.stringify({ status: 'success', data }));
		});
		const trigger = balanceTriggerOf(server.url);
		await expect(trigger.activate()).rejects.toThrow(message);
		await server.stop();
	});

	test('in another currency is a new beginning', async () => {
		let data = { balance: '1.00', currency: 'USD' };
		const server = await serve((_request, response) => {
			response.end(JSON.stringify({ status: 'success', data }));
		});
		const trigger = balanceTriggerOf(server.url);
		await trigger.activate();
		data = { balance: '90.00', currency: 'EUR' };
		expect(await trigger.poll()).toEqual([]);
		data = { balance: '91.50', currency: 'EUR' };
		expect(await trigger.poll()).toMatchObject([{ balance: 91.5, change: 1.5, currency: 'EUR' }]);
		await server.stop();
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

	test('take their turn', async () => {
		const codes = Array.from({ length: 5 }, (_, at) => stage.unique(`code-${at}`));
		const trigger = watch(codes.join('\n'), { checksPerPoll: 2 });
		await trigger.activate();
		for (let poll = 0; poll < 4; poll += 1) await trigger.poll();
		expect(checked(stage).sort()).toEqual([...codes, ...codes].sort());
	});

	test.each(['http-503', 'drop-before'] as const)(
		'keep their turn if the store is down: %s',
		async (kind) => {
			const codes = Array.from({ length: 4 }, (_, at) => stage.unique(`code-${at}`));
			const trigger = watch(codes.join('\n'), { checksPerPoll: 2 });
			await trigger.activate();
			const { state } = trigger;
			stage.sandbox.faults.add({ kind, times: 999 });
			await expect(trigger.poll()).rejects.toThrow(/not available|the connection was closed/);
			expect(trigger.state).toEqual(state);
		},
	);

	describe('that are invalid in the words that a wrong key gets', () => {
		const other = onStage(new Stage({ storeKeyWords: 'endpoint' }));
		const watchThere = (purchaseCodes: string, credential: IDataObject = {}) => {
			const storeApi = { ...other.credentials.storeApi, ...credential };
			return triggersOf('storeTrigger')(
				{ credentials: { storeApi } as typeof other.credentials },
				{ event: 'newPurchase', purchaseCodes, options: { emitExisting: true } },
			);
		};
		const sell = () =>
			other.sandbox.store.addPurchase(other.sandbox.store.addItem(other.storeAccount.id));

		test('stay as they were if the key is refused, also in a test run', async () => {
			const code = sell();
			const trigger = watchThere(code);
			expect(codesOf(await trigger.activate())).toEqual([code]);
			trigger.change({ parameters: { event: 'newPurchase', purchaseCodes: `${code}, never` } });
			const { state } = trigger;
			other.sandbox.rotateKey('store', other.storeAccount.id);
			await expect(trigger.poll()).rejects.toThrow(/Invalid request/);
			await expect(trigger.test()).rejects.toThrow(/Invalid request/);
			expect(trigger.state).toEqual(state);
		});

		test('cost one request more in a poll, and none if a valid code came last', async () => {
			const codes = ['never-1', 'never-2', sell()];
			const trigger = watchThere(codes.join());
			await trigger.activate();
			other.sandbox.clearRequests();
			await trigger.poll();
			const sent = other.sandbox.requests.map(({ path }) => path);
			expect(sent.filter((path) => path === '/api/account/details')).toHaveLength(1);
			expect(sent).toHaveLength(3);
		});

		test('are errors if the key is in the wrong place, and a code is known', async () => {
			const trigger = watchThere(sell(), { apiKeyLocation: 'header', knownValidCode: sell() });
			await expect(trigger.activate()).rejects.toThrow(/Known Valid Code|Invalid request/);
		});
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

	test('work where the store has other words for an invalid code', async () => {
		await using other = await Stage.opened({ purchasePlace: 'purchase' });
		const { store, faults } = other.sandbox;
		const body = { status: 'error', msg: 'Código de compra inválido' };
		faults.add({ kind: 'respond', path: '/api/purchases/validation', status: 404, body });
		const code = store.addPurchase(store.addItem(other.storeAccount.id));
		const { storeApi } = other.credentials;
		const invalidCodeMessage = 'Código de compra inválido.';
		const trigger = triggerOn(
			{ credentials: { storeApi: { ...storeApi, invalidCodeMessage } } },
			{ event: 'newPurchase', purchaseCodes: `never, ${code}`, options: { emitExisting: true } },
		);
		expect(codesOf(await trigger.activate())).toEqual([code]);
	});

	test('may come from an expression, as an array', async () => {
		const valid = stage.sandbox.store.addPurchase(item, { date: inDays(-2) });
		const trigger = watch(`={{ ['listed', '${valid}', '', 'listed'] }}`);
		expect(await trigger.activate()).toEqual([]);
		expect(checked(stage)).toEqual(['listed', valid]);
		stage.sandbox.store.addPurchase(item, { code: 'listed' });
		expect(codesOf(await trigger.poll())).toEqual(['listed']);
	});

	test('may be none for a while, and are known when they are there again', async () => {
		const code = stage.sandbox.store.addPurchase(item, { date: inDays(-2) });
		const trigger = watch(code);
		await trigger.activate();
		for (const purchaseCodes of [' ', code, `${code}, other`]) {
			trigger.change({ parameters: { event: 'newPurchase', purchaseCodes } });
			expect(await trigger.poll()).toEqual([]);
		}
	});

	test('are not checked any more once the key is refused', async () => {
		const trigger = watch('a, b, c');
		await trigger.activate();
		stage.sandbox.rotateKey('store', stage.storeAccount.id);
		stage.sandbox.clearRequests();
		await expect(trigger.poll()).rejects.toThrow(/API key/);
		expect(checked(stage)).toHaveLength(1);
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
		[1.5, {}, /^Days Before/],
		[-1, {}, /^Days Before/],
		[14, { checksPerPoll: '={{ "many" }}' }, /^Checks per Poll/],
	])('are not checked with %j days before the end of support and %j', async (...setting) => {
		const [daysBefore, options, message] = setting;
		const parameters = { event: 'supportEnding', purchaseCodes: 'a', daysBefore, options };
		await expect(triggerOn(stage, parameters).activate()).rejects.toThrow(message);
		expect(checked(stage)).toEqual([]);
	});

	test('an event that there is not is refused', async () => {
		const activated = triggerOn(stage, { event: 'newOrder' }).activate();
		await expect(activated).rejects.toThrow('There is no event "newOrder". Pick one from the list');
	});

	test('a wrong key keeps the workflow from being activated, also if no code is valid', async () => {
		const trigger = watch('a');
		const { storeApi } = stage.credentials;
		trigger.change({ credentials: { storeApi: { ...storeApi, apiKey: 'wrong-key' } } });
		await expect(trigger.activate()).rejects.toThrow();
		expect(trigger.state).toEqual({});
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
