import * as fc from 'fast-check';

import { serve } from '../../loopback.ts';
import { HAS_DURABLE_POLLS, triggersOf } from '../helpers/trigger.ts';

/**
 * *Purchase Code Became Invalid* reports every refund once, however many codes there are, and wherever n8n restarts: without
 * durable cursors, n8n stores what polls learn only when the workflow starts, and when a poll returned something.
 */

interface Store {
	sold: Set<string>;
	url: string;
	/** The codes that were validated, in this order. */
	checked: string[];
}

const store: Store = { sold: new Set(), url: '', checked: [] };
let stop: () => Promise<void>;

beforeAll(async () => {
	const server = await serve((request, response) => {
		let text = '';
		request.on('data', (chunk) => (text += String(chunk)));
		request.on('end', () => {
			const isAccount = request.url?.startsWith('/api/account') === true;
			const { purchase_code: code = '' } = JSON.parse(text || '{}') as { purchase_code?: string };
			if (!isAccount) store.checked.push(code);
			const purchase = { purchase_code: code, date: '2020-01-01T00:00:00Z' };
			const isValid = isAccount || store.sold.has(code);
			response.writeHead(isValid ? 200 : 404, { 'content-type': 'application/json' });
			const data = isAccount ? { username: 'dana' } : { purchase };
			const msg = 'Invalid purchase code';
			response.end(
				JSON.stringify(isValid ? { status: 'success', data } : { status: 'error', msg }),
			);
		});
	});
	store.url = server.url;
	stop = async () => await server.stop();
});

afterAll(async () => await stop());

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `code-${at}`);

function watch(codes: string[], checksPerPoll = 25, isDurable = false, given = codes) {
	store.sold = new Set(codes);
	store.checked = [];
	const credentials = {
		storeApi: { baseUrl: store.url, apiKey: 'refunds-key', requestsPerMinute: 0 },
	};
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
		/** Another list: edited by hand, so that n8n activates the workflow again, or from an expression. */
		give: async (list: string[], { isActivated = true } = {}) => {
			const purchaseCodes = list.join('\n');
			trigger.change({ parameters: { ...parameters, purchaseCodes } });
			await noting(isActivated ? trigger.activate() : trigger.poll());
		},
	};
}

test.each([
	[26, 0, 1],
	[26, 2, 1],
	[100, 4, 3],
])('%i codes, all refunded after %i polls, a restart %i polls later', async (count, ...polls) => {
	const [before, after] = polls;
	const codes = numbered(count);
	const { activate, poll, restart, reported } = watch(codes);
	await activate();
	await poll(before);
	store.sold.clear();
	await poll(after);
	await restart();
	await poll(2 * Math.ceil(count / 25) + 2);
	expect(reported.toSorted()).toEqual(codes.toSorted());
	await restart();
	await poll(5);
	expect(reported).toHaveLength(count);
});

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
						store.sold.delete(`code-${event.refund}`);
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
	expect(new Set(store.checked)).toEqual(new Set(numbered(10)));
});

test('codes that are added to the list count as valid from then on, also those that wait for their turn', async () => {
	const all = numbered(12);
	const { activate, give, poll, restart, reported } = watch(all, 3, false, all.slice(0, 2));
	await activate();
	await give(all);
	await poll(2);
	store.sold.clear();
	await restart();
	await poll(12);
	expect(reported.toSorted()).toEqual(all.toSorted());
});
