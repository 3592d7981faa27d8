import { randomUUID } from 'node:crypto';

import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Step } from '../e2e/workflow.ts';
import { linksOf } from '../e2e/stage.ts';
import { byId, link, purchase, splitOut } from '../e2e/workflow.ts';
import { DEMO } from '../../sandbox/demo.ts';
import { demoAccess } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import type { Bench } from './bench.ts';
import { inTurns, millisecondsOf, NO_LIMIT } from './bench.ts';
import { EVERY_PAGE, httpRequest } from './httpRequest.ts';
import type { Section, Target } from './report.ts';
import { always, atMost, counted, differing, median, ratios, withSpread } from './report.ts';

/** Ours and what a user would take instead, doing the same for the same rows. */
interface Comparison {
	what: string;
	rounds: number;
	/** Links that the account has */
	links?: number;
	/** Makes what else it needs. */
	prepare?: (sandbox: Sandbox) => Promise<{ rows: JsonRecord[]; storeApiKey?: string }>;
	/** Takes away what a run has left, before the next one. */
	restore?: (sandbox: Sandbox) => Promise<void>;
	ours: Step[];
	theirs: (baseUrls: Pick<Sandbox, 'linkUrl' | 'storeUrl'>) => Step[];
	/** The step of theirs whose second input is the rows. */
	mergedIn?: string;
	/** Different items that come of it */
	different: number;
	/** Requests that ours may send */
	requests: number;
	/** Time ÷ theirs that ours may take */
	most?: Pick<Target, 'why'> & { ratio: number };
}

const ITEMS = 1000;
const PER_PAGE = 100;

/** After a full page the nodes read another one, in case the service's count is outdated. */
const pagesRead = (links: number): number => Math.floor(links / PER_PAGE) + 1;
const CODES = 500;
const REPEATED_CODES = 50;
const NODE = 'Node';

const WHERE_TIME_GOES =
	"Most of the time per item is n8n's: its engine for declarative nodes resolves every field twice per item, shown or not. An " +
	'ID from an expression is evaluated five times: twice for the field of the link operations, twice for the field of the same ' +
	'name of _Campaign > Assign Link_, and once by the node. The HTTP Request node evaluates its URL once. The row with a fixed ID ' +
	'shows the time without expressions. Both nodes read the credential for every item, because it may contain an expression.';

const NUMBERS = Array.from({ length: ITEMS }, (_, index) => index + 1);
const rowsOf = (row: (number: number) => JsonRecord) => async () =>
	await Promise.resolve({ rows: NUMBERS.map(row) });
const EACH_ITEM = { rounds: 5, links: ITEMS, requests: ITEMS };

