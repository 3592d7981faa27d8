import type { Step } from '../../e2e/workflow.ts';
import { demoAccess } from '../../n8n-host/instance.ts';
import type { BulkRun } from '../bulkRun.ts';
import { LIMIT, LINKS, newRows, OURS, runBulk, theirs } from '../bulkRun.ts';
import { differing, withSpread } from '../figures.ts';
import type { Section } from '../section.ts';
import { always, atMost, Tally } from '../section.ts';

const ROUNDS = 2;
const MOST_TIMES_LEAST = 1.05;

interface Way {
	name: string;
	step: Step;
}

export const bulk: Section = {
	title: 'Many links under the rate limit',
	async run(bench) {
		const sandbox = await bench.sandbox({ seed: 'demo', rateLimit: LIMIT });
		const n8n = await bench.n8n();
		await n8n.connect(demoAccess(sandbox), LIMIT.requests);

		const publish = async ({ name, step }: Way) => {
			const workflow = await n8n.publish([step]);
			await workflow.run(newRows(1));
			return { name, workflow, runs: new Array<BulkRun>() };
		};
		const ours = await publish({ name: 'Link > Create', step: OURS });
		const ways = [ours];
		for (const way of alternatives(sandbox.linkUrl)) ways.push(await publish(way));
		for (let round = 0; round < ROUNDS; round += 1) {
			for (const { workflow, runs } of ways) runs.push(await runBulk(workflow, sandbox));
		}

		const tally = new Tally();
		const { runs } = ours;
		for (const { failed, missing, repeated } of runs) {
			tally.expect('rows that failed', failed);
			tally.expect('rows without a link', missing);
			tally.expect('rows with two links', repeated);
		}
		return {
			notes: [
				`${LINKS} links made in one run of the node against a limit of ${LIMIT.requests} requests per ${LIMIT.windowSeconds} s, ` +
					`each way ${ROUNDS} times, in turns. The least time that the limit allows is that after which the last window ` +
					'begins. Time is counted from the beginning of the first window to the last link. Where rows failed, the links ' +
					'are missing and the time says nothing.',
				'The best batching of the HTTP Request node sends as many per window as the limit allows. Its user has to know the ' +
					'limit, and that nobody else uses it: see the next section.',
			],
			tables: [
				{
					head: ['Way', 'Requests', 'Refused (429)', 'Rows failed', 'Time ÷ least'],
					rows: ways.map(({ name, runs }) => [name, ...figuresOf(runs)]),
				},
			],
			targets: [
				always(`${LINKS} links made: requests`, LINKS, column(runs, 'requests')),
				always(`${LINKS} links made: refused (429)`, 0, column(runs, 'refused')),
				always(`${LINKS} links made: failed`, 0, column(runs, 'failed')),
				atMost(
					`${LINKS} links made: time ÷ what the limit allows`,
					MOST_TIMES_LEAST,
					column(runs, 'timesLeast'),
					3,
				),
			],
			wrong: tally.wrong,
		};
	},
};

function alternatives(baseUrl: string): Way[] {
	const sizes = [LIMIT.requests, LIMIT.requests - 1];
	return [
		{ name: 'HTTP Request, as it comes', step: theirs(baseUrl) },
		...sizes.map((size) => ({
			name: `HTTP Request, batches of ${size} per ${LIMIT.windowSeconds} s`,
			step: theirs(baseUrl, size),
		})),
	];
}

function column(runs: BulkRun[], name: keyof BulkRun): number[] {
	return runs.map((run) => run[name]);
}

function figuresOf(runs: BulkRun[]): string[] {
	const counts = (['requests', 'refused', 'failed'] as const).map((name) =>
		differing(column(runs, name)),
	);
	const isComplete = runs.every(({ missing }) => missing === 0);
	return [...counts, isComplete ? withSpread(column(runs, 'timesLeast'), 3) : '—'];
}
