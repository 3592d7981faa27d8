import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { testCredential } from '../helpers/engine.ts';
import { onStage, Stage } from '../helpers/support.ts';

/** With *Known Valid Code*, the credential test finds the place in which the store reads the key. */

const PLACES: Record<string, string> = {
	body: 'Body',
	form: 'Body (Form)',
	header: 'Header',
	query: 'Query',
};

const sell = ({ sandbox, storeAccount }: Stage): string =>
	sandbox.store.addPurchase(sandbox.store.addItem(storeAccount.id));

const testOf = async (stage: Stage, changes: IDataObject) => {
	const data = { ...stage.credentials.storeApi, ...changes } as ICredentialDataDecryptedObject;
	return await testCredential('store', 'storeApi', data);
};

describe.each(Object.keys(PLACES))('a store that takes the key of a POST from: %s', (place) => {
	const dialect = { storeKeyPlace: place as 'body', storeKeyWords: 'endpoint' } as const;
	const stage = onStage(new Stage(dialect));
	// A body is a body here: as JSON, and as a form.
	const isSame = (other: string) => other === place || (place === 'body' && other === 'form');

	test('with the key there, the credential passes; else the test says the place', async () => {
		for (const apiKeyLocation of Object.keys(PLACES)) {
			const tested = await testOf(stage, { apiKeyLocation, knownValidCode: sell(stage) });
			const message = isSame(apiKeyLocation)
				? 'Connection successful!'
				: expect.stringContaining(`Set Send API Key In to ${PLACES[place]}.`);
			expect([apiKeyLocation, tested.message]).toEqual([apiKeyLocation, message]);
		}
	});
});

describe('any store', () => {
	const stage = onStage(new Stage());

	test('gets the key nowhere else without a known code', async () => {
		for (const apiKeyLocation of Object.keys(PLACES)) {
			stage.sandbox.clearRequests();
			expect((await testOf(stage, { apiKeyLocation, apiKey: 'wrong' })).status).toBe('Error');
			expect(stage.sandbox.requests).toHaveLength(1);
		}
	});

	test('may have refunded the known code, which is not repeated', async () => {
		const { message } = await testOf(stage, { knownValidCode: 'refunded-code' });
		expect(message).toMatch(/It may have been refunded, .*; enter another one\.$/);
		expect(message).not.toContain('refunded-code');
	});
});
