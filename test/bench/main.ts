/**
 * `npm run bench`: measures the package against n8n's HTTP Request node, prints one table of what holds, and writes
 * BENCHMARKS.md. Ends with status 1 when a count was wrong: something lost, repeated or failed. No time is asserted.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Command, Option } from 'commander';

import { resultsFolder } from '../e2e/stage.ts';
import { projectRoot } from '../n8n-host/project.ts';
import { Bench } from './bench.ts';
import type { Measured } from './report.ts';
import { document, summary } from './report.ts';
import { SECTIONS } from './sections/index.ts';
import { describeSetting } from './setting.ts';

interface Options {
	only?: string[];
}

// Beside the logs of the end-to-end tests, not among them.
process.env.E2E_RESULTS ??= join('test-results', 'bench');
const command = new Command('npm run bench --')
	.description("Measures the package against n8n's HTTP Request node, and writes BENCHMARKS.md.")
	.addOption(
		new Option('--only <section...>', 'measure these only, and leave BENCHMARKS.md alone').choices(
			Object.keys(SECTIONS),
		),
	);
command.parse();
const { only } = command.opts<Options>();

await mkdir(resultsFolder(), { recursive: true });
const bench = new Bench();
for (const [name, status] of [
	['SIGINT', 130],
	['SIGTERM', 143],
] as const) {
	// Leaving by `exit` ends n8n, too.
	process.once(name, () => void bench.stop().finally(() => process.exit(status)));
}
try {
	const setting = await describeSetting(await bench.install());
	const measured: Measured[] = [];
	for (const [name, section] of Object.entries(SECTIONS)) {
		if (only !== undefined && !only.includes(name)) continue;
		const started = Date.now();
		const findings = await section.run(bench);
		say(`${section.title}: measured in ${Math.round((Date.now() - started) / 1000)} s`);
		measured.push({ name, section, findings });
	}
	const whole = await document(setting, measured);
	if (only === undefined) await writeFile(join(projectRoot(), 'BENCHMARKS.md'), whole);
	else process.stdout.write(`${whole}\n`);
	process.stdout.write(`\n${await summary(measured)}\n`);
	const wrong = measured.flatMap(({ findings }) => findings.wrong);
	for (const line of wrong) say(`Wrong: ${line}`);
	if (wrong.length > 0) process.exitCode = 1;
} finally {
	await bench.stop();
}

function say(line: string): void {
	process.stderr.write(`${line}\n`);
}
