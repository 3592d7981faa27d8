import { randomUUID } from 'node:crypto';

import { DEMO } from '../../sandbox/demo.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Step } from '../e2e/workflow.ts';
import { byId, link, purchase, splitOut } from '../e2e/workflow.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { type Bench, inTurns, millisecondsOf, NO_LIMIT } from './bench.ts';
import { EVERY_PAGE, httpRequest } from './httpRequest.ts';
import { counted, type Figure, median, withSpread } from './report.ts';

/** Ours and n8n's HTTP Request node, doing the same for the same rows. */
interface Comparison {
	what: string;
	/** Links that the account has */
	links?: number;
	/** Makes what a run needs, and gives its rows. */
	rows?: (sandbox: Sandbox) => JsonRecord[];
	ours: Step;
	theirs: (baseUrls: Pick<Sandbox, 'linkUrl' | 'storeUrl'>) => Step[];
	/** Items that come of it, and requests that ours sends */
	items: number;
	requests: number;
	/** Time ÷ theirs that ours may take */
	most: number;
}

const ROUNDS = 5;
const ITEMS = 500;
const LISTED = 10_000;
const NODE = 'Node';

const NUMBERS = Array.from({ length: ITEMS }, (_, index) => index + 1);

const COMPARISONS: Comparison[] = [
	{
		what: `Link > Get, ${ITEMS} items`,
		links: ITEMS,
		rows: () => NUMBERS.map((id) => ({ id })),
		ours: link(NODE, 'get', { linkId: byId('={{ $json.id }}') }),
		theirs: ({ linkUrl }) => [httpRequest(NODE, { url: `=${linkUrl}/api/url/{{ $json.id }}` })],
		items: ITEMS,
		requests: ITEMS,
		most: 0.85,
	},
	{
		what: `Link > Create, ${ITEMS} items`,
		rows: () => NUMBERS.map((number) => ({ url: `https://example.com/${number}` })),
		ours: link(NODE, 'create', { url: '={{ $json.url }}' }),
		theirs: ({ linkUrl }) => [
			httpRequest(NODE, {
				method: 'POST',
				url: `${linkUrl}/api/url/add`,
				body: { url: '={{ $json.url }}' },
			}),
		],
		items: ITEMS,
		requests: ITEMS,
		most: 1,
	},
	{
		what: `Purchase > Validate, ${ITEMS} valid codes`,
		rows: (sandbox) =>
			NUMBERS.map(() => ({ code: sandbox.store.addPurchase(DEMO.itemId, { code: randomUUID() }) })),
		ours: purchase(NODE, 'validate', { purchaseCode: '={{ $json.code }}' }),
		theirs: ({ storeUrl }) => [
			httpRequest(NODE, {
				credential: 'storeApi',
				method: 'POST',
				url: `${storeUrl}/api/purchases/validation`,
				body: { purchase_code: '={{ $json.code }}' },
			}),
		],
		items: ITEMS,
		requests: ITEMS,
		most: 0.8,
	},
	{
		what: `Link > Get Many, ${counted(LISTED)} links`,
		links: LISTED,
		ours: link(NODE, 'getAll', { returnAll: true }),
		theirs: ({ linkUrl }) => [
			httpRequest('Pages', { url: `${linkUrl}/api/urls`, options: EVERY_PAGE }),
			splitOut(NODE, 'data.urls'),
		],
		items: LISTED,
		requests: LISTED / 100,
		most: 1,
	},
];

/** Both nodes in turns, for services without a rate limit. */
export async function compared(bench: Bench): Promise<Figure[]> {
	const figures: Figure[] = [];
	for (const comparison of COMPARISONS) figures.push(await measure(bench, comparison));
	return figures;
}

async function measure(bench: Bench, comparison: Comparison): Promise<Figure> {
	const { what, links, rows, ours, theirs, items, requests, most } = comparison;
	const sandbox = await bench.sandbox({ seed: links ?? 'demo', rateLimit: NO_LIMIT });
	await bench.connect(sandbox, 0);
	let sent = 0;
	/** @returns runs the steps, and gives the milliseconds that n8n counts for them */
	const timed = async (steps: Step[]) => {
		const run = await bench.publish(steps);
		return async (): Promise<number> => {
			const given = rows?.(sandbox) ?? [{}];
			sandbox.clearRequests();
			const result = await run(given);
			if (result.items(NODE).length !== items) throw new Error(`${what}: other items came`);
			if (steps[0] === ours) sent = sandbox.requests.length;
			return millisecondsOf(result, ...steps.map(({ name }) => name));
		};
	};
	const ways = [await timed([ours]), await timed(theirs(sandbox))];
	const [mine = [], others = []] = await inTurns(ROUNDS, ways);
	const ratios = mine.map((ms, round) => ms / Number(others[round]));
	const perItem = (times: number[]) => `${(median(times) / items).toFixed(2)} ms an item`;
	return {
		what,
		ours: `${perItem(mine)}; ÷ theirs: ${withSpread(ratios)}`,
		theirs: perItem(others),
		wanted: `at most ${most.toFixed(2)}, ${counted(requests)} requests`,
		holds: median(ratios) <= most && sent === requests,
	};
}
