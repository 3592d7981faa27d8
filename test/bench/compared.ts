import { randomUUID } from 'node:crypto';

import { DEMO } from '../../sandbox/demo.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { OwnN8n } from '../e2e/ownN8n.ts';
import type { Step } from '../e2e/workflow.ts';
import { byId, link, purchase, webhookChain } from '../e2e/workflow.ts';
import { sandboxCredentials } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';

/** Ours and n8n's HTTP Request node, doing the same for the same rows. */
interface Comparison {
	what: string;
	/** Makes what a run needs, and gives the row of a number. */
	row: (number: number, sandbox: Sandbox) => JsonRecord;
	ours: Step;
	theirs: (baseUrls: Pick<Sandbox, 'linkUrl' | 'storeUrl'>) => Step;
	/** Time ÷ theirs that ours may take */
	most: number;
	/** Default: one per item. */
	requests?: number;
}

const ROUNDS = 5;
const ITEMS = 500;
const NODE = 'Node';

/** What a user would take instead of the nodes: n8n's own HTTP Request node, with the same credential. */
function httpRequest(credential: string, url: string, body?: Record<string, string>): Step {
	const parameters = Object.entries(body ?? {}).map(([name, value]) => ({ name, value }));
	return {
		name: NODE,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			method: body ? 'POST' : 'GET',
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credential,
			...(body ? { sendBody: true, bodyParameters: { parameters } } : {}),
		},
	};
}

const COMPARISONS: Comparison[] = [
	{
		what: `Link > Get, ${ITEMS} items`,
		row: (id) => ({ id }),
		ours: link(NODE, 'get', { linkId: byId('={{ $json.id }}') }),
		theirs: ({ linkUrl }) => httpRequest('linkManagementApi', `=${linkUrl}/api/url/{{ $json.id }}`),
		most: 0.85,
	},
	{
		what: `Link > Create, ${ITEMS} items`,
		// Page 1 of the list says which links are older than the run.
		requests: ITEMS + 1,
		row: (number) => ({ url: `https://example.com/${number}` }),
		ours: link(NODE, 'create', { url: '={{ $json.url }}' }),
		theirs: ({ linkUrl }) =>
			httpRequest('linkManagementApi', `${linkUrl}/api/url/add`, { url: '={{ $json.url }}' }),
		most: 1,
	},
	{
		what: `Purchase > Validate, ${ITEMS} valid codes`,
		row: (_number, sandbox) => ({
			code: sandbox.store.addPurchase(DEMO.itemId, { code: randomUUID() }),
		}),
		ours: purchase(NODE, 'validate', { purchaseCode: '={{ $json.code }}' }),
		theirs: ({ storeUrl }) =>
			httpRequest('storeApi', `${storeUrl}/api/purchases/validation`, {
				purchase_code: '={{ $json.code }}',
			}),
		most: 0.8,
	},
];

/**
 * A real n8n with the packed package, and the services, which let everything through, in this process, which does nothing
 * else while n8n is measured. @returns cells of the table in BENCHMARKS.md
 */
export async function compared(): Promise<string[][]> {
	await using stack = new AsyncDisposableStack();
	const services = { seed: ITEMS, rateLimit: { requests: 0, windowSeconds: 60 } };
	const n8n = await OwnN8n.open(stack, { name: 'bench', sandbox: services });
	const credentials = sandboxCredentials(n8n.sandbox, { requestsPerMinute: 0 });
	n8n.credentials = await n8n.client.createCredentials(credentials);
	const rows: string[][] = [];
	for (const comparison of COMPARISONS) rows.push(await measure(n8n, comparison));
	return rows;
}

/** Runs as in production: published, and called by a webhook. @returns runs the step to its end with these rows */
async function published(n8n: OwnN8n, step: Step) {
	const { client } = n8n;
	const path = randomUUID();
	const id = await client.publish(n8n.ready(webhookChain(path, path, 'lastNode', [step])));
	return async (rows: JsonRecord[]) => {
		await client.callWebhook(path, { rows });
		const [newest] = await client.allEnded(id, 1);
		return await client.finished(String(newest?.id));
	};
}

async function measure(n8n: OwnN8n, comparison: Comparison): Promise<string[]> {
	const { what, row, ours, theirs, most, requests = ITEMS } = comparison;
	const { sandbox } = n8n;
	let sent = 0;
	/** @returns runs the step, and gives the milliseconds that n8n counts for an item */
	const timed = async (step: Step) => {
		const run = await published(n8n, step);
		return async (): Promise<number> => {
			const given = Array.from({ length: ITEMS }, (_, index) => row(index + 1, sandbox));
			sandbox.clearRequests();
			const result = await run(given);
			if (result.items(NODE).length !== ITEMS) throw new Error(`${what}: other items came`);
			if (step === ours) sent = sandbox.requests.length;
			return Number(result.runs[NODE]?.[0]?.executionTime) / ITEMS;
		};
	};
	const { mine, others } = await inTurns(await timed(ours), await timed(theirs(sandbox)));
	const ratios = mine.map((ms, round) => ms / Number(others[round])).sort((a, b) => a - b);
	const [least, greatest] = [ratios[0], ratios.at(-1)].map((ratio) => Number(ratio).toFixed(2));
	const wanted = `at most ${most.toFixed(2)}, ${requests} requests`;
	return [
		what,
		`${inMs(mine)}; ÷ theirs: ${median(ratios).toFixed(2)} (${least} to ${greatest})`,
		inMs(others),
		median(ratios) <= most && sent === requests ? wanted : `${wanted}: missed`,
	];
}

/**
 * In turns, every other round the other way round, so that whatever slows the machine down befalls both. A first round, in
 * which everything is loaded, does not count.
 */
async function inTurns(ours: () => Promise<number>, theirs: () => Promise<number>) {
	const mine: number[] = [];
	const others: number[] = [];
	for (let round = 0; round <= ROUNDS; round += 1) {
		if (round % 2 === 1) others.push(await theirs());
		mine.push(await ours());
		if (round % 2 === 0) others.push(await theirs());
	}
	return { mine: mine.slice(1), others: others.slice(1) };
}

const median = (values: number[]): number =>
	Number(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]);

const inMs = (times: number[]): string => `${median(times).toFixed(2)} ms an item`;
