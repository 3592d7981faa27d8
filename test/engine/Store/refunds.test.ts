import * as fc from 'fast-check';

import { seeded } from '../../seeds.ts';
import { ACCOUNT, INVALID, storeThat, valid } from '../helpers/store.ts';
import { DURABLE, triggersOf } from '../helpers/trigger.ts';

/**
 * *Purchase Code Became Invalid* reports refunds of codes that a check found valid: each once, however many codes there are. It never
 * reports another code, wherever n8n restarts: without durable cursors, n8n stores what polls learn only when the workflow starts,
 * and when a poll returned something.
 */

let store: Awaited<ReturnType<typeof storeThat>>;
let sold = new Set<string>();
/** What a check found valid. */
let seen = new Set<string>();

beforeAll(async () => {
	store = await storeThat(({ code }) => {
		if (code === undefined) return ACCOUNT;
		if (!sold.has(code)) return INVALID;
		seen.add(code);
		return valid(code);
	});
});

afterAll(async () => await store[Symbol.asyncDispose]());

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `code-${at}`);

function watch(codes: string[], checksPerPoll: number, genuine = codes, isDurable = false) {
	sold = new Set(genuine);
	seen = new Set();
	store.asked.length = 0;
	const parametersFor = (list: string[]) => ({
		event: 'purchaseInvalid',
		purchaseCodes: list.join('\n'),
		options: { checksPerPoll },
	});
	const trigger = triggersOf('storeTrigger')(store, parametersFor(codes), { isDurable });
	const reported: unknown[] = [];
	const noting = async (records: ReturnType<typeof trigger.poll>) => {
		reported.push(...(await records).map((record) => record.purchase_code));
	};
	return {
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
			trigger.change({ parameters: parametersFor(list) });
			await noting(trigger.activate());
		},
	};
}

const COUNT = 7;
const REFUND = fc.record({ refund: fc.nat(COUNT - 1) });
const GENUINE = fc.subarray(numbered(COUNT));

const CASES = [
	{ isDurable: false, restarts: false },
	...DURABLE.map((isDurable) => ({ isDurable, restarts: true })),
];

test.each(CASES)('refunds are reported once, and nothing else: %j', async (each) => {
	const { isDurable, restarts } = each;
	const life = fc.constantFrom<Array<'poll' | 'restart'>>('poll', restarts ? 'restart' : 'poll');
	const history = fc.array(fc.oneof(life, REFUND), { maxLength: 25 });
	const property = fc.asyncProperty(GENUINE, history, async (genuine, events) => {
		const { activate, poll, restart, reported } = watch(numbered(COUNT), 2, genuine, isDurable);
		await activate();
		const refunded: string[] = [];
		for (const event of events) {
			if (event === 'poll') await poll();
			else if (event === 'restart') await restart();
			else {
				const code = `code-${event.refund}`;
				if (sold.delete(code) && seen.has(code)) refunded.push(code);
			}
		}
		await poll(10);
		// What was learnt since the last start may be forgotten by a restart.
		const wanted = restarts ? refunded.filter((code) => reported.includes(code)) : refunded;
		expect(reported.toSorted()).toEqual(wanted.toSorted());
	});
	await fc.assert(property, seeded(10));
});

test('a restart after every poll keeps no code from its turn', async () => {
	const { activate, restart } = watch(numbered(10), 2);
	await activate();
	for (let life = 0; life < 5; life += 1) await restart();
	const checked = store.asked.flatMap(({ code = [] }) => code);
	expect(new Set(checked)).toEqual(new Set(numbered(10)));
});

test('codes that are added to the list are reported once a check found them valid', async () => {
	const all = numbered(12);
	const genuine = all.slice(0, 8);
	const { activate, give, poll, reported } = watch(all.slice(0, 2), 3, genuine);
	await activate();
	await give(all);
	await poll(4);
	sold.clear();
	await poll(12);
	expect(reported.toSorted()).toEqual(genuine);
});
