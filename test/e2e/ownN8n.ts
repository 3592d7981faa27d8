import { join } from 'node:path';

import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { CredentialRef, N8nClient, WorkflowJson } from '../n8n-host/client.ts';
import { removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';
import type { Instance } from '../n8n-host/instance.ts';
import {
	demoAccess,
	saveSandboxCredentials,
	startInstance,
	withCredentials,
} from '../n8n-host/instance.ts';
import { resultsFolder } from './stage.ts';

interface OwnN8nOptions {
	/** Names its log */
	name: string;
	/** The packed package */
	tarball: string;
	env?: Record<string, string>;
	sandbox?: SandboxOptions;
}

/** An n8n with the package and credentials for both services, which are its own, too. */
export class OwnN8n {
	readonly sandbox: Sandbox;
	/** Its data, which stays when it is started again */
	readonly folder: string;
	readonly logFile: string;
	credentials: CredentialRef[] = [];
	private readonly options: OwnN8nOptions;
	private running: Instance | undefined;

	private constructor(options: OwnN8nOptions, sandbox: Sandbox, folder: string) {
		this.options = options;
		this.sandbox = sandbox;
		this.folder = folder;
		this.logFile = join(resultsFolder(), `n8n-${options.name}.log`);
	}

	/** @param stack ends it, and its services */
	static async open(stack: AsyncDisposableStack, options: OwnN8nOptions): Promise<OwnN8n> {
		const folder = stack.adopt(await temporaryFolder(`e2e-${options.name}`), removeFolder);
		const sandbox = await startSandbox({ seed: 'demo', ...options.sandbox });
		stack.defer(async () => await sandbox.stop());
		const n8n = new OwnN8n(options, sandbox, folder);
		stack.defer(async () => await n8n.stop());
		await n8n.start();
		n8n.credentials = await saveSandboxCredentials(n8n.client, demoAccess(sandbox));
		return n8n;
	}

	/** Logged in as the owner */
	get client(): N8nClient {
		if (this.running === undefined) throw new Error('n8n does not run');
		return this.running.client;
	}

	async start(): Promise<void> {
		const { tarball, env = {} } = this.options;
		const { folder: userFolder, logFile: log } = this;
		this.running = await startInstance({ userFolder, tarball, log, env });
	}

	/** As a service manager ends it. */
	async stop(): Promise<void> {
		await this.running?.host.stop();
		this.running = undefined;
	}

	/** As a crash ends it: n8n has no chance to write down anything. */
	async kill(): Promise<void> {
		await this.running?.host.kill();
		this.running = undefined;
	}

	/** Publishes the workflow with its credentials picked. Gives its id. */
	async publish(workflow: WorkflowJson): Promise<string> {
		return await this.client.publish(withCredentials(workflow, this.credentials));
	}
}
