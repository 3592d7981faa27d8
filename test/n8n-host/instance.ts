import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import type { INode } from 'n8n-workflow';

import { DEMO } from '../../sandbox/demo.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { CredentialInput, CredentialRef, Owner, WorkflowJson } from './client.ts';
import { N8nClient } from './client.ts';
import type { N8nHostOptions } from './host.ts';
import { startN8n } from './host.ts';
import type { JsonRecord } from './json.ts';

/** The owner account of every n8n that tests start. It listens on loopback only and holds no real data. */
export const DEMO_OWNER: Owner = {
	email: 'demo@example.com',
	password: 'Linkstore-demo-1',
	firstName: 'Demo',
	lastName: 'Marketer',
};

export type Instance = Awaited<ReturnType<typeof startInstance>>;

/** Starts an n8n that has this package installed as a community package. Its client is logged in as the owner. */
export async function startInstance(options: N8nHostOptions, owner = DEMO_OWNER) {
	const host = await startN8n(options);
	try {
		const client = new N8nClient(host.url);
		await client.setUpOwner(owner);
		const types = await client.nodeTypes();
		const isLoaded = types.some((name) => name.startsWith('n8n-nodes-linkstore'));
		if (!isLoaded) throw new Error(`n8n did not load the package; ${host.logFile} says why`);
		return { host, client };
	} catch (error) {
		await host.kill();
		throw error;
	}
}

/**
 * The credentials for a sandbox with the demo accounts, under the names that n8n proposes for new credentials of these types.
 *
 * @param more fields that have another value than the preset
 */
export function sandboxCredentials(sandbox: Sandbox, more: JsonRecord = {}): CredentialInput[] {
	const common = { moreSettings: true, ...more };
	return [
		{
			name: 'Link Management account',
			type: 'linkManagementApi',
			data: { baseUrl: sandbox.linkUrl, apiKey: DEMO.link.apiKey, ...common },
		},
		{
			name: 'Store account',
			type: 'storeApi',
			data: { baseUrl: sandbox.storeUrl, apiKey: DEMO.store.apiKey, ...common },
		},
	];
}

/** @param file below `examples` */
export async function readExample(file: string): Promise<WorkflowJson> {
	return JSON.parse(await readFile(`examples/${file}`, 'utf8')) as WorkflowJson;
}

/** The workflows in `examples`, by file name, in alphabetical order. */
export async function readExamples(): Promise<Map<string, WorkflowJson>> {
	const files = globSync('*.json', { cwd: 'examples' }).sort();
	const read = async (file: string) => [file, await readExample(file)] as const;
	return new Map(await Promise.all(files.map(read)));
}

/** The type of credential that nodes take, by the end of their own type. */
const BY_NODE: Record<string, string> = {
	googleSheets: 'googleSheetsOAuth2Api',
	linkManagement: 'linkManagementApi',
	store: 'storeApi',
	lmChatOpenAi: 'openAiApi',
};
/** The same, by what they say under *Authentication*. */
const BY_AUTHENTICATION: Record<string, string> = {
	basicAuth: 'httpBasicAuth',
	bearerAuth: 'httpBearerAuth',
};

function credentialTypeOf({ type, parameters }: INode): string | undefined {
	const name = type.replace(/^.*\./, '').replace(/(?:Tool|Trigger)$/, '');
	const { authentication = '', nodeCredentialType } = parameters as Record<string, string>;
	return BY_NODE[name] ?? BY_AUTHENTICATION[authentication] ?? nodeCredentialType;
}

/** As n8n's editor does it for an imported workflow: each node gets the credential of its type. Examples name none. */
export function withCredentials(
	workflow: WorkflowJson,
	credentials: CredentialRef[],
): WorkflowJson {
	const nodes = workflow.nodes.map((node) => {
		const wanted = credentialTypeOf(node);
		const found = credentials.find(({ type }) => type === wanted);
		if (found === undefined) return node;
		return { ...node, credentials: { [found.type]: { id: found.id, name: found.name } } };
	});
	return { ...workflow, nodes };
}
