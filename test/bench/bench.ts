import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { resultsFolder } from '../e2e/stage.ts';
import type { Step } from '../e2e/workflow.ts';
import { ROWS, webhookChain } from '../e2e/workflow.ts';
import type { CredentialRef, ExecutionResult, N8nClient } from '../n8n-host/client.ts';
import { packPackage, removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';
import type { SandboxAccess } from '../n8n-host/instance.ts';
import { saveSandboxCredentials, startInstance, withCredentials } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';

/** A service that lets everything through. */
export const NO_LIMIT = { requests: 0, windowSeconds: 60 };

/** What the sections measure with: the packed package, n8n and the services, each started when it is wanted. */
export class Bench {
	/** What `stop` has to undo, the last first. */
	private readonly undo: Array<() => Promise<void>> = [];
	private packed: Promise<string> | undefined;
	private shared: Promise<BenchN8n> | undefined;

	/** The package as it would be published. */
	async tarball(): Promise<string> {
		this.packed ??= this.folder('package').then(packPackage);
		return await this.packed;
	}

	/** The n8n that the sections share: all of its nodes are loaded after a while, as in one that has run for long. */
	async n8n(): Promise<BenchN8n> {
		this.shared ??= this.newN8n();
		return await this.shared;
	}

	private async newN8n(): Promise<BenchN8n> {
		const userFolder = await this.folder('n8n');
		const log = join(resultsFolder(), 'n8n.log');
		const tarball = await this.tarball();
		const { host, client } = await startInstance({ userFolder, tarball, log });
		this.undo.push(async () => await host.kill());
		return new BenchN8n(client, host.pid);
	}

	/** Both services, in this process, which does nothing else while n8n is measured. */
	async sandbox(options: SandboxOptions): Promise<Sandbox> {
		const sandbox = await startSandbox(options);
		this.undo.push(async () => await sandbox.stop());
		return sandbox;
	}

	private async folder(purpose: string): Promise<string> {
		const folder = await temporaryFolder(`bench-${purpose}`);
		this.undo.push(async () => await removeFolder(folder));
		return folder;
	}

	async stop(): Promise<void> {
		for (let step = this.undo.pop(); step !== undefined; step = this.undo.pop()) await step();
	}
}

/** A real n8n with the package. Everything runs as in production: published workflows, called by their webhooks. */
export class BenchN8n {
	private readonly client: N8nClient;
	private credentials: CredentialRef[] = [];
	private published = 0;

	private readonly pid: number;

	constructor(client: N8nClient, pid: number) {
		this.client = client;
		this.pid = pid;
	}

	/** What n8n uses of the memory. */
	async memory(): Promise<{ now: number; most: number }> {
		return await memoryOf(this.pid);
	}

	/** Points both credentials to these services; workflows published from now on use them. */
	async connect(access: SandboxAccess, requestsPerMinute: number): Promise<void> {
		this.credentials = await saveSandboxCredentials(this.client, access, {
			data: { requestsPerMinute },
		});
	}

	/**
	 * @param mergedIn a step whose second input is the rows
	 * @returns runs it to its end with these rows, and gives what n8n has saved of it; throws Error when it fails
	 */
	async publish(
		steps: Step[],
		mergedIn?: string,
	): Promise<{ run(rows: JsonRecord[]): Promise<ExecutionResult> }> {
		this.published += 1;
		const path = `bench-${this.published}`;
		const { client } = this;
		const workflow = webhookChain(path, path, 'lastNode', steps);
		if (mergedIn !== undefined) {
			const inputs = [steps[0]?.name, mergedIn].map((node, index) => ({
				node,
				type: 'main',
				index,
			}));
			workflow.connections[ROWS] = { main: [inputs] };
		}
		const id = await client.publish(withCredentials(workflow, this.credentials));
		return {
			async run(rows) {
				await client.callWebhook(path, { rows });
				const [newest] = await client.allEnded(id, 1);
				if (newest === undefined) throw new Error(`n8n has saved no execution of ${path}`);
				return await client.finished(newest.id);
			},
		};
	}
}

/** What a process uses of the memory now, and the most since this was asked last, in MB; on Linux only. */
async function memoryOf(pid: number): Promise<{ now: number; most: number }> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
	const member = (name: string): number =>
		Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
	// 5: begin to count the most from here.
	await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
	return { now: member('VmRSS'), most: member('VmHWM') };
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
		.reduce((sum, { executionTimeMs }) => sum + executionTimeMs, 0);
}
