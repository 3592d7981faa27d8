import { randomUUID } from 'node:crypto';

import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { Dialect, DialectName } from '../../../sandbox/dialects.ts';
import { ACCOUNT, INVALID, storeThat } from '../helpers/store.ts';
import { like, onStage, Stage } from '../helpers/support.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** Stores in two languages and as the document reads: their words do not decide whether the key or the code is wrong. */

const STORES: ReadonlyArray<[string, DialectName | Partial<Dialect>]> = [
	['installed, in Portuguese', { storeLanguage: 'portuguese' }],
	['installed, in English', { storeLanguage: 'english' }],
	['documented', 'documented'],
];

const WRONG_KEY = { apiKey: 'wrong-key' };
const ABOUT_KEY = like(/Check the API key in the credential/);
const SUCCESS = { status: 'OK', message: 'Connection successful!' };

const sell = ({ sandbox, storeAccount }: Stage): string =>
	sandbox.store.addPurchase(sandbox.store.addItem(storeAccount.id));

const triggerOn = (stage: Stage, parameters: object, credential: IDataObject = {}) => {
	const storeApi = { ...stage.credentials.storeApi, ...credential };
	const credentials = { storeApi: storeApi as ICredentialDataDecryptedObject };
	return triggersOf('storeTrigger')({ credentials }, { ...parameters });
};

describe.each(STORES)('a store, %s', (_which, dialect) => {
	const stage = onStage(new Stage(dialect));

	test('no items may mean a wrong key: dropdown, trigger and credential test say so', async () => {
		const opened = stage.search('searchItems', { credential: WRONG_KEY });
		await expect(opened).rejects.toMatchObject({ description: ABOUT_KEY });
		const trigger = triggerOn(stage, { event: 'newItem' }, WRONG_KEY);
		await expect(trigger.activate()).rejects.toThrow(/Check the API key/);
		expect(await stage.testCredential('store')).toEqual(SUCCESS);
		const refused = { status: 'Error', message: ABOUT_KEY };
		expect(await stage.testCredential('store', WRONG_KEY)).toEqual(refused);
	});

	test('a trigger learns that a code became invalid, but nothing from a refused key', async () => {
		const purchaseCodes = sell(stage);
		const trigger = triggerOn(stage, { event: 'purchaseInvalid', purchaseCodes });
		await trigger.activate();
		const { state } = trigger;
		stage.storeAccount.apiKey = stage.sandbox.rotateKey('store', stage.storeAccount.id);
		await expect(trigger.poll()).rejects.toThrow(/Check the API key/);
		await expect(trigger.test()).rejects.toMatchObject({ description: ABOUT_KEY });
		expect(trigger.state).toEqual(state);
		trigger.change({ credentials: stage.credentials });
		stage.sandbox.store.removePurchase(purchaseCodes);
		expect(await trigger.poll()).toEqual([]);
		expect(await trigger.poll()).toMatchObject([{ valid: false, purchase_code: purchaseCodes }]);
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

/** With *Known Valid Code*, the credential test shows whether the store reads the key in the place of the credential. */
describe('the credential test', () => {
	const PLACES = ['body', 'form', 'header', 'query'] as const;
	const stage = onStage(new Stage());

	test.each(PLACES)('passes with the key in: %s, else names the field', async (place) => {
		await using other = await Stage.opened({ storeKeyPlace: place });
		for (const apiKeyLocation of PLACES) {
			const changes = { apiKeyLocation, knownValidCode: sell(other) };
			const { message } = await other.testCredential('store', changes);
			// A body is a body here: as JSON, and as a form.
			const isSame = apiKeyLocation === place || (place === 'body' && apiKeyLocation === 'form');
			const expected = isSame ? /^Connection successful!$/ : /'Send API Key In'/;
			expect([apiKeyLocation, message]).toEqual([apiKeyLocation, like(expected)]);
		}
	});

	test('sends the key nowhere else without a known code', async () => {
		for (const apiKeyLocation of PLACES) {
			stage.sandbox.clearRequests();
			const changes = { apiKeyLocation, apiKey: 'wrong' };
			expect((await stage.testCredential('store', changes)).status).toBe('Error');
			expect(stage.sandbox.requests).toHaveLength(1);
		}
	});

	test('says nothing of the code while the store is down', async () => {
		const fault = { kind: 'http-503', path: '/api/purchases/validation', times: 99 } as const;
		stage.sandbox.faults.add(fault);
		const { message } = await stage.testCredential('store', { knownValidCode: sell(stage) });
		expect(message).toMatch(/^(?!.*(refuses|refunded)).*status 503/);
	});

	test.each([
		['refunded-code', /refuses the 'Known Valid Code'.*the code was refunded/],
		[`${randomUUID()} ${randomUUID()}`, /^'Known Valid Code' must be one purchase code\.$/],
	])('does not repeat a code that it cannot use: %#', async (knownValidCode, words) => {
		const body = { status: 'error', msg: `No such code: ${knownValidCode}` };
		await using store = await storeThat(({ code }) =>
			code === undefined ? ACCOUNT : { ...INVALID, body },
		);
		const changes = { ...store.credential, knownValidCode, moreSettings: true };
		const { message } = await stage.testCredential('store', changes);
		expect(message).toMatch(words);
		expect(message).not.toContain(knownValidCode);
	});
});
