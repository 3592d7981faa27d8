import type { Send, ServiceResponse } from '../../../../dist/nodes/shared/http/exchange.js';
import { Claims } from '../../../../dist/nodes/shared/operations/claims.js';
import type { ItemAccess } from '../../../../dist/nodes/shared/operations/item.js';
import { Item } from '../../../../dist/nodes/shared/operations/item.js';
import { KeyProof } from '../../../../dist/nodes/shared/operations/keyProof.js';
import { Steps } from '../../../../dist/nodes/shared/operations/steps.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';

/** What an operation can use at the turn of an item. */

const ok = { body: {}, answeredAt: 0 } as ServiceResponse;

/** The second item of a run, at its turn for up to 5 seconds; the time is 100. */
function itemOf() {
	const claims = new Claims();
	const keyProof = new KeyProof(() => undefined);
	const limits: number[] = [];
	const time = { now: 100 };
	const send: Send = async () => await Promise.resolve(ok);
	const proofReads = {
		send,
		within: async (until: number, work: () => Promise<unknown>) => {
			limits.push(until);
			return await work();
		},
	};
	const access = {
		connection: { clock: { now: () => time.now } },
		form: { references: { id: (name: string) => name.length } },
		shared: { claims, keyProof, proofReads, send: async () => await Promise.resolve(ok) },
		web: {},
	} as unknown as ItemAccess;
	const steps = new Steps();
	return { item: new Item(access, 1, steps, 5000), steps, claims, keyProof, limits, send, time };
}

test('it knows the ids of the records that were picked', () => {
	expect(itemOf().item.id('abc')).toBe(3);
});

test('it claims what it changes', () => {
	const { item, claims } = itemOf();
	item.claim({ key: 'a', what: 'Alias a', content: 'x' });
	expect(() => claims.take(2, { key: 'a', what: 'Alias a', content: 'y' })).toThrow(
		'Alias a is already in item 2',
	);
});

test('its results wait for a proof of the key, within its own limit', async () => {
	const { item, steps, limits, send } = itemOf();
	const asked: unknown[] = [];
	item.awaitProof(async (by) => await Promise.resolve(asked.push(by)));
	expect(await steps.proved([{ json: {} }])).toEqual([{ json: {} }]);
	expect([asked, limits]).toEqual([[send], [5100]]);
});

test('another row may prove it', async () => {
	const { item, steps, keyProof, limits } = itemOf();
	item.beginProof()();
	item.awaitProof(async () => await Promise.reject(new Error('not asked')));
	keyProof.begin()();
	expect(await steps.proved([])).toEqual([]);
	expect(limits).toEqual([]);
});

test('at the end of the run, asking has a limit of its own, and says that it ended', async () => {
	const { item, steps, keyProof, limits, time } = itemOf();
	item.beginProof()();
	const late = new Failure({ kind: 'outOfTime', message: 'Full' });
	item.awaitProof(async () => await Promise.reject(late));
	time.now = 700;
	await keyProof.end();
	expect(await steps.proved([])).toMatchObject({
		message: 'Not finished in time (Wait at Most, 5 s): Full',
	});
	expect(limits).toEqual([5700]);
});
