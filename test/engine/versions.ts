/**
 * Runs what depends on the engine with the engines of several n8n, each installed first unless it is there, and prints a
 * table at the end.
 *
 *     npm run test:versions -- [<version> | oldest | latest]...
 *
 * A version is one of `test/n8n-host/versions.ts`; without any, all of these. `latest` is the newest that is on npm.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ensureEngine, temporaryFolder } from '../n8n-host/install.ts';
import { record } from '../n8n-host/json.ts';
import type { Engine } from '../n8n-host/versions.ts';
import { N8N_VERSIONS, findVersion } from '../n8n-host/versions.ts';

const LONGEST_PAUSE_DAYS = 60;

/** One row of the table. */
interface Outcome {
	n8n: string;
	'n8n-core': string;
	passed: number;
	failed: number;
	/** Tests of what this n8n does not have */
	absent: number;
	seconds: number;
}

function chosen(name: string): Engine[] {
	if (name === 'oldest') return [N8N_VERSIONS[0]];
	return name === 'latest' ? latestOnNpm() : [findVersion(name)];
}

/**
 * The newest n8n on npm; none, with a notice, if that is old, as n8n comes out every week, or has no engine, as from n8n 3 on,
 * which is a Docker image.
 */
function latestOnNpm(): Engine[] {
	const view = ['view', 'n8n@latest', 'version', 'dependencies', 'time', '--json'];
	const told = record(JSON.parse(execFileSync('npm', view, { encoding: 'utf8' })));
	const n8n = String(told.version);
	const { 'n8n-core': core, 'n8n-workflow': workflow } = record(told.dependencies);
	const days = (Date.now() - Date.parse(String(record(told.time)[n8n]))) / 86_400_000;
	const isNew = days <= LONGEST_PAUSE_DAYS;
	if (isNew && typeof core === 'string' && typeof workflow === 'string')
		return [{ n8n, engine: { 'n8n-core': core, 'n8n-workflow': workflow } }];
	console.log(
		`Nothing to test: the newest n8n on npm, ${n8n}, is old or has no engine. Read the versions of n8n-core and n8n-workflow in the Docker image of n8n, and add them to test/n8n-host/versions.ts.`,
	);
	return [];
}

async function testOn(version: Engine, scratch: string): Promise<Outcome> {
	const { n8n, engine } = version;
	const folder = await ensureEngine(version);
	console.error(`\nn8n ${n8n}, n8n-core ${engine['n8n-core']}`);
	const started = Date.now();
	const report = join(scratch, `${n8n}.json`);
	const jest = 'node_modules/jest/bin/jest.js';
	const config = 'test/engine/versions.jest.config.cjs';
	spawnSync(process.execPath, [jest, '--config', config, '--json', '--outputFile', report], {
		// The report goes to its file; what Jest says while it runs goes to stderr.
		stdio: ['ignore', 'ignore', 'inherit'],
		env: {
			...process.env,
			LINKSTORE_ENGINE: folder,
		},
	});
	const told = record(JSON.parse(readFileSync(report, 'utf8')));
	return {
		n8n,
		'n8n-core': engine['n8n-core'],
		passed: Number(told.numPassedTests),
		failed: Number(told.numFailedTests) + Number(told.numRuntimeErrorTestSuites),
		absent: Number(told.numPendingTests),
		seconds: Math.round((Date.now() - started) / 1000),
	};
}

try {
	await using stack = new AsyncDisposableStack();
	const scratch = await temporaryFolder(stack, 'versions');
	const wanted = process.argv.slice(2);
	const versions = wanted.length === 0 ? N8N_VERSIONS : wanted.flatMap(chosen);
	const outcomes: Outcome[] = [];
	for (const version of versions) outcomes.push(await testOn(version, scratch));
	console.table(Object.fromEntries(outcomes.map(({ n8n, ...outcome }) => [n8n, outcome])));
	if (outcomes.some(({ passed, failed }) => failed > 0 || passed === 0)) process.exitCode = 1;
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
