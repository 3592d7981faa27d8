import type { Step } from '../../e2e/workflow.ts';
import { link, splitOut } from '../../e2e/workflow.ts';
import { demoAccess } from '../../n8n-host/instance.ts';
import type { Bench } from '../bench.ts';
import { millisecondsOf, NO_LIMIT } from '../bench.ts';
import { counted, differing, inTurns, ratios, withSpread } from '../figures.ts';
import { EVERY_PAGE, httpRequest } from '../httpRequest.ts';
import type { Section } from '../section.ts';
import { always, atMost, Tally } from '../section.ts';

const SIZES = [
	{ links: 10_000, rounds: 5 },
	{ links: 100_000, rounds: 3 },
];
const PER_PAGE = 100;
const LARGEST_RATIO = 1;

const OURS = [link('Links', 'getAll', { returnAll: true })];

function theirs(baseUrl: string): Step[] {
	const pages = httpRequest('Pages', { url: `${baseUrl}/api/urls`, options: EVERY_PAGE });
	return [pages, splitOut('Links', 'data.urls')];
}

export const returnAll: Section = {
	title: 'Reading all of a list',
	async run(bench) {
		const tally = new Tally();
		const measured = [];
		for (const { links, rounds } of SIZES) {
			measured.push(await measure(bench, links, rounds, tally));
		}
		return {
			notes: [
				'_Link > Get Many_ with _Return All_, beside the HTTP Request node with its pagination, which asks for as many links a ' +
					'page and gives one item for each page; a _Split Out_ node makes items of the links, as ours does itself. The ' +
					'service has no limit.',
			],
			tables: [
				{
					head: [
						'Links',
						'Requests',
						'Requests, HTTP Request',
						'Time ÷ HTTP Request and Split Out',
						'Time ÷ HTTP Request alone',
					],
					rows: measured.map(({ links, requests, theirRequests, timesWhole, timesAlone }) => [
						counted(links),
						differing(requests),
						differing(theirRequests),
						withSpread(timesWhole),
						withSpread(timesAlone),
					]),
				},
			],
			targets: measured.flatMap(({ links, requests, timesWhole }) => {
				const pages = links / PER_PAGE;
				const what = `${counted(links)} links listed`;
				return [
					always(`${what}: requests`, pages, requests, `${counted(pages)}, one a page`),
					atMost(`${what}: time ÷ HTTP Request`, LARGEST_RATIO, timesWhole),
				];
			}),
			wrong: tally.wrong,
		};
	},
};

async function measure(bench: Bench, links: number, rounds: number, tally: Tally) {
	const sandbox = await bench.sandbox({ seed: links, rateLimit: NO_LIMIT });
	const n8n = await bench.n8n();
	await n8n.connect(demoAccess(sandbox), 0);
	const timed = async (steps: Step[]) => {
		const workflow = await n8n.publish(steps);
		return async () => {
			sandbox.clearRequests();
			const result = await workflow.run();
			const ids = new Set(result.items('Links').map(({ json }) => json.id));
			tally.expect(`different links of ${String(steps[0]?.type)}`, ids.size, links);
			return {
				requests: sandbox.requests.length,
				whole: millisecondsOf(result, ...steps.map(({ name }) => name)),
				alone: millisecondsOf(result, String(steps[0]?.name)),
			};
		};
	};
	const ways = [await timed(OURS), await timed(theirs(sandbox.linkUrl))];
	const [ours = [], others = []] = await inTurns(rounds, ways);
	const times = ours.map(({ whole }) => whole);
	return {
		links,
		requests: ours.map(({ requests }) => requests),
		theirRequests: others.map(({ requests }) => requests),
		timesWhole: ratios(
			times,
			others.map(({ whole }) => whole),
		),
		timesAlone: ratios(
			times,
			others.map(({ alone }) => alone),
		),
	};
}
