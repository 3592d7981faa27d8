import { join, resolve } from 'node:path';

import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { CredentialRef, N8nClient, WorkflowJson } from '../n8n-host/client.ts';
import { installPackage, temporaryFolder } from '../n8n-host/install.ts';
import type { Instance } from '../n8n-host/instance.ts';
import { sandboxCredentials, startInstance, withCredentials } from '../n8n-host/instance.ts';
import { expectNoKeys } from './keys.ts';

/** Where screenshots and logs are left, for people to look at. */
export const RESULTS = resolve('test-results');

interface OwnN8nOptions {
	/** Names its log */
	name: string;
	env?: Record<string, string>;
	/** What is stored beyond the folder */
	dump?: () => Promise<Buffer>;
	sandbox?: SandboxOptions;
}

/** An n8n with the packed package and credentials for both services, which are its own, too. */
export class OwnN8n {
	readonly sandbox: Sandbox;
	/** Its data, which stays when it is started again */
	readonly folder: string;
	readonly logFile: string;
	credentials: CredentialRef[] = [];
	private readonly env: Record<string, string>;
	private running: Instance | undefined;

	private constructor({ name, env = {} }: OwnN8nOptions, sandbox: Sandbox, folder: string) {
		this.env = env;
		this.sandbox = sandbox;
		this.folder = folder;
		this.logFile = join(RESULTS, `n8n-${name}.log`);
	}

	/** @param stack ends it, and its services, and looks for the keys in what it leaves */
	static async open(stack: AsyncDisposableStack, options: OwnN8nOptions): Promise<OwnN8n> {
		const folder = await temporaryFolder(stack, `e2e-${options.name}`);
		await installPackage(folder);
		const sandbox = await startSandbox({ seed: 'demo', ...options.sandbox });
		stack.defer(async () => await sandbox.stop());
		const n8n = new OwnN8n(options, sandbox, folder);
		stack.defer(async () => {
			await n8n.running?.host.stop();
			expectNoKeys([folder, RESULTS], await options.dump?.());
		});
		await n8n.start();
		n8n.credentials = await n8n.client.createCredentials(sandboxCredentials(sandbox));
		return n8n;
	}

	/** Logged in as the owner */
	get client(): N8nClient {
		if (this.running === undefined) throw new Error('n8n does not run');
		return this.running.client;
	}

	async start(): Promise<void> {
		const { folder: userFolder, logFile: log, env } = this;
		this.running = await startInstance({ userFolder, log, env });
	}

	/** As a crash ends it: n8n has no chance to write down anything. */
	async kill(): Promise<void> {
		await this.running?.host.kill();
		this.running = undefined;
	}

	/** The workflow with its credentials picked. */
	ready(workflow: WorkflowJson): WorkflowJson {
		return withCredentials(workflow, this.credentials);
	}
}
