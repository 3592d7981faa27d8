import { join } from 'node:path';

import { DEMO } from '../../sandbox/demo.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { WorkflowJson } from '../n8n-host/client.ts';
import type { ServicePackage } from '../n8n-host/community-package.ts';
import { packPackage, removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';
import { startN8n } from '../n8n-host/host.ts';
import {
	demoAccess,
	readWorkflow,
	sandboxCredentials,
	startInstance,
	withCredentials,
} from '../n8n-host/instance.ts';
import { triggerOf } from './exampleStage.ts';
import { resultsFolder, theStage } from './stage.ts';
import { chain, purchase } from './workflow.ts';

/** The three packages, each alone in an n8n. What happens with unverified packages on and off is what docs/installation.md says. */

interface Installed {
	name: string;
	/** Default: both services */
	service?: ServicePackage;
	nodes: string[];
	credentials: string[];
	/** Its first example, or, for the store, whose example first makes a table, a validation */
	first: () => Promise<WorkflowJson>;
}

const LINKS = {
	nodes: ['linkManagement', 'linkManagementTool', 'linkManagementTrigger'],
	credentials: ['linkManagementApi'],
	first: async () => await readWorkflow('examples/create-short-link.json'),
};
const STORE = {
	nodes: ['store', 'storeTool', 'storeTrigger'],
	credentials: ['storeApi'],
	first: () => {
		const validate = purchase('Validate', 'validate', { purchaseCode: DEMO.purchaseCodes.valid });
		return Promise.resolve(chain('A purchase', [{}], [validate]));
	},
};

const PACKAGES: [Installed, ...Installed[]] = [
	{
		name: 'n8n-nodes-linkstore',
		nodes: [...LINKS.nodes, ...STORE.nodes],
		credentials: [...LINKS.credentials, ...STORE.credentials],
		first: LINKS.first,
	},
	{ name: 'n8n-nodes-linkstore-links', service: 'links', ...LINKS },
	{ name: 'n8n-nodes-linkstore-store', service: 'store', ...STORE },
];

const [ALL] = PACKAGES;
const CASES = [
	...PACKAGES.map((each) => ({ ...each, unverified: true })),
	{ ...ALL, unverified: false },
];

/** Its first workflow with its type names, as docs/installation.md says to change them. */
async function workflowOf({ name, first }: Installed): Promise<WorkflowJson> {
	const text = JSON.stringify(await first());
	return JSON.parse(text.replaceAll('n8n-nodes-linkstore.', `${name}.`)) as WorkflowJson;
}

test.each(CASES)(
	'$name loads and runs with N8N_UNVERIFIED_PACKAGES_ENABLED=$unverified',
	async ({ unverified, ...installed }) => {
		const { name, service, nodes, credentials } = installed;
		await using stack = new AsyncDisposableStack();
		const folder = stack.adopt(await temporaryFolder('packages'), removeFolder);
		const tarball = service === undefined ? theStage().tarball : await packPackage(folder, service);
		const sandbox = await startSandbox({ seed: 'demo' });
		stack.defer(async () => await sandbox.stop());
		const { host, client } = await startInstance({
			userFolder: join(folder, 'n8n'),
			tarball,
			env: { N8N_UNVERIFIED_PACKAGES_ENABLED: String(unverified) },
			log: join(resultsFolder(), `n8n-${name}-${unverified}.log`),
		});
		stack.defer(host.stop);

		const descriptions = await client.nodeDescriptions();
		const own = descriptions.filter((type) => String(type.name).startsWith(`${name}.`));
		expect(own.map((type) => type.name).sort()).toEqual(
			nodes.map((node) => `${name}.${node}`).sort(),
		);

		const inputs = sandboxCredentials(demoAccess(sandbox));
		const usable = inputs.filter(({ type }) => credentials.includes(type));
		const saved = await Promise.all(
			usable.map(async (input) => await client.saveCredential(input)),
		);
		const workflow = withCredentials(await workflowOf(installed), saved);
		const result = await client.run(workflow, triggerOf(workflow));
		expect([result.status, result.error]).toEqual(['success', undefined]);
		expect(sandbox.requests).not.toEqual([]);

		if (unverified) return;
		const installing = client.post('/community-packages', { name: 'n8n-nodes-another' });
		await expect(installing).rejects.toThrow(
			'Installation of unverified community packages is forbidden!',
		);
	},
);

test('with unverified packages off, n8n installs from its environment only with a checksum', async () => {
	await using stack = new AsyncDisposableStack();
	const userFolder = stack.adopt(await temporaryFolder('packages'), removeFolder);
	const starting = startN8n({
		userFolder,
		env: {
			N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
			N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
			N8N_COMMUNITY_PACKAGES: '[{"name":"n8n-nodes-linkstore","version":"1.0.0"}]',
		},
	});
	await expect(starting).rejects.toThrow(
		"no checksum available for 'n8n-nodes-linkstore@1.0.0' and unverified packages are disabled",
	);
});
