/**
 * Runs the end-to-end tests.
 *
 *     npm run test:e2e -- [--n8n <version>] [options of Jest, names of suites]
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { N8N_VARIABLE } from '../n8n-host/install.ts';
import { projectRoot } from '../n8n-host/project.ts';
import { PINNED, findVersion } from '../n8n-host/versions.ts';

/**
 * What runs on another n8n than the pinned one, unless suites are named. AI agents and the queue are n8n's, and change much
 * from version to version; every operation runs on its engine in `npm run test:versions`.
 */
const SUITES_ELSEWHERE = ['editor', 'triggers'];

const args = process.argv.slice(2);
const option = args.indexOf('--n8n');
const given = option < 0 ? [] : args.splice(option, 2);
const wanted = given[1] ?? process.env[N8N_VARIABLE] ?? PINNED.n8n;
const version = findVersion(wanted);
const suites = version === PINNED || args.length > 0 ? [] : SUITES_ELSEWHERE;

const jest = join(projectRoot(), 'node_modules', 'jest', 'bin', 'jest.js');
const config = join(projectRoot(), 'test', 'e2e', 'jest.config.cjs');
const { status } = spawnSync(process.execPath, [jest, '--config', config, ...args, ...suites], {
	stdio: 'inherit',
	env: { ...process.env, [N8N_VARIABLE]: version.n8n },
});
process.exitCode = status ?? 1;
