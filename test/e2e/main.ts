/**
 * The packed package in a real n8n, with a real browser.
 *
 *     npm run test:e2e [-- all | part of a suite's name ...]
 *
 * Without a word, what the gate runs; `all` before a release, and once a week.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

import { ensureN8n } from '../n8n-host/install.ts';
import { RESULTS } from './ownN8n.ts';
import { installPrograms } from './programs.ts';

/** What every change has to pass. */
const GATE = '/(editor|examples)\\.test\\.ts$';

const words = process.argv.slice(2);
const isAll = words.includes('all');
await ensureN8n();
installPrograms('chromium', ...(isAll ? (['postgres', 'redis'] as const) : []));
rmSync(RESULTS, { recursive: true, force: true });

const suites = words.length === 0 ? [GATE] : words.filter((word) => word !== 'all');
const jest = ['node_modules/jest/bin/jest.js', '--config', 'test/e2e/jest.config.cjs'];
const { status } = spawnSync(process.execPath, [...jest, ...suites], { stdio: 'inherit' });
process.exitCode = status ?? 1;
