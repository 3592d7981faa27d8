import type { IDataObject } from 'n8n-workflow';

import { onStage, Stage } from '../../helpers/support.ts';
import { CONTINUE, doubtfulCredentials, sell, STORES } from './stores.ts';

/** Purchase > Validate calls no genuine code invalid, whatever the store, and whatever is wrong with the key. */

describe.each(STORES)('%s', (_title, dialect) => {
	let left = Infinity;
	const stage = onStage(
		new Stage(dialect, {
			onRequest: () => {
				left -= 1;
				if (left === 0) stage.sandbox.rotateKey('store', stage.storeAccount.id);
			},
		}),
	);

	beforeEach(() => {
		left = Infinity;
	});

	const validate = async (codes: string[], credential: IDataObject) => {
		const { json } = await stage.store(
			'purchase.validate',
			{ purchaseCode: '={{ $json.code }}' },
			{ ...CONTINUE, rows: codes.map((code) => ({ code })), credential },
		);
		return json.map(({ valid, error }) => valid ?? typeof error);
	};

	describe.each([true, false])('with a known code: %j', (hasKnownCode) => {
		const knownCode = () => (hasKnownCode ? sell(stage) : undefined);

		test('with the right key, codes are told apart', async () => {
			const knownValidCode = knownCode();
			const codes = [sell(stage), 'never', sell(stage), 'neither'];
			const credential = { apiKeyHeader: 'x-api-key', ...(knownValidCode && { knownValidCode }) };
			expect(await validate(codes, credential)).toEqual([true, false, true, false]);
		});

		test('no genuine code is invalid with a key that is refused or in another place', async () => {
			const codes = [sell(stage), sell(stage), sell(stage)];
			for (const credential of doubtfulCredentials(stage, knownCode())) {
				expect([credential, await validate(codes, credential)]).not.toEqual([
					credential,
					expect.arrayContaining([false]),
				]);
			}
		});

		test.each([1, 4, 15])('nor with one that is revoked at request %i', async (at) => {
			const knownValidCode = knownCode();
			const codes = Array.from({ length: 15 }, () => sell(stage));
			left = at;
			const credential = { apiKeyHeader: 'x-api-key', ...(knownValidCode && { knownValidCode }) };
			expect(await validate(codes, credential)).not.toContain(false);
		});
	});
});
