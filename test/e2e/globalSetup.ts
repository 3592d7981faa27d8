import { mkdir, rm } from 'node:fs/promises';

import { packPackage, removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';
import { ensureN8n } from '../n8n-host/install.ts';
import { demoAccess } from '../n8n-host/instance.ts';
import { expectNoKeys } from './keySearch.ts';
import { OwnN8n } from './ownN8n.ts';
import { installPrograms } from './programs.ts';
import { isAll, publishStage, resultsFolder } from './stage.ts';

/** The documented limit in a shorter window, so that nobody waits for a minute. */
const RATE_LIMIT = { requests: 30, windowSeconds: 2 };

/** Jest runs the setup and the teardown in one process. */
const stack = new AsyncDisposableStack();
export const tearDown = async () => await stack.disposeAsync();

/** Packs the built package and sets up a sandbox and an n8n that has it installed. */
export default async function setUp(): Promise<void> {
	// Jest ends at once when it is interrupted; leaving by `exit` lets n8n be ended too.
	process.once('SIGINT', () => process.exit(130));
	process.once('SIGTERM', () => process.exit(143));
	await buildStage().catch(async (error: unknown) => {
		await tearDown();
		throw error;
	});
}

async function buildStage(): Promise<void> {
	const results = resultsFolder();
	await rm(results, { recursive: true, force: true });
	await mkdir(results, { recursive: true });
	const folder = stack.adopt(await temporaryFolder('e2e'), removeFolder);

	await ensureN8n();
	installPrograms('chromium', ...(isAll() ? (['redis', 'postgres'] as const) : []));
	const tarball = await packPackage(folder);
	const sandbox = { rateLimit: RATE_LIMIT };
	const n8n = await OwnN8n.open(stack, { name: 'stage', tarball, sandbox });
	stack.defer(async () => {
		await n8n.stop();
		await expectNoKeys(n8n.folder, results);
	});
	publishStage({ ...demoAccess(n8n.sandbox), n8nUrl: n8n.client.url, tarball });
}
