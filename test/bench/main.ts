/**
 * `npm run bench`: measures the package in a real n8n, beside n8n's HTTP Request node, and writes the table of BENCHMARKS.md.
 * `npm run bench -- compared` measures one part, and only prints it.
 */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { ensureN8n } from '../n8n-host/install.ts';
import { record } from '../n8n-host/json.ts';
import { openBench } from './bench.ts';
import { compared } from './compared.ts';
import { limits } from './limits.ts';
import { type Figure, tableOf, withTable } from './report.ts';

const PARTS = { compared, limits };

const { positionals: only } = parseArgs({ allowPositionals: true });

/** On what, of what and when it was measured. */
async function describeMachine(): Promise<string> {
	const { node, folder } = await ensureN8n();
	const n8n = await readFile(join(folder, 'node_modules/n8n/package.json'), 'utf8');
	const { version } = record(JSON.parse(n8n));
	const nodeVersion = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
	const memory = `${Math.round(totalmem() / 2 ** 30)} GiB of memory`;
	const machine = `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${memory}`;
	const load = loadavg()[0]?.toFixed(1);
	const day = new Date().toISOString().slice(0, 10);
	return `Measured on ${day} with n8n ${String(version)} and Node.js ${nodeVersion}: ${machine}, load ${load} at the start.`;
}

await using stack = new AsyncDisposableStack();
const machine = await describeMachine();
const bench = await openBench(stack);
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(PARTS)) {
	if (only.length > 0 && !only.includes(name)) continue;
	figures.push(...(await measure(bench)));
}
const table = tableOf(figures);
process.stdout.write(`${machine}\n\n${table}\n`);
if (only.length === 0) {
	const file = 'BENCHMARKS.md';
	await writeFile(file, await withTable(await readFile(file, 'utf8'), table, machine));
}
