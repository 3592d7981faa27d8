/** What `npm start` puts into a new n8n. What the user makes of it later stays. */
import type { INode } from 'n8n-workflow';

import { DEMO } from '../../sandbox/demo.ts';
import type { CredentialInput, N8nClient } from './client.ts';
import { readExamples, withCredentials } from './instance.ts';
import { list, record, text, texts } from './json.ts';

/** The example to begin with. */
const FIRST = 'create-short-link.json';
const NIGHTLY_CHECK = 'nightly-purchase-check.json';

/** @returns the address of the example to begin with */
export async function provideExamples(
	client: N8nClient,
	inputs: CredentialInput[],
): Promise<string> {
	const examples = await readExamples();
	const first = examples.get(FIRST);
	const workflows = async () =>
		list(await client.get('/workflows')).map((workflow) => texts(workflow, 'id', 'name'));
	if ((await workflows()).length === 0) {
		const credentials = await Promise.all(inputs.map((input) => client.createCredential(input)));
		await providePurchaseCodes(client, examples.get(NIGHTLY_CHECK)?.nodes);
		// n8n lists the newest at the top.
		const others = [...examples.values()].filter((example) => example !== first);
		for (const example of [...others, ...(first ? [first] : [])]) {
			await client.createWorkflow(withCredentials(example, credentials));
		}
	}
	const id = (await workflows()).find(({ name }) => name === first?.name)?.id ?? '';
	return `${client.url}/workflow/${id}`;
}

/** Makes the table that the nightly check reads, with a valid code of the sandbox, so that its first run checks something. */
async function providePurchaseCodes(client: N8nClient, nodes: INode[] = []): Promise<void> {
	const creator = nodes.find(({ parameters }) => parameters.tableName !== undefined);
	const { tableName, columns } = record(creator?.parameters);
	const project = text(record(await client.get('/projects/personal')).id, 'project');
	const path = `/projects/${project}/data-tables`;
	const table = { name: tableName, columns: record(columns).column };
	const { id } = texts(await client.post(path, table), 'id');
	const row = { customer: 'Sandbox', code: DEMO.purchaseCodes.valid };
	await client.post(`${path}/${id}/insert`, { data: [row] });
}
