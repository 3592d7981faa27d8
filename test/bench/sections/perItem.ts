import { byId, link } from '../../e2e/workflow.ts';
import type { Step } from '../../e2e/workflow.ts';
import { demoAccess } from '../../n8n-host/instance.ts';
import type { JsonRecord } from '../../n8n-host/json.ts';
import type { Bench } from '../bench.ts';
import { millisecondsOf, NO_LIMIT } from '../bench.ts';
import type { Comparison } from '../compare.ts';
import { compare, inTurns } from '../compare.ts';
import { counted, withSpread } from '../format.ts';
import { httpRequest } from '../httpRequest.ts';
import type { PlainRequest } from '../plainClient.ts';
import { startPlainClient } from '../plainClient.ts';
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
	rows: JsonRecord[];
	ours: Step;
	theirs: (baseUrl: string) => Step;
	/** The same without n8n */
	plain: PlainRequest[];
	/** Requests of ours that are under way at a time */
	inFlight: number;
}

const SUBJECTS: Record<'get' | 'getFixed' | 'create', Subject> = {
	get: {
		rows: NUMBERS.map((id) => ({ id })),
		ours: link(NODE, 'get', { linkId: byId('={{ $json.id }}') }),
		theirs: (baseUrl) => httpRequest(NODE, { url: `=${baseUrl}/api/url/{{ $json.id }}` }),
		plain: NUMBERS.map((id) => ({ method: 'GET', path: `/api/url/${id}` })),
		inFlight: 5,
	},
	getFixed: {
		rows: NUMBERS.map((id) => ({ id })),
		ours: link(NODE, 'get', { linkId: byId('1') }),
		theirs: (baseUrl) => httpRequest(NODE, { url: `${baseUrl}/api/url/1` }),
		plain: NUMBERS.map(() => ({ method: 'GET', path: '/api/url/1' })),
		inFlight: 5,
	},
	create: {
		rows: NUMBERS.map((number) => ({ url: `https://example.com/${number}` })),
		ours: link(NODE, 'create', { url: '={{ $json.url }}' }),
		theirs: (baseUrl) =>
			httpRequest(NODE, {
				method: 'POST',
				url: `${baseUrl}/api/url/add`,
				body: { url: '={{ $json.url }}' },
			}),
		plain: NUMBERS.map((number) => ({
			method: 'POST',
			path: '/api/url/add',
			body: { url: `https://example.com/plain/${number}` },
		})),
		inFlight: 1,
	},
};

export const perItem: Section<'get'> = {
	title: 'What an item costs',
	targets: {
		get: {
			of: `${counted(ITEMS)} links read one by one: time ÷ HTTP Request`,
			wanted: `at most ${LARGEST_RATIO.toFixed(1)}`,
		},
	},
	async run(bench) {
		const tally = new Tally();
		const get = await measure(bench, SUBJECTS.get, tally);
		const getFixed = await measure(bench, SUBJECTS.getFixed, tally);
		const create = await measure(bench, SUBJECTS.create, tally);
		return {
			notes: [
				`${counted(ITEMS)} items each, ${ROUNDS} rounds. The service has no limit. The HTTP Request node sends all requests at once; ours reads five ` +
					'at a time, and creates one at a time, so that the links come in the order of the rows. The answer time of the ' +
					'service is what a plain program takes for each of the same requests, with as many under way as ours has.',
				WHERE_TIME_GOES,
			],
			tables: [
				{
					head: [
						'Operation',
						'Time ÷ HTTP Request',
						'ms per item',
						'ms per item, HTTP Request',
						"Service's answer, ms",
						'ms per item beyond it',
					],
					rows: [
						['Link > Get', ...figuresOf(get)],
						['Link > Get, with a fixed ID', ...figuresOf(getFixed)],
						['Link > Create', ...figuresOf(create)],
					],
				},
			],
			outcomes: { get: { ...atMost(LARGEST_RATIO, get.ratios), why: WHERE_TIME_GOES } },
			wrong: tally.wrong,
		};
	},
};

interface Measured extends Comparison {
	/** Milliseconds that a plain program takes for each, with as many under way */
	answer: number;
}

async function measure(bench: Bench, subject: Subject, tally: Tally): Promise<Measured> {
	const { rows, ours, theirs, plain, inFlight } = subject;
	const sandbox = await bench.sandbox({ seed: ITEMS, rateLimit: NO_LIMIT });
	const access = demoAccess(sandbox);
	const n8n = await bench.n8n();
	await n8n.connect(access, 0);
	const timed = async (step: Step): Promise<() => Promise<number>> => {
		const workflow = await n8n.publish([step]);
		return async () => {
			sandbox.clearRequests();
			const result = await workflow.run(rows);
			tally.expect(`items of ${step.type}`, result.items(NODE).length, ITEMS);
			tally.expect(`requests of ${step.type}`, sandbox.requests.length, ITEMS);
			return millisecondsOf(result, NODE);
		};
	};
	const ways = [await timed(ours), await timed(theirs(access.linkUrl))];
	const comparison = compare(...(await inTurns(ROUNDS, ways)));
	const { linkUrl: baseUrl, linkApiKey: apiKey } = access;
	const times = await startPlainClient({
		baseUrl,
		apiKey,
		requests: plain,
		connections: inFlight,
	}).times();
	const sum = times.reduce((total, time) => total + time, 0);
	return { ...comparison, answer: sum / times.length / inFlight };
}

function figuresOf({ ratios, ours, theirs, answer }: Measured): string[] {
	const each = [ours / ITEMS, theirs / ITEMS, answer, ours / ITEMS - answer];
	return [withSpread(ratios), ...each.map((milliseconds) => milliseconds.toFixed(2))];
}
