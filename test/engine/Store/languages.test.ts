import { randomUUID } from 'node:crypto';

import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { Dialect, DialectName } from '../../../sandbox/dialects.ts';
import { translated } from '../../../sandbox/store/texts.ts';
import { like, onStage, Stage } from '../helpers/support.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** A store as it is installed, in two languages, and as its document reads: its words decide nothing. */

const STORES: ReadonlyArray<[string, DialectName | Partial<Dialect>]> = [
	['installed, in Portuguese', { storeLanguage: 'portuguese' }],
	['installed, in English', { storeLanguage: 'english' }],
	['documented', 'documented'],
];

const WRONG_KEY = { apiKey: 'wrong-key' };
const ABOUT_KEY = like(/Check the API key in the credential/);

describe.each(STORES)('a store, %s', (_which, dialect) => {
	const stage = onStage(new Stage(dialect));
	const said = (words: string): string => translated(words, stage.dialect);
	const addItem = (): number => stage.sandbox.store.addItem(stage.storeAccount.id);

	const triggerOn = (parameters: object, credential: IDataObject = {}) => {
		const storeApi = { ...stage.credentials.storeApi, ...credential };
		return triggersOf('storeTrigger')(
			{ credentials: { storeApi: storeApi as ICredentialDataDecryptedObject } },
			{ ...parameters },
		);
	};

	test('no items may mean a wrong key, for a dropdown and for a trigger', async () => {
		const opened = stage.search('searchItems', { credential: WRONG_KEY });
		await expect(opened).rejects.toMatchObject({ description: ABOUT_KEY });
		const trigger = triggerOn({ event: 'newItem' }, WRONG_KEY);
		await expect(trigger.activate()).rejects.toThrow(/Check the API key/);
	});

	test('the credential test says whether the key is wrong', async () => {
		expect(await stage.testCredential('store')).toEqual({
			status: 'OK',
			message: 'Connection successful!',
		});
		expect(await stage.testCredential('store', WRONG_KEY)).toEqual({
			status: 'Error',
			message: ABOUT_KEY,
		});
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

test('a store that does not find the key says so of each request, and no code is invalid', async () => {
	await using stage = await Stage.opened();
	const credential = { apiKeyLocation: 'header' };
	const message = 'O campo chave da API é obrigatório.';
	const parameters = { purchaseCode: randomUUID() };
	const validated = await stage.store('purchase.validate', parameters, { credential });
	expect(validated.error).toMatchObject({
		message,
		description: like(/'Send API Key In' under 'More Settings': .* finds the place/),
	});
	const account = await stage.store('account.get', {}, { credential });
	expect(account.error).toMatchObject({
		message: 'The store refused the API key (O campo chave da API é obrigatório)',
		description: ABOUT_KEY,
	});
});
