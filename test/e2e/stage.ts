import { resolve } from 'node:path';

import type { JsonRecord } from '../n8n-host/json.ts';
import { list, record, texts } from '../n8n-host/json.ts';
import type { SandboxAccess } from '../n8n-host/instance.ts';
import { projectRoot } from '../n8n-host/project.ts';
import { until } from '../n8n-host/until.ts';

/** What the global setup has built up for the suites. */
export interface Stage extends SandboxAccess {
	n8nUrl: string;
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

/** Whether more runs than what every change has to pass: `npm run test:e2e -- all`. */
export function isAll(): boolean {
	return process.env.E2E_ALL === '1';
}

export function publishStage(stage: Stage): void {
	process.env[VARIABLE] = JSON.stringify(stage);
}

/** @throws Error when the global setup did not run */
export function theStage(): Stage {
	const published = process.env[VARIABLE];
	if (published === undefined) throw new Error('Run this with npm run test:e2e');
	const access = ['linkUrl', 'linkApiKey', 'storeUrl', 'storeApiKey'] as const;
	return texts(JSON.parse(published), 'n8nUrl', 'tarball', ...access);
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
