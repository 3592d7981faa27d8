import { resolve } from 'node:path';

import { isRecord, list, record, text } from '../n8n-host/json.ts';
import type { SandboxAccess } from '../n8n-host/instance.ts';
import { projectRoot } from '../n8n-host/project.ts';

/** What the global setup has built up for the suites of one worker. */
export interface Stage extends SandboxAccess {
	n8nUrl: string;
	/** n8n's data is in `n8n/.n8n` in here */
	folder: string;
	logFile: string;
	/** The packed package */
	tarball: string;
}

const VARIABLE = 'LINKSTORE_E2E_STAGES';

/**
 * Where screenshots and logs are left, for people to look at. `E2E_RESULTS` names another folder than `test-results`, for
 * a run beside another one: each begins with an empty folder.
 */
export function resultsFolder(): string {
	return resolve(projectRoot(), process.env.E2E_RESULTS ?? 'test-results');
}

/** One for each worker. */
export function publishStages(stages: Stage[]): void {
	process.env[VARIABLE] = JSON.stringify(stages);
}

/** All of them, for the suite that searches what the others have left. */
export function allStages(): Stage[] {
	return list(JSON.parse(process.env[VARIABLE] ?? '[]')).map(stageOf);
}

/** That of the worker in which this suite runs. @throws Error when the global setup did not run */
export function theStage(): Stage {
	const stage = allStages()[Number(process.env.JEST_WORKER_ID) - 1];
	if (stage === undefined) throw new Error('Run this with npm run test:e2e');
	return stage;
}

function stageOf(published: unknown): Stage {
	if (!isRecord(published)) throw new Error('This is no stage');
	const read = (name: keyof Stage) => text(record(published)[name], name);
	return {
		n8nUrl: read('n8nUrl'),
		folder: read('folder'),
		logFile: read('logFile'),
		tarball: read('tarball'),
		linkUrl: read('linkUrl'),
		linkApiKey: read('linkApiKey'),
		storeUrl: read('storeUrl'),
		storeApiKey: read('storeApiKey'),
	};
}
