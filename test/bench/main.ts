/**
 * `npm run bench`: measures the package against n8n's HTTP Request node, prints one table of what holds, and writes
 * BENCHMARKS.md. Ends with status 1 when a count was wrong: something lost, repeated or failed. No time is asserted.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

import { Command, Option } from 'commander';

import { resultsFolder } from '../e2e/stage.ts';
import type { N8nInstall } from '../n8n-host/install.ts';
import { ensureN8n } from '../n8n-host/install.ts';
import { record } from '../n8n-host/json.ts';
import { projectRoot } from '../n8n-host/project.ts';
import { FIXTURES } from '../fixtures.ts';
import { Bench } from './bench.ts';
import { compared } from './compared.ts';
import { limits } from './limits.ts';
import { night } from './night.ts';
import type { Section, Table } from './report.ts';
import { document, formatted, markdownOf, targetsOf, updated } from './report.ts';
import { trigger } from './trigger.ts';

/** What a test asserts is not measured again. */
const operations: Section = {
	title: 'Requests of every operation',
	async run() {
		const rows = FIXTURES.map(({ node, name, cost }) => [`${node} ${name}`, cost]);
		return await Promise.resolve({
			notes: [
				'Per input item, or per 100 records of a list; the engine tests check these numbers. If a full last page claims that ' +
					'another one follows, a list takes one more. Records picked by name take 1 more per 100 records of their list, once ' +
					'per run, and fewer if all are found earlier.',
			],
			tables: [{ head: ['Operation', 'Requests'], rows: rows.toSorted() }],
			targets: [],
		});
	},
};

/** In the order of BENCHMARKS.md. */
const SECTIONS: Record<string, Section> = { operations, limits, compared, trigger, night };

// Beside the logs of the end-to-end tests, not among them.
process.env.E2E_RESULTS ??= join('test-results', 'bench');
const { only } = new Command('npm run bench --')
	.description("Compares the nodes with n8n's HTTP Request node and writes BENCHMARKS.md.")
	.addOption(
		new Option(
			'--only <section...>',
			'measure only these sections and replace them in the file',
		).choices(Object.keys(SECTIONS)),
	)
	.parse()
	.opts<{ only?: string[] }>();

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
const bench = new Bench();
for (const name of ['SIGINT', 'SIGTERM']) {
	// Leaving by `exit` ends n8n, too.
	process.once(name, () => void bench.stop().finally(() => process.exit(1)));
}
try {
	const setting = await describeSetting(await ensureN8n());
	const measured = [];
	for (const [name, section] of Object.entries(SECTIONS)) {
		if (only?.includes(name) === false) continue;
		measured.push({ title: section.title, ...(await section.run(bench)) });
		process.stderr.write(`${section.title}: measured\n`);
	}
	const file = join(projectRoot(), 'BENCHMARKS.md');
	const whole = only
		? await updated(await readFile(file, 'utf8'), measured)
		: await document(setting, measured);
	await writeFile(file, whole);
	process.stdout.write(`\n${await formatted(markdownOf(targetsOf(measured)))}\n`);
	const targets = measured.flatMap((findings) => findings.targets);
	if (targets.some(({ holds, isCount }) => isCount && !holds)) process.exitCode = 1;
} finally {
	await bench.stop();
}
