import { randomUUID } from 'node:crypto';

import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { Dialect, DialectName } from '../../../sandbox/dialects.ts';
import { translated } from '../../../sandbox/store/texts.ts';
import { testCredential } from '../helpers/engine.ts';
import { byId, like, onStage, Stage } from '../helpers/support.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** A store as it is installed, in three languages, and as its document reads: its words decide nothing. */

const STORES: ReadonlyArray<[string, DialectName | Partial<Dialect>]> = [
	['installed, in Portuguese', { storeLanguage: 'portuguese' }],
	['installed, in German', { storeLanguage: 'german' }],
	['installed, in English', { storeLanguage: 'english' }],
	['documented', 'documented'],
];

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const WRONG_KEY = { apiKey: 'wrong-key' };
const ABOUT_KEY = like(/Check the API key in the credential/);

describe.each(STORES)('a store, %s', (_which, dialect) => {
	const stage = onStage(new Stage(dialect));
	const said = (words: string): string => translated(words, stage.dialect);
	const addItem = (members = {}): number =>
		stage.sandbox.store.addItem(stage.storeAccount.id, members);

	const validate = async (codes: string[], credential: IDataObject = {}) =>
		await stage.store(
			'purchase.validate',
			{ purchaseCode: '={{ $json.code }}' },
			{ rows: codes.map((code) => ({ code })), settings: CONTINUE, credential },
		);

	const triggerOn = (parameters: object, credential: IDataObject = {}) => {
		const storeApi = { ...stage.credentials.storeApi, ...credential };
		return triggersOf('storeTrigger')(
			{ credentials: { storeApi: storeApi as ICredentialDataDecryptedObject } },
			{ ...parameters },
		);
	};

	const testOf = async (credential: IDataObject = {}) => {
		const data = { ...stage.credentials.storeApi, ...credential };
		return await testCredential('store', 'storeApi', data as ICredentialDataDecryptedObject);
	};

	test('valid and invalid codes, in its words', async () => {
		const code = stage.sandbox.store.addPurchase(addItem({ name: 'Theme' }));
		const { json, requests } = await validate([code, randomUUID()]);
		expect(json).toMatchObject([
			{ valid: true, license_type: said('Regular License'), item_name: 'Theme' },
			{ valid: false, reason: said('Invalid purchase code') },
		]);
		expect(requests.map(({ request }) => request)).toEqual([
			'POST /api/purchases/validation',
			'POST /api/purchases/validation',
			'GET /api/account/details',
		]);
	});

	test('no code is invalid with a wrong key', async () => {
		const { json } = await validate([randomUUID(), randomUUID()], WRONG_KEY);
		expect(json.map(({ valid }) => valid)).toEqual([null, null]);
		expect(json[0]).toMatchObject({ error: ABOUT_KEY });
	});

	test('an item that it does not have, in its words, if the key is right', async () => {
		const itemId = byId(987_654);
		const missing = await stage.store('item.get', { itemId });
		expect(missing.error).toMatchObject({ message: said('Item Not Found'), httpCode: '404' });
		const { error } = await stage.store('item.get', { itemId }, { credential: WRONG_KEY });
		expect(error).toMatchObject({ description: ABOUT_KEY });
	});

	test('no items are an empty list, if the key is right', async () => {
		const parameters = { returnAll: true };
		const none = await stage.store('item.getAll', parameters, { settings: CONTINUE });
		expect(none.json).toEqual([]);
		const credential = WRONG_KEY;
		const wrong = await stage.store('item.getAll', parameters, { settings: CONTINUE, credential });
		expect(wrong.json).toEqual([{ error: ABOUT_KEY }]);
		await expect(stage.search('searchItems', { credential })).rejects.toMatchObject({
			description: ABOUT_KEY,
		});
		const trigger = triggerOn({ event: 'newItem' }, credential);
		await expect(trigger.activate()).rejects.toThrow(/Check the API key/);
	});

	test('items in the documented types', async () => {
		addItem();
		addItem({ screenshots: true });
		const { json } = await stage.store('item.getAll', { returnAll: true, simplify: false });
		expect(json).toMatchObject([
			{ tags: ['shop', 'theme'], price: { regular: 29 } },
			{ tags: ['shop', 'theme'], price: { regular: 29 } },
		]);
		expect(json[0]?.media).toMatchObject({ screenshots: [like(/^h/), like(/^h/), like(/^h/)] });
	});

	test('the credential test says if the account lists no items, or whether the key is wrong', async () => {
		const note =
			'Connection successful! This account lists no items: codes are validated only with the key of the account that sells them';
		expect(await testOf()).toEqual({ status: 'OK', message: note });
		addItem();
		addItem();
		expect(await testOf()).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(await testOf(WRONG_KEY)).toEqual({ status: 'Error', message: ABOUT_KEY });
	});

	test('a trigger: a code becomes valid, then invalid', async () => {
		const item = addItem();
		const purchaseCodes = randomUUID();
		const valid = triggerOn({ event: 'newPurchase', purchaseCodes });
		const invalid = triggerOn({ event: 'purchaseInvalid', purchaseCodes });
		expect(await valid.activate()).toEqual([]);
		stage.sandbox.store.addPurchase(item, { code: purchaseCodes });
		expect(await valid.poll()).toMatchObject([{ valid: true, purchase_code: purchaseCodes }]);
		expect(await invalid.activate()).toEqual([]);
		stage.sandbox.store.removePurchase(purchaseCodes);
		expect(await invalid.poll()).toEqual([]);
		expect(await invalid.poll()).toMatchObject([
			{ valid: false, reason: said('Invalid purchase code') },
		]);
	});

	test('a trigger stays as it was if the key is refused', async () => {
		const purchaseCodes = stage.sandbox.store.addPurchase(addItem());
		const trigger = triggerOn({ event: 'purchaseInvalid', purchaseCodes });
		await trigger.activate();
		const { state } = trigger;
		trigger.change({});
		stage.sandbox.rotateKey('store', stage.storeAccount.id);
		await expect(trigger.poll()).rejects.toThrow(/Check the API key/);
		await expect(trigger.test()).rejects.toMatchObject({ description: ABOUT_KEY });
		expect(trigger.state).toEqual(state);
	});
});

describe('a store that does not find the key', () => {
	const stage = onStage(new Stage());

	test('says so of each request, and no code is invalid', async () => {
		const credential = { apiKeyLocation: 'header' };
		const message = 'O campo chave da API é obrigatório.';
		const parameters = { purchaseCode: randomUUID() };
		const validated = await stage.store('purchase.validate', parameters, { credential });
		expect(validated.error).toMatchObject({
			message,
			description: like(/'Send API Key In': .* finds the place/),
		});
		const account = await stage.store('account.get', {}, { credential });
		expect(account.error).toMatchObject({
			message: 'The store refused the API key (O campo chave da API é obrigatório)',
			description: ABOUT_KEY,
		});
	});
});
