import * as fc from 'fast-check';

import { seeded } from '../../../seeds.ts';
import { type ActiveTrigger, DURABLE, makeLinks, triggersOf } from '../../helpers/trigger.ts';
import { idsOf, onStage, Stage, textOf } from '../../helpers/support.ts';

/** A new key or a new address of the same account forgets nothing; another account starts over. */

const stage = onStage(new Stage({ storeLanguage: 'english', noItems: 'error' }));

const NO_ACCOUNT = { kind: 'respond', status: 400, body: { error: 1, message: 'No' } } as const;

type Service = 'link' | 'store';

/** The old key is refused from now on. */
function renewKey(service: Service): void {
	const account = service === 'link' ? stage.linkAccount : stage.storeAccount;
	account.apiKey = stage.sandbox.rotateKey(service, account.id);
}

/** Of each service, an event, and what makes its records. */
const EVENTS: Array<[Service, string, () => unknown]> = [
	['link', 'linkCreated', async () => await makeLinks(stage, 1)],
	['store', 'newItem', () => stage.sandbox.store.addItem(stage.storeAccount.id, { name: 'Item' })],
];

const activated = async (
	service: Service,
	event: string,
	isDurable: boolean,
): Promise<ActiveTrigger> => {
	const type = service === 'link' ? 'linkManagementTrigger' : 'storeTrigger';
	const trigger = triggersOf(type)(stage, { event }, { isDurable });
	expect(await trigger.activate()).toEqual([]);
	return trigger;
};

const CASES = DURABLE.flatMap((isDurable) => EVENTS.map((event) => [isDurable, ...event] as const));

describe.each(CASES)('durable cursors: %s, %s service: %s', (isDurable, service, event, make) => {
	test.each([
		['key', 1],
		['address', 1],
		['account', 0],
	])('with a new %s, so many of what came meanwhile come, once: %i', async (change, count) => {
		await make();
		const trigger = await activated(service, event, isDurable);
		if (change === 'account') stage.enter();
		await make();
		if (change === 'key') {
			renewKey(service);
			await expect(trigger.poll()).rejects.toThrow(/key/i);
		}
		const { credentials } = stage;
		const host = change === 'address' ? 'localhost' : '127.0.0.1';
		for (const credential of Object.values(credentials))
			credential.baseUrl = textOf(credential.baseUrl).replace('127.0.0.1', host);
		trigger.change({ credentials });
		expect(await trigger.poll()).toHaveLength(count);
		expect(await trigger.poll()).toEqual([]);
	});
});

test('the account is asked for once per key, not in each poll', async () => {
	stage.sandbox.clearRequests();
	const trigger = await activated('link', 'linkCreated', false);
	expect(stage.sandbox.requests.map(({ path }) => path)).toEqual(['/api/urls', '/api/account']);
	const asked = async () => {
		stage.sandbox.clearRequests();
		await trigger.poll();
		return stage.sandbox.requests.filter(({ path }) => path === '/api/account').length;
	};
	expect(await asked()).toBe(0);
	renewKey('link');
	trigger.change({ credentials: stage.credentials });
	expect([await asked(), await asked()]).toEqual([1, 0]);
});

test.each([
	['fails to show the account, forgets nothing', { kind: 'http-500', times: 1 }, true, true],
	['may not read the account, starts over', { ...NO_ACCOUNT, times: 9 }, false, false],
] as const)('a new key that %s', async (_what, fault, fails, comes) => {
	const trigger = await activated('link', 'linkCreated', false);
	const made = await makeLinks(stage, 1);
	renewKey('link');
	trigger.change({ credentials: stage.credentials });
	stage.sandbox.faults.add({ ...fault, path: '/api/account' });
	const first = trigger.poll();
	if (fails) await expect(first).rejects.toThrow();
	else expect(await first).toEqual([]);
	expect(idsOf(await trigger.poll())).toEqual(comes ? made : []);
});

test('a key that may not read the account starts a trigger, too', async () => {
	const body = { error: true, message: 'This key may not use this resource.' };
	stage.sandbox.faults.add({ kind: 'respond', path: '/api/account', body, times: 99 });
	const trigger = triggersOf('linkManagementTrigger')(stage, { event: 'linkCreated' });
	await trigger.activate();
	expect(await makeLinks(stage, 1)).toEqual(idsOf(await trigger.poll()));
});

type Step = 'make' | 'poll' | 'new key' | 'late key' | 'fail' | 'restart';

test.each(DURABLE)(
	'links come once each, whatever happens to the key (durable cursors: %s)',
	async (isDurable) => {
		const step = fc.constantFrom<Step[]>('make', 'poll', 'new key', 'late key', 'fail', 'restart');
		const property = fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
			stage.enter();
			await makeLinks(stage, 1);
			const trigger = await activated('link', 'linkCreated', isDurable);
			const made: unknown[] = [];
			const given: unknown[] = [];
			const poll = async () => given.push(...idsOf(await trigger.poll().catch(() => [])));
			// n8n stores the first poll with the first output.
			made.push(...(await makeLinks(stage, 1)));
			await poll();
			for (const each of [...steps, 'make', 'new key', 'poll', 'poll', 'poll'] as const) {
				if (each === 'make') made.push(...(await makeLinks(stage, 1)));
				if (each === 'poll') await poll();
				if (each === 'new key' || each === 'late key') renewKey('link');
				if (each === 'late key') await poll();
				if (each !== 'make' && each !== 'poll') trigger.change({ credentials: stage.credentials });
				if (each === 'fail')
					stage.sandbox.faults.add({ kind: 'http-500', path: '/api/urls', times: 1 });
				if (each === 'restart') trigger.crash();
			}
			expect(given).toEqual(made);
		});
		await fc.assert(property, seeded(25));
	},
);
