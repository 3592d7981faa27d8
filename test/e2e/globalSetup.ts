import { mkdir, rm } from 'node:fs/promises';

import { packPackage, temporaryFolder } from '../n8n-host/community-package.ts';
import { ensureN8n } from '../n8n-host/install.ts';
import { demoAccess } from '../n8n-host/instance.ts';
import { OwnN8n } from './ownN8n.ts';
import { ensureProgram, PROGRAM_NAMES } from './programs.ts';
import { publishStages, resultsFolder } from './stage.ts';

/** The documented limit in a shorter window, so that nobody waits for a minute. */
const RATE_LIMIT = { requests: 30, windowSeconds: 2 };

/** What the teardown has to undo, the last first. Jest runs both in one process. */
const undo: Array<() => Promise<void>> = [];

/** Packs the built package and sets up, for each worker, a sandbox and an n8n that has it installed. */
export default async function setUp({ maxWorkers }: { maxWorkers: number }): Promise<void> {
	// Jest ends at once when it is interrupted; leaving by `exit` lets n8n be ended too.
	process.once('SIGINT', () => process.exit(130));
	process.once('SIGTERM', () => process.exit(143));
	try {
		await buildStages(maxWorkers);
	} catch (error) {
		await tearDown();
		throw error;
	}
}

export async function tearDown(): Promise<void> {
	for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
}

async function buildStages(count: number): Promise<void> {
	const started = Date.now();
	const report = (line: string) => process.stderr.write(`${line}\n`);

	const results = resultsFolder();
	await rm(results, { recursive: true, force: true });
	await mkdir(results, { recursive: true });
	const folder = await temporaryFolder('e2e');
	undo.push(async () => await rm(folder, { recursive: true, force: true }));

	await ensureN8n();
	// Here, because two workers cannot install at the same time.
	for (const name of PROGRAM_NAMES) {
		try {
			ensureProgram(name);
		} catch {
			// Only the suites that need it fail for that, and say it.
		}
	}
	const tarball = await packPackage(folder);
	const opening = Array.from({ length: count }, async (_, index) => {
		const name = `worker-${index + 1}`;
		const n8n = await OwnN8n.open({ name, tarball, sandbox: { rateLimit: RATE_LIMIT } });
		undo.push(async () => await n8n.close());
		const { logFile, client, sandbox } = n8n;
		return { ...demoAccess(sandbox), n8nUrl: client.url, folder: n8n.folder, logFile, tarball };
	});
	await Promise.allSettled(opening);
	publishStages(await Promise.all(opening));
	report(`${count} × n8n and sandbox ready after ${Math.round((Date.now() - started) / 1000)} s.`);
}
