import { byId, link } from '../../e2e/workflow.ts';
import type { Step } from '../../e2e/workflow.ts';
import { demoAccess } from '../../n8n-host/instance.ts';
import type { JsonRecord } from '../../n8n-host/json.ts';
import type { Bench } from '../bench.ts';
import { millisecondsOf, NO_LIMIT } from '../bench.ts';
import { counted, inTurns, median, ratios, withSpread } from '../figures.ts';
import { httpRequest } from '../httpRequest.ts';
import type { Section } from '../section.ts';
import { atMost, Tally } from '../section.ts';

const ITEMS = 1000;
const ROUNDS = 5;
const LARGEST_RATIO = 1;
const NODE = 'Node';

const WHERE_TIME_GOES =
	"Most of what an item costs is n8n's: its engine for declarative nodes resolves every field of the description twice for " +
	'each item, shown or not. An ID that comes from an expression is evaluated five times: twice for the field of the ' +
	'operations of links, twice for the field of the same name of _Campaign > Assign Link_, and once by the node. The HTTP ' +
	'Request node evaluates its address once. What is left without expressions is in the row of a fixed ID. Both read the ' +
	'credential for every item; that could be saved only by taking for granted that it holds no expression.';

const NUMBERS = Array.from({ length: ITEMS }, (_, index) => index + 1);

interface Subject {
	name: string;
	rows: JsonRecord[];
	ours: Step;
	theirs: (baseUrl: string) => Step;
}

const SUBJECTS: Subject[] = [
	{
		name: 'Link > Get',
		rows: NUMBERS.map((id) => ({ id })),
		ours: link(NODE, 'get', { linkId: byId('={{ $json.id }}') }),
		theirs: (baseUrl) => httpRequest(NODE, { url: `=${baseUrl}/api/url/{{ $json.id }}` }),
	},
	{
		name: 'Link > Get, with a fixed ID',
		rows: NUMBERS.map((id) => ({ id })),
		ours: link(NODE, 'get', { linkId: byId('1') }),
		theirs: (baseUrl) => httpRequest(NODE, { url: `${baseUrl}/api/url/1` }),
	},
	{
		name: 'Link > Create',
		rows: NUMBERS.map((number) => ({ url: `https://example.com/${number}` })),
		ours: link(NODE, 'create', { url: '={{ $json.url }}' }),
		theirs: (baseUrl) =>
			httpRequest(NODE, {
				method: 'POST',
				url: `${baseUrl}/api/url/add`,
				body: { url: '={{ $json.url }}' },
			}),
	},
];

export const perItem: Section = {
	title: 'What an item costs',
	async run(bench) {
		const tally = new Tally();
		const measured = [];
		for (const subject of SUBJECTS) measured.push(await measure(bench, subject, tally));
		return {
			notes: [
				`${counted(ITEMS)} items each, ${ROUNDS} rounds. The service has no limit. The HTTP Request node sends all requests at once; ours reads five ` +
					'at a time, and creates one at a time, so that the links come in the order of the rows.',
				WHERE_TIME_GOES,
			],
			tables: [
				{
					head: ['Operation', 'Time ÷ HTTP Request', 'ms per item', 'ms per item, HTTP Request'],
					rows: measured.map(({ name, timesTheirs, ours, theirs }) => [
						name,
						withSpread(timesTheirs),
						...[ours, theirs].map((times) => (median(times) / ITEMS).toFixed(2)),
					]),
				},
			],
			targets: [
				{
					...atMost(
						`${counted(ITEMS)} links read one by one: time ÷ HTTP Request`,
						LARGEST_RATIO,
						measured[0]?.timesTheirs ?? [],
					),
					why: WHERE_TIME_GOES,
				},
			],
			wrong: tally.wrong,
		};
	},
};

async function measure(bench: Bench, subject: Subject, tally: Tally) {
	const sandbox = await bench.sandbox({ seed: ITEMS, rateLimit: NO_LIMIT });
	const n8n = await bench.n8n();
	await n8n.connect(demoAccess(sandbox), 0);
	const timed = async (step: Step): Promise<() => Promise<number>> => {
		const workflow = await n8n.publish([step]);
		return async () => {
			sandbox.clearRequests();
			const result = await workflow.run(subject.rows);
			tally.expect(`items of ${step.type}`, result.items(NODE).length, ITEMS);
			tally.expect(`requests of ${step.type}`, sandbox.requests.length, ITEMS);
			return millisecondsOf(result, NODE);
		};
	};
	const ways = [await timed(subject.ours), await timed(subject.theirs(sandbox.linkUrl))];
	const [ours = [], theirs = []] = await inTurns(ROUNDS, ways);
	return { name: subject.name, timesTheirs: ratios(ours, theirs), ours, theirs };
}
