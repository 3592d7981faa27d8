import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { DEMO } from '../../sandbox/demo.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type {
	CredentialInput,
	CredentialRef,
	Owner,
	WorkflowJson,
	WorkflowNode,
} from './client.ts';
import { N8nClient } from './client.ts';
import { installCommunityPackage } from './community-package.ts';
import type { N8nHost, N8nHostOptions } from './host.ts';
import { startN8n } from './host.ts';
import type { JsonRecord } from './json.ts';
import { projectRoot } from './project.ts';

/** The owner account of every n8n that tests start. It listens on loopback only and holds no real data. */
export const DEMO_OWNER: Owner = {
	email: 'demo@example.com',
	password: 'Linkstore-demo-1',
	firstName: 'Demo',
	lastName: 'Marketer',
};

export interface InstanceOptions extends N8nHostOptions {
	/** The packed package */
	tarball: string;
	/** Default: that of the tests */
	owner?: Owner;
}

export interface Instance {
	host: N8nHost;
	/** Logged in as the owner */
	client: N8nClient;
}

/** An n8n with this package installed as a community package and with an owner account. */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
	const packageName = await installCommunityPackage(options.userFolder, options.tarball);
	const host = await startN8n(options);
	try {
		const client = new N8nClient(host.url);
		await client.setUpOwner(options.owner ?? DEMO_OWNER);
		const types = await client.nodeTypes();
		const isLoaded = types.some((name) => name.startsWith(`${packageName}.`));
		if (!isLoaded) throw new Error(`n8n did not load the package; ${host.logFile} says why`);
		return { host, client };
	} catch (error) {
		await host.kill();
		throw error;
	}
}

export interface SandboxAccess {
	linkUrl: string;
	linkApiKey: string;
	storeUrl: string;
	storeApiKey: string;
}

/** What opens a sandbox that was seeded. */
export const demoAccess = ({ linkUrl, storeUrl }: Sandbox): SandboxAccess => ({
	linkUrl,
	linkApiKey: DEMO.link.apiKey,
	storeUrl,
	storeApiKey: DEMO.store.apiKey,
});

/**
 * The credentials for the sandbox. Their names are those that n8n proposes for new credentials of these types, so
 * that the examples, which name them, find them in any n8n.
 */
export function sandboxCredentials(access: SandboxAccess): CredentialInput[] {
	const { linkUrl, linkApiKey, storeUrl, storeApiKey } = access;
	const moreSettings = true;
	const link = { baseUrl: linkUrl, apiKey: linkApiKey, moreSettings };
	const store = { baseUrl: storeUrl, apiKey: storeApiKey, moreSettings };
	return [
		{ name: 'Link Management account', type: 'linkManagementApi', data: link },
		{ name: 'Store account', type: 'storeApi', data: store },
	];
}

/** @param options a `suffix` of their names, to tell them from those that others use, and `data` that differs */
export async function saveSandboxCredentials(
	client: N8nClient,
	access: SandboxAccess,
	{ suffix = '', data = {} }: { suffix?: string; data?: JsonRecord } = {},
): Promise<CredentialRef[]> {
	const saved: CredentialRef[] = [];
	for (const { name, type, data: usual } of sandboxCredentials(access)) {
		const input = { name: `${name} ${suffix}`.trim(), type, data: { ...usual, ...data } };
		saved.push(await client.saveCredential(input));
	}
	return saved;
}

/** The workflows in `examples/`, by file name, in alphabetical order. */
export async function readExamples(): Promise<Map<string, WorkflowJson>> {
	const files = (await readdir(join(projectRoot(), 'examples'))).filter((name) =>
		name.endsWith('.json'),
	);
	const read = async (name: string) => [name, await readWorkflow(`examples/${name}`)] as const;
	return new Map(await Promise.all(files.sort().map(read)));
}

/** @param file below this package's folder */
export async function readWorkflow(file: string): Promise<WorkflowJson> {
	return JSON.parse(await readFile(join(projectRoot(), file), 'utf8')) as WorkflowJson;
}

/**
 * A copy of the workflow whose nodes point to these credentials: to the one of the name and type that the node asks for,
 * else to the first of that type.
 */
export function withCredentials(
	workflow: WorkflowJson,
	credentials: CredentialRef[],
): WorkflowJson {
	const resolve = (wanted: NonNullable<WorkflowNode['credentials']>) =>
		Object.entries(wanted).map(([type, { name, ...rest }]) => {
			const ofType = credentials.filter((credential) => credential.type === type);
			const found = ofType.find((credential) => credential.name === name) ?? ofType[0];
			return [type, found ? { id: found.id, name: found.name } : { name, ...rest }] as const;
		});
	const nodes = workflow.nodes.map((node) =>
		node.credentials
			? { ...node, credentials: Object.fromEntries(resolve(node.credentials)) }
			: node,
	);
	return { ...workflow, nodes };
}