/** An account in which nobody looks a link up by hand. */
const LARGE = { links: 10_000, rounds: 3 };
const LOOKED_UP = 500;
const SYNCED = 1000;
const CHANGED = 10;
/** The links of changed rows, as they were. */
let sheet: JsonRecord[] = [];
const GIVEN = 'Rows';

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
const withLinks = `const rows = $('${GIVEN}').all().map(({ json }) => ({ json: { ...byAlias.get(json.alias), ...json } }));`;

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
		prepare: async (sandbox) => ({ rows: await someLinks(sandbox, LOOKED_UP) }),
		ours: [link(NODE, 'get', { linkId: { __rl: true, mode: 'url', value: '={{ $json.alias }}' } })],
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
		async prepare(sandbox) {
			sheet = await someLinks(sandbox, SYNCED);
			const isChanged = (at: number) => at % (SYNCED / CHANGED) === 0;
			const rows = sheet.map(({ alias, longurl }, at) => ({
				alias,
				url: isChanged(at) ? `https://example.com/${at}` : longurl,
			}));
			sheet = sheet.filter((_link, at) => isChanged(at));
			return { rows };
		},
		async restore(sandbox) {
			for (const { id, longurl } of sheet) {
				const url = `${sandbox.linkUrl}/api/url/${String(id)}/update`;
				const headers = { Authorization: `Bearer ${DEMO.link.apiKey}` };
				await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ url: longurl }) });
			}
		},
		ours: [link(NODE, 'upsert', { mappingMode: 'autoMapInputData' })],
		theirs: ({ linkUrl }) => [
			{
				...httpRequest('Pages', { url: `${linkUrl}/api/urls`, options: EVERY_PAGE }),
				executeOnce: true,
			},
			splitOut('All links', 'data.urls'),
			{
				name: NODE,
				type: 'n8n-nodes-base.merge',
				typeVersion: 3.2,
				parameters: {
					...{ mode: 'combine', combineBy: 'combineByFields' },
					...{ fieldsToMatchString: 'alias', joinMode: 'enrichInput2' },
				},
			},
			{
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
			},
			httpRequest('Update', {
				method: 'PUT',
				url: `=${linkUrl}/api/url/{{ $json.id }}/update`,
				body: { url: '={{ $json.url }}' },
			}),
		],
		mergedIn: NODE,
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
		most: { ratio: 1 },
	})),
	{
		...EACH_ITEM,
		what: `Link > Get, ${counted(ITEMS)} items`,
		prepare: rowsOf((id) => ({ id })),
		ours: [link(NODE, 'get', { linkId: byId('={{ $json.id }}') })],
		theirs: ({ linkUrl }) => [httpRequest(NODE, { url: `=${linkUrl}/api/url/{{ $json.id }}` })],
		different: ITEMS,
		most: { ratio: 1, why: WHERE_TIME_GOES },
	},
	{
		...EACH_ITEM,
		what: `Link > Get, ${counted(ITEMS)} items, with a fixed ID`,
		prepare: rowsOf((id) => ({ id })),
		ours: [link(NODE, 'get', { linkId: byId('1') })],
		theirs: ({ linkUrl }) => [httpRequest(NODE, { url: `${linkUrl}/api/url/1` })],
		different: 1,
	},
	{
		...EACH_ITEM,
		what: `Link > Create, ${counted(ITEMS)} items`,
		prepare: rowsOf((number) => ({ url: `https://example.com/${number}` })),
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
		async prepare(sandbox) {
			const { id, apiKey } = await sandbox.registerStoreAccount({ email: 'codes@example.com' });
			const item = sandbox.store.addItem(id);
			const codes = Array.from({ length: CODES - REPEATED_CODES }, () =>
				sandbox.store.addPurchase(item, { code: randomUUID() }),
			);
			const rows = [...codes, ...codes.slice(0, REPEATED_CODES)].map((code) => ({ code }));
			return { rows, storeApiKey: apiKey };
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
			notes: [
				'The services have no rate limit. The HTTP Request node sends all requests at once. Ours reads five at a time and creates ' +
					'one at a time, to keep the order of the rows. For lists, the HTTP Request node uses its pagination with ' +
					`${PER_PAGE} links per page, and a _Split Out_ node after it.`,
				'A lookup by alias and _Create or Update_ are compared with what a user would build without them. For the lookup: _Get ' +
					'Many_ of all links, and a Code node that matches them with the rows. For _Create or Update_: an HTTP Request node ' +
					'that reads all links, _Split Out_, _Merge_ with the rows by alias, _If_ the long URL differs, and an HTTP Request ' +
					'node that updates the link. _Merge_ and _If_ run once for all rows; n8n runs a declarative node for each row. With ' +
					'a limit of 30 requests a minute, both wait more than three minutes for 110 requests.',
				WHERE_TIME_GOES,
			],
			tables: [
				{
					head: ['What', 'Requests', 'Theirs', 'Time ÷ theirs', 'ms per item', 'Theirs'],
					rows: measured.map(({ what, items, ours, theirs }) => [
						what,
						...[ours, theirs].map((runs) => differing(runs.map((run) => run.requests))),
						withSpread(ratiosOf(ours, theirs)),
						...[ours, theirs].map((runs) => (median(runs.map(({ ms }) => ms)) / items).toFixed(2)),
					]),
				},
			],
			targets: measured.flatMap(({ what, requests, most, ours, theirs }) => {
				const sent = ours.map((run) => run.requests);
				const count = always(`${what}: requests`, requests, sent);
				if (most === undefined) return [count];
				const { ratio, ...why } = most;
				const times = atMost(`${what}: time ÷ HTTP Request`, ratio, ratiosOf(ours, theirs));
				return [count, { ...times, ...why }];
			}),
		};
	},
};

interface Run {
	requests: number;
	/** Of all steps */
	ms: number;
}

const ratiosOf = (ours: Run[], theirs: Run[]): number[] =>
	ratios(
		ours.map(({ ms }) => ms),
		theirs.map(({ ms }) => ms),
	);

async function measure(bench: Bench, comparison: Comparison) {
	const { what, links, prepare, rounds, different } = comparison;
	const sandbox = await bench.sandbox({ seed: links ?? 'demo', rateLimit: NO_LIMIT });
	const { rows = [{}], ...access } = (await prepare?.(sandbox)) ?? {};
	const n8n = await bench.n8n();
	await n8n.connect({ ...demoAccess(sandbox), ...access }, 0);
	let items = 0;
	const timed = async (steps: Step[], mergedIn?: string) => {
		const workflow = await n8n.publish(steps, mergedIn);
		return async (): Promise<Run> => {
			await comparison.restore?.(sandbox);
			sandbox.clearRequests();
			const result = await workflow.run(rows);
			const given = result.items(NODE).map(({ json }) => JSON.stringify(json));
			items = given.length;
			if (new Set(given).size !== different) throw new Error(`${what}: other items came`);
			const ms = millisecondsOf(result, ...steps.map(({ name }) => name));
			return { requests: sandbox.requests.length, ms };
		};
	};
	const ways = [
		await timed(comparison.ours),
		await timed(comparison.theirs(sandbox), comparison.mergedIn),
	];
	const [ours = [], theirs = []] = await inTurns(rounds, ways);
	return { items, ours, theirs };
}
