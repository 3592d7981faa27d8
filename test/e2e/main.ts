/**
 * The packed package in a real n8n, with a real browser.
 *
 *     npm run test:e2e [-- all | part of a suite's name ...]
 *
 * Without a word, what the gate runs; `all` before a release, and once a week.
 */
import { spawnSync } from 'node:child_process';

/** What every change has to pass, in three starts of n8n. */
const GATE = '/(editor|examples|triggers)\\.test\\.ts$';

const words = process.argv.slice(2);
const isAll = words.includes('all');
const parts = words.length === 0 ? [GATE] : words.filter((word) => word !== 'all');
const jest = ['node_modules/jest/bin/jest.js', '--config', 'test/e2e/jest.config.cjs'];
const env = { ...process.env, E2E_ALL: isAll ? '1' : '' };
const { status } = spawnSync(process.execPath, [...jest, ...parts], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
