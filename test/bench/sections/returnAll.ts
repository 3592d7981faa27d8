import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { Step } from '../../e2e/workflow.ts';
import { link, splitOut } from '../../e2e/workflow.ts';
import { demoAccess } from '../../n8n-host/instance.ts';
import type { Bench } from '../bench.ts';
import { linksOf, millisecondsOf, NO_LIMIT } from '../bench.ts';
import { compare, inTurns } from '../compare.ts';
import { counted, differing, withSpread } from '../format.ts';
import { EVERY_PAGE, httpRequest } from '../httpRequest.ts';
import { peakGrowth } from '../memory.ts';
import type { Section, Target } from '../section.ts';
import { always, atMost, Tally } from '../section.ts';

interface Size {
	links: number;
	/** In how many their reading is timed */
	rounds: number;
}

const MANY: Size = { links: 10_000, rounds: 5 };
const VERY_MANY: Size = { links: 100_000, rounds: 3 };
const MEMORY_ROUNDS = 3;
const PER_PAGE = 100;
const LARGEST_RATIO = 1;

const OURS = [link('Links', 'getAll', { returnAll: true })];

function theirs(baseUrl: string): Step[] {
	const pages = httpRequest('Pages', { url: `${baseUrl}/api/urls`, options: EVERY_PAGE });
	return [pages, splitOut('Links', 'data.urls')];
}

export const returnAll: Section<'manyRequests' | 'manyTime' | 'veryManyRequests' | 'veryManyTime'> =
	{
		title: 'Reading all of a list',
		targets: {
			manyRequests: requestsTarget(MANY),
			manyTime: timeTarget(MANY),
			veryManyRequests: requestsTarget(VERY_MANY),
			veryManyTime: timeTarget(VERY_MANY),
		},
		async run(bench) {
			const tally = new Tally();
			const many = await measure(bench, MANY, tally);
			const veryMany = await measure(bench, VERY_MANY, tally);
			return {
				notes: [
					'_Link > Get Many_ with _Return All_, beside the HTTP Request node with its pagination, which asks for as many links a ' +
						'page and gives one item for each page; a _Split Out_ node makes items of the links, as ours does itself. The ' +
						'service has no limit.',
					'Peak memory is by how much the process of an n8n that was just started grew at most, ÷ the size of the links as ' +
						'JSON. Those executions are not saved, because n8n turns what it saves into one text. It is far apart between rounds, ' +
						'because it depends on when memory that is not used any more is collected.',
				],
				tables: [
					{
						head: [
							'Links',
							'Requests',
							'Requests, HTTP Request',
							'Time ÷ HTTP Request and Split Out',
							'Time ÷ HTTP Request alone',
							'Peak memory ÷ data',
							'Peak memory ÷ data, HTTP Request and Split Out',
							'Data, MB',
						],
						rows: [figuresOf(many), figuresOf(veryMany)],
					},
				],
				outcomes: {
					manyRequests: always(MANY.links / PER_PAGE, many.requests),
					manyTime: atMost(LARGEST_RATIO, many.timesWhole),
					veryManyRequests: always(VERY_MANY.links / PER_PAGE, veryMany.requests),
					veryManyTime: atMost(LARGEST_RATIO, veryMany.timesWhole),
				},
				wrong: tally.wrong,
			};
		},
	};

function requestsTarget({ links }: Size): Target {
	return {
		of: `${counted(links)} links listed: requests`,
		wanted: `${counted(links / PER_PAGE)}, one a page`,
	};
}

function timeTarget({ links }: Size): Target {
	return {
		of: `${counted(links)} links listed: time ÷ HTTP Request`,
		wanted: `at most ${LARGEST_RATIO.toFixed(1)}`,
	};
}

interface Measured {
	links: number;
	requests: number[];
	theirRequests: number[];
	/** Ours ÷ HTTP Request and Split Out */
	timesWhole: number[];
	/** Ours ÷ HTTP Request */
	timesAlone: number[];
	bytes: number;
	/** By how many bytes n8n grew at most */
	grown: number[];
	theirGrown: number[];
}

async function measure(bench: Bench, { links, rounds }: Size, tally: Tally): Promise<Measured> {
	const sandbox = await bench.sandbox({ seed: links, rateLimit: NO_LIMIT });
	const { linkUrl } = sandbox;
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
	const [ours = [], others = []] = await inTurns(rounds, [
		await timed(OURS),
		await timed(theirs(linkUrl)),
	]);
	const [grown, theirGrown] = [new Array<number>(), new Array<number>()];
	for (let round = 0; round < MEMORY_ROUNDS; round += 1) {
		grown.push(await growth(bench, sandbox, () => OURS));
		theirGrown.push(await growth(bench, sandbox, theirs));
	}
	const ourTimes = ours.map(({ whole }) => whole);
	return {
		links,
		requests: ours.map(({ requests }) => requests),
		theirRequests: others.map(({ requests }) => requests),
		timesWhole: compare(
			ourTimes,
			others.map(({ whole }) => whole),
		).ratios,
		timesAlone: compare(
			ourTimes,
			others.map(({ alone }) => alone),
		).ratios,
		bytes: Buffer.byteLength(JSON.stringify(await linksOf(demoAccess(sandbox)))),
		grown,
		theirGrown,
	};
}

/** The growth of a new n8n, which has read only a short list so before. */
async function growth(
	bench: Bench,
	sandbox: Sandbox,
	steps: (baseUrl: string) => Step[],
): Promise<number> {
	const n8n = await bench.newN8n();
	try {
		const publish = async (service: Sandbox) => {
			await n8n.connect(demoAccess(service), 0);
			return await n8n.publish(steps(service.linkUrl), { isSaved: false });
		};
		const first = await publish(await bench.sandbox({ seed: 'demo', rateLimit: NO_LIMIT }));
		await first.call();
		const workflow = await publish(sandbox);
		return await peakGrowth(n8n.host.pid, async () => await workflow.call());
	} finally {
		await n8n.kill();
	}
}

function figuresOf(measured: Measured): string[] {
	const { links, requests, theirRequests, timesWhole, timesAlone } = measured;
	const { bytes, grown, theirGrown } = measured;
	return [
		counted(links),
		differing(requests),
		differing(theirRequests),
		withSpread(timesWhole),
		withSpread(timesAlone),
		...[grown, theirGrown].map((sizes) =>
			withSpread(
				sizes.map((size) => size / bytes),
				1,
			),
		),
		(bytes / 1e6).toFixed(1),
	];
}
