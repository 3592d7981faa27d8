import { randomUUID } from 'node:crypto';

import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Step } from '../e2e/workflow.ts';
import { linksOf } from '../e2e/stage.ts';
import { byId, link, purchase, ROWS, splitOut } from '../e2e/workflow.ts';
import { demoAccess } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import type { Bench } from './bench.ts';
import { inTurns, MERGE, millisecondsOf, NO_LIMIT } from './bench.ts';
import { EVERY_PAGE, httpRequest } from './httpRequest.ts';
import type { Section } from './report.ts';
import { always, atMost, counted, differing, median, withSpread } from './report.ts';

/** Ours and what a user would take instead, doing the same for the same rows. */
interface Comparison {
	what: string;
	rounds: number;
	/** Links that the account has */
	links?: number;
	/** Makes what a run needs, and gives its rows. */
	rows?: (sandbox: Sandbox) => JsonRecord[] | Promise<JsonRecord[]>;
	ours: Step[];
	theirs: (baseUrls: Pick<Sandbox, 'linkUrl' | 'storeUrl'>) => Step[];
	/** Different items that come of it */
	different: number;
	/** Requests that ours may send */
	requests: number;
	/** Time ÷ theirs that ours may take */
	most?: number;
}

const ITEMS = 1000;
const PER_PAGE = 100;

/** After a full page the nodes read another one, in case the service's count is outdated. */
const pagesRead = (links: number): number => Math.floor(links / PER_PAGE) + 1;
const CODES = 500;
const REPEATED_CODES = 50;
const NODE = 'Node';

const NUMBERS = Array.from({ length: ITEMS }, (_, index) => index + 1);
const EACH_ITEM = { rounds: 5, links: ITEMS, requests: ITEMS };

/** An account in which nobody looks a link up by hand. */
const LARGE = { links: 10_000, rounds: 3 };
const LOOKED_UP = 500;
const SYNCED = 1000;
const CHANGED = 10;

/** What today's users put before a lookup: all links, once. */
const allLinks: Step = { ...link('All links', 'getAll', { returnAll: true }), executeOnce: true };

const code = (name: string, jsCode: string): Step => ({
	name,
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode },
});

const byAlias =
	"const byAlias = new Map($('All links').all().map(({ json }) => [json.alias, json]));";
const withLinks = `const rows = $('${ROWS}').all().map(({ json }) => ({ json: { ...byAlias.get(json.alias), ...json } }));`;

const MERGE_BY_ALIAS: Step = {
	name: NODE,
	type: MERGE,
	typeVersion: 3.2,
	parameters: {
		mode: 'combine',
		combineBy: 'combineByFields',
		fieldsToMatchString: 'alias',
		joinMode: 'enrichInput2',
	},
};

const IF_CHANGED: Step = {
	name: 'Changed',
	type: 'n8n-nodes-base.if',
	typeVersion: 2.2,
	parameters: {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			combinator: 'and',
			conditions: [
				{
					leftValue: '={{ $json.url }}',
					rightValue: '={{ $json.longurl }}',
					operator: { type: 'string', operation: 'notEquals' },
				},
			],
		},
	},
};

async function someLinks(sandbox: Sandbox, count: number): Promise<JsonRecord[]> {
	const all = await linksOf(demoAccess(sandbox));
	// An alias alone names a link on the service's own domain.
	const links = all.filter(({ shorturl }) => String(shorturl).startsWith(sandbox.linkUrl));
	const step = Math.floor(links.length / count);
	return links.filter((_link, at) => at % step === 0).slice(0, count);
}

const BY_NAME: Comparison[] = [
	{
		...LARGE,
		what: `Link > Get by alias, ${LOOKED_UP} items of ${counted(LARGE.links)} links`,
		rows: async (sandbox) => await someLinks(sandbox, LOOKED_UP),
		ours: [
			link(NODE, 'get', { linkId: { __rl: true, mode: 'alias', value: '={{ $json.alias }}' } }),
		],
		theirs: () => [
			allLinks,
			code('Match', `${byAlias} ${withLinks} return rows;`),
			link(NODE, 'get', { linkId: byId('={{ $json.id }}') }),
		],
		different: LOOKED_UP,
		// The last of them is on page 95.
		requests: 95 + LOOKED_UP,
	},
	{
		...LARGE,
		what: `Link > Create or Update, ${counted(SYNCED)} items, ${CHANGED} of them changed, of ${counted(LARGE.links)} links`,
		rows: async (sandbox) =>
			(await someLinks(sandbox, SYNCED)).map(({ alias, longurl }, at) => ({
				alias,
				url: at % (SYNCED / CHANGED) === 0 ? `https://example.com/${randomUUID()}` : longurl,
			})),
		ours: [link(NODE, 'upsert', { mappingMode: 'autoMapInputData' })],
		theirs: ({ linkUrl }) => [
			{
				...httpRequest('Pages', { url: `${linkUrl}/api/urls`, options: EVERY_PAGE }),
				executeOnce: true,
			},
			splitOut('All links', 'data.urls'),
			MERGE_BY_ALIAS,
			IF_CHANGED,
			httpRequest('Update', {
				method: 'PUT',
				url: `=${linkUrl}/api/url/{{ $json.id }}/update`,
				body: { url: '={{ $json.url }}' },
			}),
		],
		different: SYNCED,
		requests: pagesRead(LARGE.links) + CHANGED,
	},
];

