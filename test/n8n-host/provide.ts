/** What `npm start` puts into a new n8n. What the user has made of it later stays. */
import { DEMO } from '../../sandbox/demo.ts';
import type { CredentialInput, N8nClient, WorkflowJson } from './client.ts';
import { readExamples, withCredentials } from './instance.ts';
import { list, record, text } from './json.ts';

/** The example to begin with. */
const FIRST = 'create-short-link.json';
const NIGHTLY_CHECK = 'nightly-purchase-check.json';

/**
 * Makes the credentials and examples that are not there yet.
 *
 * @returns the address of the example to begin with
 */
export async function provideExamples(
	client: N8nClient,
	inputs: CredentialInput[],
): Promise<string> {
	const credentials = await client.credentials();
	for (const input of inputs) {
		if (credentials.some(({ name }) => name === input.name)) continue;
		credentials.unshift(await client.createCredential(input));
	}
	const workflows = await client.workflows();
	const examples = await readExamples();
	const first = exampleNamed(examples, FIRST);
	const others = [...examples.values()].filter((example) => example !== first);
	// n8n lists the newest at the top.
	for (const example of [...others, first]) {
		if (workflows.some(({ name }) => name === example.name)) continue;
		workflows.push(await client.createWorkflow(withCredentials(example, credentials)));
	}
	const id = workflows.find(({ name }) => name === first.name)?.id;
	return `${client.url}/workflow/${id}`;
}

/** Makes the table that the nightly check reads, with a valid code of the sandbox, so that its first run checks something. */
export async function providePurchaseCodes(client: N8nClient): Promise<void> {
	const { nodes } = exampleNamed(await readExamples(), NIGHTLY_CHECK);
	const creator = nodes.find(({ parameters }) => parameters.tableName !== undefined);
	const { tableName, columns } = record(creator?.parameters);
	const filter = encodeURIComponent(JSON.stringify({ name: tableName }));
	const present = record(await client.get(`/data-tables-global?filter=${filter}`));
	if (list(present.data).length > 0) return;

	const project = text(record(await client.get('/projects/personal')).id, 'project');
	const path = `/projects/${project}/data-tables`;
	const made = record(
		await client.post(path, { name: tableName, columns: record(columns).column }),
	);
	const row = { customer: 'Sandbox', code: DEMO.purchaseCodes.valid };
	await client.post(`${path}/${text(made.id, 'table')}/insert`, { data: [row] });
}

function exampleNamed(examples: Map<string, WorkflowJson>, file: string): WorkflowJson {
	const example = examples.get(file);
	if (example === undefined) throw new Error(`There is no examples/${file}`);
	return example;
}
