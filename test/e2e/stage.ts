import { resolve } from 'node:path';

import { isRecord, record, text } from '../n8n-host/json.ts';
import type { SandboxAccess } from '../n8n-host/instance.ts';
import { projectRoot } from '../n8n-host/project.ts';

/** What the global setup has built up, and the suites share. */
export interface Stage extends SandboxAccess {
	n8nUrl: string;
	n8nPid: number;
	/** n8n's data is in `.n8n` in here */
	userFolder: string;
	logFile: string;
	/** The packed package */
	tarball: string;
}

const VARIABLE = 'LINKSTORE_E2E_STAGE';

/**
 * Where screenshots and logs are left, for people to look at. `E2E_RESULTS` names another folder than `test-results`, for
 * a run beside another one: each begins with an empty folder.
 */
export function resultsFolder(): string {
	return resolve(projectRoot(), process.env.E2E_RESULTS ?? 'test-results');
}

export function publishStage(stage: Stage): void {
	process.env[VARIABLE] = JSON.stringify(stage);
}

/** @throws Error when the global setup did not run */
export function theStage(): Stage {
	const published: unknown = JSON.parse(process.env[VARIABLE] ?? 'null');
	if (!isRecord(published)) throw new Error('Run this with npm run test:e2e');
	const read = (name: keyof Stage) => text(record(published)[name], name);
	return {
		n8nUrl: read('n8nUrl'),
		n8nPid: Number(published.n8nPid),
		userFolder: read('userFolder'),
		logFile: read('logFile'),
		tarball: read('tarball'),
		linkUrl: read('linkUrl'),
		linkApiKey: read('linkApiKey'),
		storeUrl: read('storeUrl'),
		storeApiKey: read('storeApiKey'),
	};
}
