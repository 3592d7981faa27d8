/**
 * Breaks lines of the product at random, one at a time, and runs the test files that reach them, in copies of the project:
 * `npm run mutate -- --count 200 --seed 1`. Prints what no test notices.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { temporaryFolder } from '../n8n-host/install.ts';
import { type Change, changesOf, compiled, compiles } from './changes.ts';

/** How often the parts of a file run, by V8: the innermost range of a place says it. */
type Range = [start: number, end: number, count: number];
type Reach = Record<string, { milliseconds: number; ranges: Record<string, Range[]> }>;

const WORKERS = 2;
/** The whole first run, and beyond twice the usual time the tests of one change, which may loop for ever. */
const FIRST_RUN_MS = 1_800_000;
const LIMIT_MS = 60_000;
/** Fewer than these fail the weekly job. */
const WANTED = 0.92;
const COPIED = 'dist nodes credentials sandbox test examples docs package.json jest.config.js';
const REACH = '--coverage --coverageProvider=v8 --coverageReporters=none --forceExit';
const ONE_CHANGE = `--bail --runInBand --forceExit --testSequencer=${resolve('test/mutate/inOrder.cjs')}`;

const { values } = parseArgs({
	options: {
		count: { type: 'string', default: '200' },
		seed: { type: 'string', default: '1' },
	},
});

/** @returns whether all tests pass in time */
async function passes(folder: string, args: string[], limitMs: number): Promise<boolean> {
	// Only our reporter, of the first run, has something to say.
	const stderr = folder === '.' ? 'inherit' : 'ignore';
	const jest = spawn('jest', args, {
		cwd: folder,
		stdio: ['ignore', 'ignore', stderr],
		// A loop without end may fill it.
		env: { ...process.env, NODE_OPTIONS: '--max-old-space-size=2000' },
		detached: true,
	});
	// With its workers, one of which may be in a loop that hears nothing.
	const end = () => process.kill(-Number(jest.pid), 'SIGKILL');
	const timer = setTimeout(end, limitMs);
	const status = await new Promise((ended) => jest.on('exit', ended));
	clearTimeout(timer);
	try {
		end();
	} catch {
		// None of them is left.
	}
	return status === 0;
}

/** Which test file runs what. */
async function reachOfTests(): Promise<Reach> {
	const files = '--collectCoverageFrom=dist/{nodes,credentials}/**/*.js';
	const args = [...REACH.split(' '), files, '--reporters=./test/mutate/reach.cjs'];
	if (!(await passes('.', args, FIRST_RUN_MS))) throw new Error('Tests fail without any change');
	return JSON.parse(readFileSync('test-results/reach.json', 'utf8')) as Reach;
}

/** The test files that run a place of a compiled file, the fastest first. */
function testsAt(reach: Reach, file: string, place: number): string[] {
	const runs = ({ ranges }: Reach[string]): boolean => {
		const around = (ranges[file] ?? []).filter(([start, end]) => start <= place && place < end);
		const [innermost] = around.sort((a, b) => a[1] - a[0] - (b[1] - b[0]));
		return (innermost?.[2] ?? 0) > 0;
	};
	return Object.entries(reach)
		.filter(([, test]) => runs(test))
		.sort(([, a], [, b]) => a.milliseconds - b.milliseconds)
		.map(([path]) => path);
}

/** Where they begin to differ. V8 counts an operator to what stands behind it, which may never run. */
function placeOf(right: string, broken: string): number {
	const place = Array.from(right).findIndex((letter, at) => letter !== broken[at]);
	return /^(?:&&|\|\|)/.test(right.slice(place)) ? place - 1 : place;
}

async function isNoticed(folder: string, { path, source }: Change, reach: Reach): Promise<boolean> {
	const file = `dist/${path.replace(/\.ts$/, '.js')}`;
	const right = readFileSync(file, 'utf8');
	const broken = compiled(source);
	const tests = testsAt(reach, file, placeOf(right, broken));
	if (tests.length === 0) return false;
	const usualMs = tests.reduce((sum, test) => sum + Number(reach[test]?.milliseconds), 0);
	writeFileSync(join(folder, file), broken);
	const args = [...ONE_CHANGE.split(' '), '--runTestsByPath', ...tests];
	const isGreen = await passes(folder, args, LIMIT_MS + 2 * usualMs);
	writeFileSync(join(folder, file), right);
	return !isGreen;
}

async function copyOfProject(stack: AsyncDisposableStack): Promise<string> {
	const folder = await temporaryFolder(stack, 'mutate');
	for (const path of COPIED.split(' ')) cpSync(path, join(folder, path), { recursive: true });
	symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
	return folder;
}

/** The first changes that compile, in an order that the seed gives. */
function takeSample(): Change[] {
	const lotOf = ({ path, source }: Change): string =>
		createHash('sha256').update(`${values.seed} ${path} ${source}`).digest('hex');
	const drawn = globSync('{nodes,credentials}/**/*.ts')
		.flatMap((file) => changesOf(file))
		.map((change) => ({ lot: lotOf(change), change }))
		.sort((one, other) => (one.lot < other.lot ? -1 : 1));
	const sample: Change[] = [];
	for (const { change } of drawn) {
		if (sample.length === Number(values.count)) break;
		if (compiles(change)) sample.push(change);
	}
	return sample;
}

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 70);

const sample = takeSample();
const reach = await reachOfTests();
const left = [...sample];
let survivors = 0;
const work = Array.from({ length: WORKERS }, async () => {
	await using stack = new AsyncDisposableStack();
	const folder = await copyOfProject(stack);
	for (let change = left.shift(); change; change = left.shift()) {
		const { path, line, before, after } = change;
		if (await isNoticed(folder, change, reach)) continue;
		survivors += 1;
		console.log(`${path}:${line}  ${inOneLine(before)}  →  ${inOneLine(after)}`);
	}
});
await Promise.all(work);

const noticed = sample.length - survivors;
console.log(`Noticed ${noticed} of ${sample.length} changes, seed ${values.seed}`);
if (noticed < WANTED * sample.length) process.exitCode = 1;
