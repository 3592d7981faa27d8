import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { startSandbox } from '../../sandbox/sandbox.ts';
import { packPackage, temporaryFolder } from '../n8n-host/community-package.ts';
import { ensureN8n } from '../n8n-host/install.ts';
import { demoAccess, sandboxCredentials, startInstance } from '../n8n-host/instance.ts';
import { freePorts } from '../n8n-host/ports.ts';
import { publishStage, resultsFolder } from './stage.ts';

/** What the teardown has to undo, the last first. Jest runs both in one process. */
const undo: Array<() => Promise<void>> = [];

/** Packs the built package and sets up, once for all suites, a sandbox and an n8n that has it installed. */
export default async function setUp(): Promise<void> {
	// Jest ends at once when it is interrupted; leaving by `exit` lets n8n be ended too.
	process.once('SIGINT', () => process.exit(130));
	process.once('SIGTERM', () => process.exit(143));
	try {
		await buildStage();
	} catch (error) {
		await tearDown();
		throw error;
	}
}

export async function tearDown(): Promise<void> {
	for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
}

async function buildStage(): Promise<void> {
	const started = Date.now();
	const report = (line: string) => process.stderr.write(`${line}\n`);

	const results = resultsFolder();
	await rm(results, { recursive: true, force: true });
	await mkdir(results, { recursive: true });
	const folder = await temporaryFolder('e2e');
	undo.push(async () => await rm(folder, { recursive: true, force: true }));

	const install = await ensureN8n({ report });
	const tarball = await packPackage(folder);

	const [port, brokerPort] = await freePorts(2);
	if (port === undefined || brokerPort === undefined) throw new Error('No free ports');
	// The documented limit in a shorter window, so that nobody waits for a minute.
	const sandbox = await startSandbox({
		seed: 'demo',
		rateLimit: { requests: 30, windowSeconds: 2 },
	});
	undo.push(async () => await sandbox.stop());

	const userFolder = join(folder, 'n8n');
	const { host, client } = await startInstance({
		install,
		userFolder,
		port,
		brokerPort,
		tarball,
		log: join(results, 'n8n.log'),
	});
	undo.push(async () => await host.stop());

	const access = demoAccess(sandbox);
	for (const credential of sandboxCredentials(access)) await client.saveCredential(credential);
	publishStage({
		...access,
		n8nUrl: host.url,
		n8nPid: host.pid,
		userFolder,
		logFile: host.logFile,
		tarball,
	});
	report(`n8n and the sandbox are ready, after ${Math.round((Date.now() - started) / 1000)} s.`);
}
