import * as fc from 'fast-check';

import { ACCOUNT, INVALID, storeThat, valid } from '../helpers/store.ts';
import { HAS_DURABLE_POLLS, triggersOf } from '../helpers/trigger.ts';

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

function watch(codes: string[], checksPerPoll = 25, isDurable = false, genuine = codes) {
	sold = new Set(genuine);
	seen = new Set();
	store.asked.length = 0;
	const parameters = {
		event: 'purchaseInvalid',
		purchaseCodes: codes.join('\n'),
		options: { checksPerPoll },
	};
	const trigger = triggersOf('storeTrigger')(store, parameters, { isDurable });
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
const POLL = fc.constant('poll' as const);
const RESTART = fc.constant('restart' as const);
const REFUND = fc.record({ refund: fc.nat(COUNT - 1) });
/** Which of the codes are genuine. */
const GENUINE = fc.subarray(numbered(COUNT));
const LONGEST = { maxLength: 25 };
/** Of all properties, so that a failure comes again. */
const RUNS = { seed: Number(process.env.SEED ?? 654), numRuns: Number(process.env.RUNS ?? 10) };

type Event = 'poll' | 'restart' | { refund: number };

/** A trigger that lives through these events. @returns what it reported, and what of the refunds it had found valid */
async function lived(genuine: string[], events: Event[], isDurable = false) {
	const { activate, poll, restart, reported } = watch(numbered(COUNT), 2, isDurable, genuine);
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
	return { reported: reported.toSorted(), refunded: refunded.toSorted() };
}

test('every refund of a code that was found valid is reported once, and nothing else', async () => {
	const history = fc.array(fc.oneof(POLL, REFUND), LONGEST);
	await fc.assert(
		fc.asyncProperty(GENUINE, history, async (genuine, events) => {
			const { reported, refunded } = await lived(genuine, events);
			expect(reported).toEqual(refunded);
		}),
		RUNS,
	);
});

test.each(HAS_DURABLE_POLLS ? [false, true] : [false])(
	'with restarts anywhere, no other code is reported, and none twice, with durable cursors: %j',
	async (isDurable) => {
		const history = fc.array(fc.oneof(POLL, RESTART, REFUND), LONGEST);
		await fc.assert(
			fc.asyncProperty(GENUINE, history, async (genuine, events) => {
				const { reported, refunded } = await lived(genuine, events, isDurable);
				expect(refunded).toEqual(expect.arrayContaining(reported));
				expect(new Set(reported).size).toBe(reported.length);
			}),
			RUNS,
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

test('codes that are added to the list are reported once a check found them valid', async () => {
	const all = numbered(12);
	const { activate, give, poll, reported } = watch(all.slice(0, 2), 3, false, all.slice(0, 8));
	await activate();
	await give(all);
	await poll(4);
	sold.clear();
	await poll(12);
	expect(reported.toSorted()).toEqual(all.slice(0, 8));
});
