/** `npm run bench`: measures the package in a real n8n, beside n8n's HTTP Request node, and writes the table of BENCHMARKS.md. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { ensureN8n } from '../n8n-host/install.ts';
import { record } from '../n8n-host/json.ts';
import { compared } from './compared.ts';

const FILE = 'BENCHMARKS.md';

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

const machine = await describeMachine();
const rows = await compared();
const head = ['What', 'Ours', 'HTTP Request', 'Wanted'];
const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
const table = lines.join('\n');
process.stdout.write(`${machine}\n\n${table}\n`);
// In the place of the first table, and of the last description
const text = (await readFile(FILE, 'utf8'))
	.replace(/(?:^\|.*\n)+/m, `${table}\n`)
	.replace(/^Measured [^]*?\n\n/m, `${machine}\n\n`);
await writeFile(FILE, await format(text, { ...(await resolveConfig(FILE)), parser: 'markdown' }));
