import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { OwnN8n } from '../e2e/ownN8n.ts';
import type { Step } from '../e2e/workflow.ts';
import { webhookChain } from '../e2e/workflow.ts';
import type { ExecutionResult } from '../n8n-host/client.ts';
import { sandboxCredentials } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';

/** A service that lets everything through. */
export const NO_LIMIT = { requests: 0, windowSeconds: 60 };

export type Bench = Awaited<ReturnType<typeof openBench>>;

/**
 * What the sections measure with: a real n8n with the packed package, and the services, in this process, which does nothing
 * else while n8n is measured. Workflows run as in production: published, and called by their webhooks.
 */
export async function openBench(stack: AsyncDisposableStack) {
	const n8n = await OwnN8n.open(stack, { name: 'bench' });
	const { client } = n8n;
	let published = 0;
	return {
		sandbox: async (options: SandboxOptions) =>
			stack.adopt(await startSandbox(options), async (sandbox) => await sandbox.stop()),
		/** Points both credentials to these services; workflows published from now on use them. */
		async connect(sandbox: Sandbox, requestsPerMinute: number): Promise<void> {
			n8n.credentials = await Promise.all(
				sandboxCredentials(sandbox, { requestsPerMinute }).map(
					async (input) => await client.createCredential(input),
				),
			);
		},
		/**
		 * @returns runs it to its end with these rows, and gives what n8n has saved of it; throws Error when it fails
		 */
		async publish(steps: Step[]): Promise<(rows: JsonRecord[]) => Promise<ExecutionResult>> {
			published += 1;
			const path = `bench-${published}`;
			const workflow = webhookChain(path, path, 'lastNode', steps);
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

/**
 * Measures several ways of doing the same in turns, every other round the other way round (ours, theirs, theirs, ours, …),
 * so that whatever slows the machine down for a while, or is left behind by the one before, befalls all of them. A first
 * round, in which everything is loaded, does not count.
 *
 * @returns what each way gave, round by round
 */
export async function inTurns<Result>(
	rounds: number,
	ways: Array<() => Promise<Result>>,
): Promise<Result[][]> {
	const results = ways.map(() => new Array<Result>());
	for (let round = 0; round <= rounds; round += 1) {
		const order = [...ways.entries()];
		if (round % 2 === 1) order.reverse();
		for (const [index, way] of order) {
			const result = await way();
			if (round > 0) results[index]?.push(result);
		}
	}
	return results;
}

/** Milliseconds that n8n has counted for these nodes. */
export function millisecondsOf({ runs }: ExecutionResult, ...nodes: string[]): number {
	return nodes
		.flatMap((node) => runs[node] ?? [])
		.reduce((sum, { executionTime }) => sum + executionTime, 0);
}
