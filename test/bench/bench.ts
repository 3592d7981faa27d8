import { join } from 'node:path';

import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { removeFolder } from '../e2e/folders.ts';
import { resultsFolder } from '../e2e/stage.ts';
import type { Step } from '../e2e/workflow.ts';
import { webhookChain } from '../e2e/workflow.ts';
import type { CredentialRef, ExecutionResult, N8nClient } from '../n8n-host/client.ts';
import { packPackage, temporaryFolder } from '../n8n-host/community-package.ts';
import type { N8nInstall } from '../n8n-host/install.ts';
import { ensureN8n } from '../n8n-host/install.ts';
import type { SandboxAccess } from '../n8n-host/instance.ts';
import { sandboxCredentials, startInstance, withCredentials } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { list, record } from '../n8n-host/json.ts';
import { freePorts } from '../n8n-host/ports.ts';

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

	async install(): Promise<N8nInstall> {
		return await ensureN8n();
	}

	/** The n8n that the sections share: all of its nodes are loaded after a while, as in one that has run for long. */
	async n8n(): Promise<BenchN8n> {
		this.shared ??= this.newN8n();
		return await this.shared;
	}

	private async newN8n(): Promise<BenchN8n> {
		const [port = 0, brokerPort = 0] = await freePorts(2);
		const { host, client } = await startInstance({
			install: await this.install(),
			userFolder: await this.folder('n8n'),
			port,
			brokerPort,
			tarball: await this.tarball(),
			log: join(resultsFolder(), 'n8n.log'),
		});
		this.undo.push(async () => await host.kill());
		return new BenchN8n(client);
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

/** All links of an account, as the service itself lists them. */
export async function linksOf({ linkUrl, linkApiKey }: SandboxAccess): Promise<JsonRecord[]> {
	const response = await fetch(`${linkUrl}/api/urls?limit=1000000`, {
		headers: { authorization: `Bearer ${linkApiKey}` },
	});
	const answer: unknown = await response.json();
	return list(record(record(answer).data).urls).map(record);
}

/** A real n8n with the package. Everything runs as in production: published workflows, called by their webhooks. */
export class BenchN8n {
	private readonly client: N8nClient;
	private credentials: CredentialRef[] = [];
	private published = 0;

	constructor(client: N8nClient) {
		this.client = client;
	}

	/** Points both credentials to these services; workflows published from now on use them. */
	async connect(access: SandboxAccess, requestsPerMinute: number): Promise<void> {
		this.credentials = [];
		for (const input of sandboxCredentials(access, requestsPerMinute)) {
			this.credentials.push(await this.client.saveCredential(input));
		}
	}

	async publish(steps: Step[]): Promise<Published> {
		this.published += 1;
		const path = `bench-${this.published}`;
		const workflow = webhookChain(path, path, 'lastNode', steps);
		const id = await this.client.publish(withCredentials(workflow, this.credentials));
		return new Published(this.client, id, path);
	}
}

/** A published workflow. */
export class Published {
	private readonly client: N8nClient;
	private readonly id: string;
	private readonly path: string;

	constructor(client: N8nClient, id: string, path: string) {
		this.client = client;
		this.id = id;
		this.path = path;
	}

	/** Runs it to its end, and gives what n8n has saved of it. @throws Error when it fails */
	async run(rows: JsonRecord[] = [{}]): Promise<ExecutionResult> {
		await this.client.callWebhook(this.path, { rows });
		const [newest] = await this.client.allEnded(this.id, 1);
		if (newest === undefined) throw new Error(`n8n has saved no execution of ${this.path}`);
		return await this.client.finished(newest.id);
	}
}

/** Milliseconds that n8n has counted for these nodes. */
export function millisecondsOf({ runs }: ExecutionResult, ...nodes: string[]): number {
	return nodes
		.flatMap((node) => runs[node] ?? [])
		.reduce((sum, { executionTimeMs }) => sum + executionTimeMs, 0);
}