const COMPARISONS: Comparison[] = [
	...BY_NAME,
	...[
		{ links: 10_000, rounds: 5 },
		{ links: 100_000, rounds: 3 },
	].map(({ links, rounds }) => ({
		what: `Link > Get Many, ${counted(links)} links`,
		rounds,
		links,
		ours: [link(NODE, 'getAll', { returnAll: true })],
		theirs: ({ linkUrl }: Pick<Sandbox, 'linkUrl'>) => [
			httpRequest('Pages', { url: `${linkUrl}/api/urls`, options: EVERY_PAGE }),
			splitOut(NODE, 'data.urls'),
		],
		different: links,
		requests: pagesRead(links),
		most: 1,
	})),
	{
		...EACH_ITEM,
		what: `Link > Get, ${counted(ITEMS)} items`,
		rows: () => NUMBERS.map((id) => ({ id })),
		ours: [link(NODE, 'get', { linkId: byId('={{ $json.id }}') })],
		theirs: ({ linkUrl }) => [httpRequest(NODE, { url: `=${linkUrl}/api/url/{{ $json.id }}` })],
		different: ITEMS,
		most: 1,
	},
	{
		...EACH_ITEM,
		what: `Link > Get, ${counted(ITEMS)} items, with a fixed ID`,
		rows: () => NUMBERS.map((id) => ({ id })),
		ours: [link(NODE, 'get', { linkId: byId('1') })],
		theirs: ({ linkUrl }) => [httpRequest(NODE, { url: `${linkUrl}/api/url/1` })],
		different: 1,
	},
	{
		...EACH_ITEM,
		what: `Link > Create, ${counted(ITEMS)} items`,
		rows: () => NUMBERS.map((number) => ({ url: `https://example.com/${number}` })),
		ours: [link(NODE, 'create', { url: '={{ $json.url }}' })],
		theirs: ({ linkUrl }) => [
			httpRequest(NODE, {
				method: 'POST',
				url: `${linkUrl}/api/url/add`,
				body: { url: '={{ $json.url }}' },
			}),
		],
		different: ITEMS,
	},
	{
		what: `Purchase > Validate, ${CODES} valid codes, ${REPEATED_CODES} of which come twice`,
		rounds: 5,
		rows(sandbox) {
			const codes = Array.from({ length: CODES - REPEATED_CODES }, () =>
				sandbox.store.addPurchase(1, { code: randomUUID() }),
			);
			return [...codes, ...codes.slice(0, REPEATED_CODES)].map((code) => ({ code }));
		},
		ours: [purchase(NODE, 'validate', { purchaseCode: '={{ $json.code }}' })],
		theirs: ({ storeUrl }) => [
			httpRequest(NODE, {
				credential: 'storeApi',
				method: 'POST',
				url: `${storeUrl}/api/purchases/validation`,
				body: { purchase_code: '={{ $json.code }}' },
			}),
		],
		different: CODES - REPEATED_CODES,
		requests: CODES,
	},
];

export const compared: Section = {
	title: 'Beside the HTTP Request node',
	async run(bench) {
		const measured = [];
		for (const comparison of COMPARISONS) {
			measured.push({ ...comparison, ...(await measure(bench, comparison)) });
		}
		return {
			table: {
				head: ['What', 'Requests', 'Theirs', 'Time ÷ theirs', 'ms per item', 'Theirs'],
				rows: measured.map(({ what, items, ours, theirs }) => [
					what,
					...[ours, theirs].map((runs) => differing(runs.map(({ requests }) => requests))),
					withSpread(ratiosOf(ours, theirs)),
					...[ours, theirs].map((runs) => (median(runs.map(({ ms }) => ms)) / items).toFixed(2)),
				]),
			},
			targets: measured.flatMap(({ what, requests, most, ours, theirs }) => {
				const sent = ours.map((run) => run.requests);
				const count = always(`${what}: requests`, requests, sent);
				if (most === undefined) return [count];
				return [count, atMost(`${what}: time ÷ HTTP Request`, most, ratiosOf(ours, theirs))];
			}),
		};
	},
};

interface Run {
	requests: number;
	/** Of all steps */
	ms: number;
}

/** Of each round, ours ÷ theirs. */
const ratiosOf = (ours: Run[], theirs: Run[]): number[] =>
	ours.map(({ ms }, round) => ms / Number(theirs[round]?.ms));

async function measure(bench: Bench, { what, links, rounds, different, ...more }: Comparison) {
	const sandbox = await bench.sandbox({ seed: links ?? 'demo', rateLimit: NO_LIMIT });
	await bench.connect(demoAccess(sandbox), 0);
	let items = 0;
	const timed = async (steps: Step[]) => {
		const run = await bench.publish(steps);
		return async (): Promise<Run> => {
			const rows = (await more.rows?.(sandbox)) ?? [{}];
			sandbox.clearRequests();
			const result = await run(rows);
			const given = result.items(NODE).map(({ json }) => JSON.stringify(json));
			items = given.length;
			if (new Set(given).size !== different) throw new Error(`${what}: other items came`);
			const ms = millisecondsOf(result, ...steps.map(({ name }) => name));
			return { requests: sandbox.requests.length, ms };
		};
	};
	const ways = [await timed(more.ours), await timed(more.theirs(sandbox))];
	const [ours = [], theirs = []] = await inTurns(rounds, ways);
	return { items, ours, theirs };
}
