import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { onStage, Stage } from '../../helpers/support.ts';
import { triggersOf } from '../../helpers/trigger.ts';
import { doubtfulCredentials, sell, STORES } from './stores.ts';

/** No event of the Store Trigger calls a genuine code invalid, whatever the store, and whatever is wrong with the key. */

const EVENTS = ['newPurchase', 'purchaseInvalid', 'supportEnding'];

describe.each(STORES)('%s', (_title, dialect) => {
	const stage = onStage(new Stage(dialect));

	const watch = (event: string, codes: string[], credential: IDataObject) => {
		const storeApi = {
			...stage.credentials.storeApi,
			...credential,
		} as ICredentialDataDecryptedObject;
		return triggersOf('storeTrigger')(
			{ credentials: { storeApi } },
			{ event, purchaseCodes: codes.join('\n'), options: { emitExisting: true } },
		);
	};

	type Polled = Promise<IDataObject[]>;

	/** What starts the workflow; a poll that fails starts nothing. */
	const started = async (polled: Polled): Polled => await polled.catch(() => []);

	describe.each([true, false])('with a known code: %j', (hasKnownCode) => {
		const base = (): IDataObject => ({
			apiKeyHeader: 'x-api-key',
			...(hasKnownCode && { knownValidCode: sell(stage) }),
		});

		test.each(EVENTS)('%s says nothing once the key is revoked', async (event) => {
			const codes = [sell(stage), sell(stage)];
			const trigger = watch(event, codes, base());
			await trigger.activate();
			stage.sandbox.rotateKey('store', stage.storeAccount.id);
			for (let poll = 0; poll < 3; poll += 1) {
				expect(await started(trigger.poll())).toEqual([]);
			}
		});

		test('none does with a key that is refused or in another place', async () => {
			const codes = [sell(stage), sell(stage)];
			const knownValidCode = hasKnownCode ? sell(stage) : undefined;
			// Each credential with one of the events.
			const credentials = doubtfulCredentials(stage, knownValidCode);
			for (const [at, credential] of credentials.entries()) {
				const trigger = watch(EVENTS[at % EVENTS.length] ?? '', codes, credential);
				const records = await started(trigger.activate());
				records.push(...(await started(trigger.poll())));
				expect([credential, records.filter(({ valid }) => valid !== true)]).toEqual([
					credential,
					[],
				]);
			}
		});

		test('a refund is told from it', async () => {
			const [code = '', other = ''] = [sell(stage), sell(stage)];
			const trigger = watch('purchaseInvalid', [code, other], base());
			await trigger.activate();
			stage.sandbox.store.removePurchase(code);
			expect(await trigger.poll()).toEqual([]);
			expect(await trigger.poll()).toMatchObject([{ valid: false, purchase_code: code }]);
			expect(await trigger.poll()).toEqual([]);
		});
	});
});
