/**
 * `npm run bench -- [compared …]`: measures the package against n8n's HTTP Request node, prints the tables, and writes them into
 * BENCHMARKS.md. Ends with status 1 when a count was wrong: something lost, repeated or failed. No time is asserted.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { installPrograms } from '../e2e/programs.ts';
import { resultsFolder } from '../e2e/stage.ts';
import type { N8nInstall } from '../n8n-host/install.ts';
import { ensureN8n } from '../n8n-host/install.ts';
import { record } from '../n8n-host/json.ts';
import { projectRoot } from '../n8n-host/project.ts';
import { openBench } from './bench.ts';
import { compared } from './compared.ts';
import { limits } from './limits.ts';
import { night } from './night.ts';
import type { Section, Table } from './report.ts';
import { formatted, markdownOf, targetsOf, withTables } from './report.ts';

/** In the order of BENCHMARKS.md. */
const SECTIONS: Record<string, Section> = { limits, compared, night };

/** Names of sections: then only these are measured and printed, and the file stays as it is. */
const { positionals: only } = parseArgs({ allowPositionals: true });

// Beside the logs of the end-to-end tests, not among them.
process.env.E2E_RESULTS ??= join('test-results', 'bench');

/** On what, of what and when it was measured. */
async function describeSetting({ node, folder }: N8nInstall): Promise<Table> {
	const versionIn = async (of: string) =>
		String(record(JSON.parse(await readFile(join(of, 'package.json'), 'utf8'))).version);
	const memory = `${Math.round(totalmem() / 2 ** 30)} GiB of memory`;
	const model = cpus()[0]?.model ?? 'unknown';
	const nodeVersion = execFileSync(node, ['--version'], { encoding: 'utf8' });
	const services = 'The sandbox of the same version, on the same machine, in its own process';
	return {
		head: ['Setting', 'Value'],
		rows: [
			['Date', new Date().toISOString().slice(0, 10)],
			['Machine', `${availableParallelism()} cores (${model}), ${memory}, ${process.platform}`],
			['Load when it began', `${loadavg()[0]?.toFixed(1)} processes`],
			['n8n', await versionIn(join(folder, 'node_modules', 'n8n'))],
			['Node.js', nodeVersion.trim().replace(/^v/, '')],
			['n8n-nodes-linkstore', await versionIn(projectRoot())],
			['Services', services],
		],
	};
}

await mkdir(resultsFolder(), { recursive: true });
await using stack = new AsyncDisposableStack();
for (const name of ['SIGINT', 'SIGTERM']) {
	// Leaving by `exit` ends n8n, too.
	process.once(name, () => void stack.disposeAsync().finally(() => process.exit(1)));
}
installPrograms();
const tables = new Map([['Benchmarks', await describeSetting(await ensureN8n())]]);
const bench = await openBench(stack);
const measured = [];
for (const [name, section] of Object.entries(SECTIONS)) {
	if (only.length > 0 && !only.includes(name)) continue;
	const findings = await section.run(bench);
	tables.set(section.title, findings.table);
	measured.push(findings);
	process.stderr.write(`${section.title}: measured\n`);
}
tables.set('Targets', targetsOf(measured));
for (const table of tables.values()) {
	process.stdout.write(`\n${await formatted(markdownOf(table))}`);
}
if (only.length === 0) {
	const file = join(projectRoot(), 'BENCHMARKS.md');
	await writeFile(file, await withTables(await readFile(file, 'utf8'), tables));
}
const targets = measured.flatMap((findings) => findings.targets);
if (targets.some(({ holds, isCount }) => isCount && !holds)) process.exitCode = 1;
