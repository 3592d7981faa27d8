/**
 * `npm run bench`: measures the package against n8n's HTTP Request node, prints one table of what holds, and writes
 * BENCHMARKS.md. Ends with status 1 when a count was wrong: something lost, repeated or failed. No time is asserted.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Command, Option } from 'commander';

import { resultsFolder } from '../e2e/stage.ts';
import { ensureN8n } from '../n8n-host/install.ts';
import { projectRoot } from '../n8n-host/project.ts';
import { Bench } from './bench.ts';
import { compared } from './compared.ts';
import { limits } from './limits.ts';
import { operations } from './operations.ts';
import type { Section } from './report.ts';
import { document, formatted, markdownOf, targetsOf } from './report.ts';
import { describeSetting } from './setting.ts';
import { trigger } from './trigger.ts';

/** In the order of BENCHMARKS.md. */
const SECTIONS: Record<string, Section> = { operations, limits, compared, trigger };

// Beside the logs of the end-to-end tests, not among them.
process.env.E2E_RESULTS ??= join('test-results', 'bench');
const { only } = new Command('npm run bench --')
	.description("Measures the package against n8n's HTTP Request node, and writes BENCHMARKS.md.")
	.addOption(
		new Option('--only <section...>', 'measure these only, and leave BENCHMARKS.md alone').choices(
			Object.keys(SECTIONS),
		),
	)
	.parse()
	.opts<{ only?: string[] }>();

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
	const whole = await document(setting, measured);
	if (only === undefined) await writeFile(join(projectRoot(), 'BENCHMARKS.md'), whole);
	else process.stdout.write(`${whole}\n`);
	process.stdout.write(`\n${await formatted(markdownOf(targetsOf(measured)))}\n`);
	const targets = measured.flatMap((findings) => findings.targets);
	if (targets.some(({ holds, isCount }) => isCount && !holds)) process.exitCode = 1;
} finally {
	await bench.stop();
}
