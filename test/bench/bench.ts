import type { Sandbox } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { OwnN8n } from '../e2e/ownN8n.ts';
import type { Step } from '../e2e/workflow.ts';
import { webhookChain } from '../e2e/workflow.ts';
import type { ExecutionResult } from '../n8n-host/client.ts';
import { sandboxCredentials } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';

/** A service that lets everything through. */
const NO_LIMIT = { requests: 0, windowSeconds: 60 };

export type Bench = Awaited<ReturnType<typeof openBench>>;

/**
 * A real n8n with the packed package, and the services, in this process, which does nothing else while n8n is measured.
 * Workflows run as in production: published, and called by their webhooks.
 */
export async function openBench(stack: AsyncDisposableStack) {
	const n8n = await OwnN8n.open(stack, { name: 'bench' });
	const { client } = n8n;
	let published = 0;
	return {
		/** Services with so many links, to which both credentials point from now on. */
		async connect(links: number): Promise<Sandbox> {
			const sandbox = await startSandbox({ seed: links, rateLimit: NO_LIMIT });
			stack.defer(async () => await sandbox.stop());
			n8n.credentials = await Promise.all(
				sandboxCredentials(sandbox, { requestsPerMinute: 0 }).map(
					async (input) => await client.createCredential(input),
				),
			);
			return sandbox;
		},
		/** @returns runs it to its end with these rows, and gives what n8n has saved of it; throws Error when it fails */
		async publish(step: Step): Promise<(rows: JsonRecord[]) => Promise<ExecutionResult>> {
			published += 1;
			const path = `bench-${published}`;
			const workflow = webhookChain(path, path, 'lastNode', [step]);
			const id = await client.publish(n8n.ready(workflow));
			return async (rows) => {
				await client.callWebhook(path, { rows });
				const [newest] = await client.allEnded(id, 1);
				if (newest === undefined) throw new Error(`n8n has saved no execution of ${path}`);
				return await client.finished(newest.id);
			};
		},
	};
}
