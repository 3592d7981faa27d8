import * as fc from 'fast-check';

import { ACCOUNT, INVALID, storeThat, valid } from '../helpers/store.ts';
import { HAS_DURABLE_POLLS, triggersOf } from '../helpers/trigger.ts';

/**
 * *Purchase Code Became Invalid* reports every refund once, however many codes there are, and wherever n8n restarts: without
 * durable cursors, n8n stores what polls learn only when the workflow starts, and when a poll returned something.
 */

let store: Awaited<ReturnType<typeof storeThat>>;
let sold = new Set<string>();

beforeAll(async () => {
	store = await storeThat(({ code }) => {
		if (code === undefined) return ACCOUNT;
		return sold.has(code) ? valid(code) : INVALID;
	});
});

afterAll(async () => await store[Symbol.asyncDispose]());

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `code-${at}`);

function watch(codes: string[], checksPerPoll = 25, isDurable = false, given = codes) {
	sold = new Set(codes);
	store.asked.length = 0;
	const credentials = { storeApi: store.credential };
	const parameters = {
		event: 'purchaseInvalid',
		purchaseCodes: given.join('\n'),
		options: { checksPerPoll },
	};
	const trigger = triggersOf('storeTrigger')({ credentials }, parameters, { isDurable });
	const reported: unknown[] = [];
	const noting = async (records: ReturnType<typeof trigger.poll>) => {
		reported.push(...(await records).map((record) => record.purchase_code));
	};
	return {
		trigger,
		reported,
		activate: async () => await noting(trigger.activate()),
		poll: async (times = 1) => {
			for (let poll = 0; poll < times; poll += 1) await noting(trigger.poll());
		},
		restart: async () => {
			trigger.crash();
			await noting(trigger.activate());
		},
		/** Another list, edited by hand, so that n8n activates the workflow again. */
		give: async (list: string[]) => {
			const purchaseCodes = list.join('\n');
			trigger.change({ parameters: { ...parameters, purchaseCodes } });
			await noting(trigger.activate());
		},
	};
}

const COUNT = 7;
const HISTORY = fc.array(
	fc.oneof(
		fc.constant('poll' as const),
		fc.constant('restart' as const),
		fc.record({ refund: fc.nat(COUNT - 1) }),
	),
	{ maxLength: 25 },
);

test.each(HAS_DURABLE_POLLS ? [false, true] : [false])(
	'any refunds with restarts anywhere are reported once, with durable cursors: %j',
	async (isDurable) => {
		await fc.assert(
			fc.asyncProperty(HISTORY, async (history) => {
				const { activate, poll, restart, reported } = watch(numbered(COUNT), 2, isDurable);
				await activate();
				// n8n does not store a first poll without output with durable cursors.
				if (isDurable) await poll();
				const refunded = new Set<string>();
				for (const event of history) {
					if (event === 'poll') await poll();
					else if (event === 'restart') await restart();
					else {
						refunded.add(`code-${event.refund}`);
						sold.delete(`code-${event.refund}`);
					}
				}
				await poll(16);
				expect(reported.toSorted()).toEqual([...refunded].toSorted());
			}),
			{ numRuns: 20 },
		);
	},
);

test('a restart after every poll keeps no code from its turn', async () => {
	const { activate, restart } = watch(numbered(10), 2);
	await activate();
	for (let life = 0; life < 5; life += 1) await restart();
	const checked = store.asked.flatMap(({ code = [] }) => code);
	expect(new Set(checked)).toEqual(new Set(numbered(10)));
});

test('codes that are added to the list count as valid from then on, also those that wait for their turn', async () => {
	const all = numbered(12);
	const { activate, give, poll, restart, reported } = watch(all, 3, false, all.slice(0, 2));
	await activate();
	await give(all);
	await poll(2);
	sold.clear();
	await restart();
	await poll(12);
	expect(reported.toSorted()).toEqual(all.toSorted());
});
