import { resolve } from 'node:path';

import type { JsonRecord } from '../n8n-host/json.ts';
import { list, record, texts } from '../n8n-host/json.ts';
import type { SandboxAccess } from '../n8n-host/instance.ts';
import { projectRoot } from '../n8n-host/project.ts';
import { until } from '../n8n-host/until.ts';

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
	const access = ['linkUrl', 'linkApiKey', 'storeUrl', 'storeApiKey'] as const;
	return list(JSON.parse(process.env[VARIABLE] ?? '[]')).map((published) =>
		texts(published, 'n8nUrl', 'folder', 'logFile', 'tarball', ...access),
	);
}

/** That of the worker in which this suite runs. @throws Error when the global setup did not run */
export function theStage(): Stage {
	const stage = allStages()[Number(process.env.JEST_WORKER_ID) - 1];
	if (stage === undefined) throw new Error('Run this with npm run test:e2e');
	return stage;
}

/** All links of an account, as the service itself lists them; `asking` names who asks, to tell these requests from others. */
export async function linksOf(
	{ linkUrl, linkApiKey }: Pick<SandboxAccess, 'linkUrl' | 'linkApiKey'>,
	asking = 'test',
): Promise<JsonRecord[]> {
	return await until(async () => {
		const response = await fetch(`${linkUrl}/api/urls?limit=1000000`, {
			headers: { authorization: `Bearer ${linkApiKey}`, 'user-agent': asking },
		});
		const answer = record(await response.json());
		// The limit may be used up for the moment.
		return response.status === 200 && list(record(answer.data).urls).map(record);
	}, 'the list of links');
}
