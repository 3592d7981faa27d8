import type { Sandbox } from '../../sandbox/sandbox.ts';
import { purchase } from '../e2e/workflow.ts';
import type { ExecutionResult } from '../n8n-host/client.ts';
import { demoAccess } from '../n8n-host/instance.ts';
import type { Bench } from './bench.ts';
import { millisecondsOf } from './bench.ts';
import type { Section } from './report.ts';
import { always, counted } from './report.ts';

const CODES = Array.from({ length: 10_000 }, (_, number) => `night-${number}`);
const HALF = CODES.length / 2;
const NODE = 'Validate';
const VALIDATE = {
	...purchase(NODE, 'validate', { purchaseCode: '={{ $json.code }}' }),
	onError: 'continueRegularOutput',
} as const;

/** One run with these codes, and what it cost. */
interface Night {
	name: string;
	requests: number;
	valid: number;
	invalid: number;
	/** Neither: they keep what is known of them, and the next run begins with them. */
	left: string[];
	seconds: number;
	/** Most memory of n8n during the run beyond what it had before, in MB; NaN where the system does not say. */
	memory: number;
}

export const night: Section = {
	title: 'A night of purchase codes',
	async run(bench) {
		const whole = await runNight(bench, 'The store is up', CODES);
		const broken = await runNight(bench, 'The store stops in the middle', CODES, HALF);
		const rest = await runNight(bench, 'The next run', broken.left);
		const nights = [whole, broken, rest];
		const all = counted(CODES.length);
		return {
			table: {
				head: ['Night', 'Codes', 'Requests', 'Seconds', 'MB', 'Valid', 'Called invalid', 'Left'],
				rows: nights.map((run) => [
					run.name,
					counted(run.valid + run.invalid + run.left.length),
					counted(run.requests),
					run.seconds.toFixed(0),
					run.memory.toFixed(0),
					counted(run.valid),
					run.invalid,
					counted(run.left.length),
				]),
			},
			targets: [
				always(`${all} purchase codes: requests`, CODES.length, [whole.requests]),
				always(
					`${all} purchase codes, also with a store that stops: called invalid`,
					0,
					nights.map(({ invalid }) => invalid),
				),
				always(`${all} purchase codes, the store stops, and the next run: lost`, 0, [
					CODES.length - broken.valid - rest.valid,
				]),
			],
		};
	},
};

/** @param stopsAfter so many responses, for good */
async function runNight(
	bench: Bench,
	name: string,
	codes: string[],
	stopsAfter = Infinity,
): Promise<Night> {
	let responses = 0;
	const sandbox: Sandbox = await bench.sandbox({
		seed: 'demo',
		onRequest() {
			responses += 1;
			if (responses === stopsAfter) void sandbox.stop();
		},
	});
	for (const code of CODES) sandbox.store.addPurchase(1, { code });
	await bench.connect(demoAccess(sandbox), 0);
	const run = await bench.publish([VALIDATE]);
	await run([{ code: 'warm-up' }]);
	responses = 0;
	const before = await bench.memory();
	const result = await run(codes.map((code) => ({ code })));
	const memory = (await bench.memory()).most - before.now;
	return { name, requests: responses, memory, ...outcome(result, codes) };
}

function outcome(
	result: ExecutionResult,
	codes: string[],
): Pick<Night, 'valid' | 'invalid' | 'left' | 'seconds'> {
	const items = result.items(NODE).map(({ json }) => json);
	return {
		valid: items.filter(({ valid }) => valid === true).length,
		invalid: items.filter(({ valid }) => valid === false).length,
		left: codes.filter((_code, row) => items[row]?.error !== undefined),
		seconds: millisecondsOf(result, NODE) / 1000,
	};
}
