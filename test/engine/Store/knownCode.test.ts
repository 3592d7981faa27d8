import { ACCOUNT, storeThat } from '../helpers/store.ts';
import { like, onStage, Stage } from '../helpers/support.ts';

/** With *Known Valid Code*, the credential test shows whether the store reads the key in the place of the credential. */

const PLACES = ['body', 'form', 'header', 'query'];

const sell = ({ sandbox, storeAccount }: Stage): string =>
	sandbox.store.addPurchase(sandbox.store.addItem(storeAccount.id));

describe.each(PLACES)('a store that takes the key from: %s', (place) => {
	const dialect = { storeKeyPlace: place as 'body', storeKeyWords: 'endpoint' } as const;
	const stage = onStage(new Stage(dialect));
	// A body is a body here: as JSON, and as a form.
	const isSame = (other: string) => other === place || (place === 'body' && other === 'form');

	test('with the key there, the credential passes; else the test names the field', async () => {
		for (const apiKeyLocation of PLACES) {
			const tested = await stage.testCredential('store', {
				apiKeyLocation,
				knownValidCode: sell(stage),
			});
			const message = isSame(apiKeyLocation) ? /^Connection successful!$/ : /'Send API Key In'/;
			expect([apiKeyLocation, tested.message]).toEqual([apiKeyLocation, like(message)]);
		}
	});
});

describe('any store', () => {
	const stage = onStage(new Stage());

	test('gets the key nowhere else without a known code', async () => {
		for (const apiKeyLocation of PLACES) {
			stage.sandbox.clearRequests();
			expect(
				(await stage.testCredential('store', { apiKeyLocation, apiKey: 'wrong' })).status,
			).toBe('Error');
			expect(stage.sandbox.requests).toHaveLength(1);
		}
	});

	test('may be down when the code is checked, which says nothing of the code', async () => {
		const fault = { kind: 'http-503', path: '/api/purchases/validation', times: 99 } as const;
		stage.sandbox.faults.add(fault);
		const { message } = await stage.testCredential('store', { knownValidCode: sell(stage) });
		expect(message).toMatch(/status 503/);
		expect(message).not.toMatch(/refuses|refunded/);
	});

	test('may have refunded the known code, which is not repeated', async () => {
		const knownValidCode = 'refunded-code';
		await using store = await storeThat(({ path }) =>
			path.startsWith('/api/purchases')
				? { status: 404, body: { status: 'error', msg: `No such code: ${knownValidCode}` } }
				: ACCOUNT,
		);
		const { message } = await stage.testCredential('store', {
			...store.credential,
			knownValidCode,
		});
		expect(message).toMatch(/refuses the 'Known Valid Code'.*the code was refunded/);
		expect(message).not.toContain(knownValidCode);
	});
});
